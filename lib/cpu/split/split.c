/* split.c - stable partition by a digit, which is the sorts' partition, and by flags. */
#include "cpu/cpu.h"

scankit_error sk_cpu_split(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                           unsigned bit, unsigned bits, size_t *offsets)
{
    size_t own_offsets[257];
    const sk_few_ways few = {shape.key_size, shape.value_size, in, out, n, bit, bits, NULL};
    const sk_staged_split staged = {shape.key_size, in.keys, out.keys, n, bit, (unsigned)sk_low_mask(bits)};
    sk_digits digits = {.begin = bit, .mask = sk_low_mask(bits), .last = sk_low_mask(bits)};
    offsets = offsets != NULL ? offsets : own_offsets;
    size_t mark = sk_arena_mark(&device->workspace);
    sk_partition partition;
    scankit_error error = SCANKIT_E_MEMORY;
    sk_cpu_ran(device, SK_CPU_COUNT_AND_SCATTER);
    if (sk_choose_few_ways(shape, bits, sk_kernels_of(device)->by_pivots)) {
        error = sk_split_few_ways(device, &few, offsets);
    } else if (shape.value_size == 0 && sk_can_stage(&staged)) {
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

static void move_by_flags(size_t size, const char *in, const uint8_t *flags, sk_range range, char *zero, char *one)
{
    for (size_t i = range.begin; i < range.end; i++) {
        char **to = flags[i] != 0 ? &one : &zero;
        memcpy(*to, in + i * size, size);
        *to += size;
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
    move_by_flags(job->size, job->in, job->flags, mine, job->out + zeros_before * job->size,
                  job->out + (job->zeros + ones_before) * job->size);
}

/* Element by element. */
static scankit_error split_long(sk_device *device, size_t element_size, const void *in, const uint8_t *flags, void *out,
                                size_t n, size_t *zeros)
{
    int team = sk_cpu_team(device, n * (element_size + 1));
    flags_job job = {.size = element_size, .in = in, .flags = flags, .out = out, .n = n};
    job.counts = sk_arena_take(&device->workspace, (size_t)team * sizeof *job.counts);
    if (job.counts == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_together(team, split_slice, &job);
    *zeros = job.zeros;
    return SCANKIT_OK;
}

static scankit_error split_short(sk_device *device, size_t element_size, const void *in, const uint8_t *flags,
                                 void *out, size_t n, size_t *zeros)
{
    const sk_few_ways what = {element_size, 0, {in, NULL}, {out, NULL}, n, 0, 1, flags};
    size_t offsets[3] = {0};
    scankit_error error = sk_split_few_ways(device, &what, offsets);
    *zeros = offsets[1];
    return error;
}

scankit_error sk_cpu_split_flags(sk_device *device, size_t element_size, const void *in, const uint8_t *flags,
                                 void *out, size_t n, size_t *zeros)
{
    size_t own_zeros = 0, mark = sk_arena_mark(&device->workspace);
    zeros = zeros != NULL ? zeros : &own_zeros;
    sk_cpu_ran(device, SK_CPU_COUNT_AND_SCATTER);
    scankit_error error = sk_choose_two_ways(element_size) ? split_short(device, element_size, in, flags, out, n, zeros)
                                                           : split_long(device, element_size, in, flags, out, n, zeros);
    sk_arena_reset(&device->workspace, mark);
    return error;
}
