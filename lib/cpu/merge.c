/* merge.c - merge of two sorted arrays by many threads: each finds by merge path which elements make its part of the
 * output (Green, McColl and Bader 2012), and merges them by Batcher's bitonic network or, with values, one by one. */
#include "cpu.h"

#define PART ((size_t)16 << 10)

sk_merge_kernels sk_merge_choose(const sk_device *device, sk_shape shape, bool whole)
{
    const sk_kernels *all = sk_kernels_of(device);
    sk_merge_kernels kernels = all->merge[sk_shape_row(shape)];
    if (whole && shape.value_size == 0 && shape.key_size >= 4)
        kernels.merge = shape.key_size == 4 ? all->bitonic_32 : all->bitonic_64;
    return kernels;
}

void sk_merge_part(const sk_merge_kernels *kernels, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                   size_t nb, sk_columns out, sk_range part, uint64_t mask)
{
    size_t from = kernels->path(a.keys, na, b.keys, nb, part.begin, mask);
    size_t to = kernels->path(a.keys, na, b.keys, nb, part.end, mask);
    size_t from_b = part.begin - from, to_b = part.end - to;
    kernels->merge(sk_read_at(shape, a, from), to - from, sk_read_at(shape, b, from_b), to_b - from_b,
                   sk_at(shape, out, part.begin), mask);
}

scankit_error sk_cpu_merge(sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                           size_t nb, sk_columns out)
{
    size_t n = na + nb;
    uint64_t mask = sk_low_mask(8 * shape.key_size);
    const sk_merge_kernels kernels = sk_merge_choose(device, shape, true);
    device->algorithm = "merge-path";
#pragma omp parallel for num_threads(sk_cpu_team(device, n *sk_element_size(shape)))
    for (size_t begin = 0; begin < n; begin += PART)
        sk_merge_part(&kernels, shape, a, na, b, nb, out, (sk_range){begin, sk_min(begin + PART, n)}, mask);
    return SCANKIT_OK;
}
