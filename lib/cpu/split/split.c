/* split.c - stable partition by a digit, which is the sorts' partition, and by flags. */
#include "cpu/cpu.h"

static scankit_error split_by_bit(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                                  unsigned bit, size_t *offsets)
{
    const sk_two_ways what = {shape.key_size, shape.value_size, in, out, n, .bit = bit};
    size_t zeros = 0;
    sk_cpu_ran(device, SK_CPU_COUNT_AND_SCATTER);
    scankit_error error = sk_split_two_ways(device, &what, &zeros);
    if (offsets != NULL)
        memcpy(offsets, (const size_t[]){0, zeros, n}, 3 * sizeof *offsets);
    return error;
}

scankit_error sk_cpu_split(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                           unsigned bit, unsigned bits, size_t *offsets)
{
    if (bits == 1)
        return split_by_bit(device, shape, in, out, n, bit, offsets);
    size_t own_offsets[257];
    const sk_staged_split staged = {shape.key_size, in.keys, out.keys, n, bit, (unsigned)sk_low_mask(bits)};
    sk_digits digits = {.begin = bit, .mask = sk_low_mask(bits), .last = sk_low_mask(bits)};
    offsets = offsets != NULL ? offsets : own_offsets;
    size_t mark = sk_arena_mark(&device->workspace);
    sk_partition partition;
    scankit_error error = SCANKIT_E_MEMORY;
    sk_cpu_ran(device, SK_CPU_COUNT_AND_SCATTER);
    if (shape.value_size == 0 && sk_can_stage(&staged)) {
        error = sk_split_staged(device, &staged, offsets);
    } else if (sk_partition_open(device, shape, (size_t)digits.last + 1, n, &partition)) {
        if (!sk_rehearses(device))
            sk_partition_run(device, &partition, shape, &digits, in, out, n, offsets);
        error = SCANKIT_OK;
    }
    sk_arena_reset(&device->workspace, mark);
    return error;
}

static size_t count_zeros(const uint8_t *flags, sk_range range)
{
    size_t zeros = 0;
    for (size_t i = range.begin; i < range.end; i++)
        zeros += flags[i] == 0;
    return zeros;
}

/* Chooses the place without a branch. */
SK_INLINE void move_by_flags(size_t size, const char *in, const uint8_t *flags, sk_range range, char *zero, char *one)
{
    for (size_t i = range.begin; i < range.end; i++) {
        bool flag = flags[i] != 0;
        memcpy(flag ? one : zero, in + i * size, size);
        one += flag ? size : 0;
        zero += flag ? 0 : size;
    }
}

static void move_slice(size_t size, const char *in, const uint8_t *flags, sk_range range, char *zero, char *one)
{
    switch (size) {
#define X(constant) \
    case constant: move_by_flags(constant, in, flags, range, zero, one); break;
        X(1)
        X(2)
        X(4)
        X(8)
        X(16)
#undef X
    default: move_by_flags(size, in, flags, range, zero, one);
    }
}

typedef struct flags_job {
    size_t size; /* of an element */
    const char *in;
    const uint8_t *flags;
    char *out;
    size_t n, *counts; /* a thread's zeros, then those before its slice */
    size_t zeros;
} flags_job;

static void split_slice(void *state, int thread, int team)
{
    flags_job *job = state;
    sk_range mine = sk_slice(job->n, thread, team);
    job->counts[thread] = count_zeros(job->flags, mine);
    sk_cpu_wait(team);
    if (thread == 0)
        job->zeros = sk_scan_counts(job->counts, (size_t)team);
    sk_cpu_wait(team);
    size_t zeros_before = job->counts[thread], ones_before = mine.begin - zeros_before;
    move_slice(job->size, job->in, job->flags, mine, job->out + zeros_before * job->size,
               job->out + (job->zeros + ones_before) * job->size);
}

scankit_error sk_cpu_split_flags(sk_device *device, size_t element_size, const void *in, const uint8_t *flags,
                                 void *out, size_t n, size_t *zeros)
{
    int team = sk_cpu_team(device, n * (element_size + 1));
    size_t mark = sk_arena_mark(&device->workspace);
    flags_job job = {.size = element_size, .in = in, .flags = flags, .out = out, .n = n};
    job.counts = sk_arena_take(&device->workspace, (size_t)team * sizeof *job.counts);
    if (job.counts == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_together(team, split_slice, &job);
    if (zeros != NULL)
        *zeros = job.zeros;
    sk_cpu_ran(device, SK_CPU_COUNT_AND_SCATTER);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}
