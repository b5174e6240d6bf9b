/* stub */
#include "cpu/cpu.h"
scankit_error sk_cpu_transpose(sk_device *device, size_t element_size, const void *in, size_t in_pitch, void *out,
                               size_t out_pitch, size_t rows, size_t columns)
{
    (void)device, (void)element_size, (void)in, (void)in_pitch, (void)out, (void)out_pitch, (void)rows, (void)columns;
    return SCANKIT_E_DEVICE;
}
scankit_error sk_cpu_scan_rows(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                               const void *in, size_t in_pitch, void *out, size_t out_pitch, size_t rows,
                               size_t columns)
{
    (void)device, (void)type, (void)op, (void)kind, (void)in, (void)in_pitch, (void)out, (void)out_pitch, (void)rows,
        (void)columns;
    return SCANKIT_E_DEVICE;
}
scankit_error sk_cpu_channel_sums(sk_device *device, const scankit_image *in, double *sums)
{
    (void)device, (void)in, (void)sums;
    return SCANKIT_E_DEVICE;
}
scankit_error sk_cpu_table(sk_device *device, const scankit_image *in, const scankit_image *out, const double *mean,
                           scankit_table_method method)
{
    (void)device, (void)in, (void)out, (void)mean, (void)method;
    return SCANKIT_E_DEVICE;
}
