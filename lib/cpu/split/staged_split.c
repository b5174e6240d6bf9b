/* staged_split.c - split of a large array of keys by a digit: each thread counts the digits of the blocks of its slice,
 * a scan of the counts says where its keys of each digit begin, and it moves block after block (kernel/sort/staged.c).
 */
#include "cpu/cpu.h"

/* Fewer keys go by lines to their places. One thread of a Zen 1 splits 64 KiB of u32 by 3 and 8 bits at 0.21 and 0.22
 * billion a second so, and at 0.55 and 0.35 by blocks; 512 KiB at 0.21 and 0.54, 0.22 and 0.49; 4 MiB at 0.13 and 0.49,
 * 0.13 and 0.45. But blocks are written around the caches. */
#define STAGED_BYTES ((size_t)512 << 10)

typedef struct split_job {
    const sk_staged_kernels *kernels;
    void (*stream_end)(void);
    sk_staged_split what;
    size_t each;      /* keys of a block */
    size_t *cursors;  /* of each thread, by digit: counts, then places */
    uint16_t *counts; /* of each block, by digit */
    char *memory;     /* of each thread */
    size_t *offsets;
} split_job;

/* A thread's memory while it moves keys. */
typedef struct flow {
    sk_outlet outlets[SK_STAGED_DIGITS];
    _Alignas(64) char held[SK_STAGED_DIGITS * 64], stage[SK_STAGE_ROOM];
} flow;

static size_t digits_of(const split_job *job)
{
    return (size_t)job->what.mask + 1;
}

/* The counts of a thread's first block. Less than one block of each thread before it is not whole. */
static uint16_t *block_counts(const split_job *job, size_t begin, int thread)
{
    return job->counts + (begin / job->each + (size_t)thread) * digits_of(job);
}

static void count_slice(const split_job *job, sk_range mine, int thread)
{
    const size_t digits = digits_of(job);
    size_t *cursor = job->cursors + (size_t)thread * digits;
    uint16_t *counts = block_counts(job, mine.begin, thread);
    memset(cursor, 0, digits * sizeof *cursor);
    for (size_t at = mine.begin; at < mine.end; at += job->each, counts += digits) {
        job->kernels->count(job->what.in + at * job->what.size, sk_min(job->each, mine.end - at), job->what.bit,
                            job->what.mask, counts);
        for (size_t d = 0; d < digits; d++)
            cursor[d] += counts[d];
    }
}

static void open_outlets(const split_job *job, const size_t *cursor, sk_outlet *outlets)
{
    for (size_t d = 0; d < digits_of(job); d++) {
        char *to = job->what.out + cursor[d] * job->what.size;
        uint32_t first = (uint32_t)((uintptr_t)to & 63);
        outlets[d] = (sk_outlet){.line = to - first, .first = first, .filled = first};
    }
}

static void close_outlets(const split_job *job, const flow *to)
{
    for (size_t d = 0; d < digits_of(job); d++) {
        const sk_outlet *o = &to->outlets[d];
        memcpy(o->line + o->first, to->held + d * 64 + o->first, o->filled - o->first);
    }
}

static void move_slice(const split_job *job, sk_range mine, int thread, flow *to)
{
    const uint16_t *counts = block_counts(job, mine.begin, thread);
    open_outlets(job, job->cursors + (size_t)thread * digits_of(job), to->outlets);
    for (size_t at = mine.begin; at < mine.end; at += job->each, counts += digits_of(job))
        job->kernels->move(job->what.in + at * job->what.size, sk_min(job->each, mine.end - at), job->what.bit,
                           job->what.mask, counts, to->outlets, to->held, to->stage);
    close_outlets(job, to);
    job->stream_end();
}

static void split_slice(void *state, int thread, int team)
{
    const split_job *job = state;
    const sk_range mine = sk_slice(job->what.n, thread, team);
    count_slice(job, mine, thread);
    sk_cpu_wait(team);
    if (thread == 0)
        sk_scan_cursors(job->cursors, digits_of(job), (size_t)team, digits_of(job), job->offsets);
    sk_cpu_wait(team);
    move_slice(job, mine, thread, (flow *)(void *)job->memory + thread);
}

bool sk_can_stage(const sk_staged_split *what)
{
    return what->n * what->size >= STAGED_BYTES && (uintptr_t)what->out % what->size == 0;
}

scankit_error sk_split_staged(sk_device *device, const sk_staged_split *what, size_t *offsets)
{
    split_job job = {.what = *what, .offsets = offsets, .each = SK_STAGED_KEYS(what->size)};
    const size_t team = (size_t)sk_cpu_team(device, what->n * what->size);
    job.kernels = &sk_kernels_of(device)->staged[__builtin_ctzll(what->size)];
    job.stream_end = sk_kernels_of(device)->compress->stream_end;
    job.cursors = sk_arena_take(&device->workspace, team * digits_of(&job) * sizeof *job.cursors);
    job.counts = sk_arena_take(&device->workspace, (what->n / job.each + team) * digits_of(&job) * sizeof *job.counts);
    job.memory = sk_arena_take(&device->workspace, team * sizeof(flow));
    if (job.cursors == NULL || job.counts == NULL || job.memory == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_together((int)team, split_slice, &job);
    return SCANKIT_OK;
}
