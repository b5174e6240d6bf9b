/* varying.c - the bits in which keys differ. A radix sort passes over all others. */
#include "cpu/cpu.h"

typedef struct masks_job {
    const sk_key_kernels *kernels;
    const char *keys;
    unsigned key_size;
    size_t n;
    uint64_t any, all; /* bits that are set in some key, and in all */
} masks_job;

static void find_masks(void *state, int thread, int team)
{
    masks_job *job = state;
    sk_range mine = sk_slice(job->n, thread, team);
    uint64_t any = 0, all = UINT64_MAX;
    job->kernels->masks(job->keys + mine.begin * job->key_size, mine.end - mine.begin, &any, &all);
#pragma omp atomic
    job->any |= any;
#pragma omp atomic
    job->all &= all;
}

uint64_t sk_varying_bits(sk_device *device, sk_shape shape, const void *keys, size_t n, uint64_t mask)
{
    const sk_key_kernels *kernels = &sk_kernels_of(device)->keys[__builtin_ctz(shape.key_size)];
    masks_job job = {kernels, keys, shape.key_size, n, 0, UINT64_MAX};
    sk_cpu_together(sk_cpu_team(device, n * shape.key_size), find_masks, &job);
    return (job.any ^ job.all) & mask;
}
