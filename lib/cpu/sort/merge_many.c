/* merge_many.c - merge of k sorted arrays. */
#include "cpu/cpu.h"

/* Merges the arrays [first, end), two halves at a time. */
static scankit_error merge_range(sk_device *device, sk_shape shape, const sk_const_columns *in, const size_t *n,
                                 size_t first, size_t end, sk_columns out, sk_columns spare)
{
    size_t middle = first + (end - first) / 2, left = 0, right = 0;
    if (end - first == 1) {
        sk_copy_columns(device, shape, in[first], out, n[first]);
        return SCANKIT_OK;
    }
    for (size_t i = first; i < end; i++)
        *(i < middle ? &left : &right) += n[i];
    scankit_error error = merge_range(device, shape, in, n, first, middle, spare, out);
    if (error == SCANKIT_OK)
        error = merge_range(device, shape, in, n, middle, end, sk_at(shape, spare, left), sk_at(shape, out, left));
    if (error == SCANKIT_OK)
        error = sk_cpu_merge(device, shape, sk_read(spare), left, sk_read_at(shape, sk_read(spare), left), right, out);
    return error;
}

scankit_error sk_cpu_merge_many(sk_device *device, sk_shape shape, size_t k, const sk_const_columns *in,
                                const size_t *n, sk_columns out)
{
    size_t mark = sk_arena_mark(&device->workspace), total = 0;
    for (size_t i = 0; i < k; i++)
        total += n[i];
    sk_columns spare;
    if (!sk_take_columns(device, shape, total, &spare))
        return SCANKIT_E_MEMORY;
    scankit_error error = merge_range(device, shape, in, n, 0, k, out, spare);
    sk_arena_reset(&device->workspace, mark);
    return error;
}

scankit_error sk_cpu_merge_many_values(sk_device *device, const sk_piece *piece, size_t k, const void *const *in,
                                       const size_t *n, void *out, bool *done)
{
    (void)device, (void)piece, (void)k, (void)in, (void)n, (void)out;
    *done = false;
    return SCANKIT_OK;
}

scankit_error sk_cpu_merge_many_records(sk_device *device, const sk_record_order *order, size_t k,
                                        const void *const *in, const size_t *n, void *out, bool *done)
{
    (void)device, (void)order, (void)k, (void)in, (void)n, (void)out;
    *done = false;
    return SCANKIT_OK;
}
