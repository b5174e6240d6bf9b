/* varying.c - the bits in which keys differ. A radix sort passes over all others. */
#include "cpu/cpu.h"

uint64_t sk_varying_bits(sk_device *device, sk_shape shape, const void *keys, size_t n, uint64_t mask)
{
    const sk_key_kernels *k = &sk_kernels_of(device)->keys[__builtin_ctz(shape.key_size)];
    uint64_t any = 0, all = UINT64_MAX;
#pragma omp parallel num_threads(sk_cpu_team(device, n *shape.key_size)) reduction(| : any) reduction(& : all)
    {
        sk_range mine = sk_my_slice(n);
        k->masks((const char *)keys + mine.begin * shape.key_size, mine.end - mine.begin, &any, &all);
    }
    return (any ^ all) & mask;
}
