/* stub */
#include "cpu/cpu.h"
scankit_error sk_cpu_box(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    (void)device, (void)in, (void)out, (void)box;
    return SCANKIT_E_DEVICE;
}
scankit_error sk_cpu_blur_radii(sk_device *device, const scankit_image *depth, float *radii, const scankit_lens *lens)
{
    (void)device, (void)depth, (void)radii, (void)lens;
    return SCANKIT_E_DEVICE;
}
scankit_error sk_cpu_mipmap(sk_device *device, const scankit_image *in, const scankit_image *levels, unsigned count,
                            const sk_light *light)
{
    (void)device, (void)in, (void)levels, (void)count, (void)light;
    return SCANKIT_E_DEVICE;
}
scankit_error sk_cpu_sample(sk_device *device, const scankit_image *levels, unsigned count, scankit_sampling sampling,
                            const sk_light *light, const scankit_place *places, float *out, size_t n)
{
    (void)device, (void)levels, (void)count, (void)sampling, (void)light, (void)places, (void)out, (void)n;
    return SCANKIT_E_DEVICE;
}
