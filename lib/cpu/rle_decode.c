/* rle_decode.c - runs back to elements: threads add up blocks of the counts; then each takes a part of the output after
 * the other, finds the run that the part begins in by a search among the blocks and a walk through one of them, and
 * expands from there. So a giant run is many threads' work. */
#include <stdatomic.h>

#include "cpu.h"

#define BLOCKS ((size_t)8191)        /* of counts: 64 KiB of sums */
#define BLOCK_MIN ((size_t)1024)     /* runs of a block at least */
#define PART_BYTES ((size_t)2 << 20) /* of the output, taken by a thread at a time, at most */

typedef struct decode_job {
    const sk_kernels *kernels;
    size_t size; /* of an element */
    const char *values;
    const uint64_t *counts;
    size_t runs, block, blocks;
    uint64_t *offset; /* by block, the elements before it; at the end, all */
    char *out;
    size_t part;          /* elements that a thread takes at a time */
    atomic_size_t next;   /* part to take */
    atomic_bool overflow; /* a block's sum passes 2^64 */
    bool stream;
} decode_job;

/* ---- the sums ---- */

/* False where it passes 2^64. */
static bool add_up(const uint64_t *counts, size_t n, uint64_t *sum)
{
    uint64_t any = 0, total = 0;
    for (size_t r = 0; r < n; r++) {
        any |= counts[r];
        total += counts[r];
    }
    if (any > UINT64_MAX / n)
        for (size_t r = total = 0; r < n; r++)
            if (__builtin_add_overflow(total, counts[r], &total))
                return false;
    *sum = total;
    return true;
}

static void add_up_some(void *state, int thread, int team)
{
    decode_job *job = state;
    sk_range blocks = sk_slice(job->blocks, thread, team);
    for (size_t b = blocks.begin; b < blocks.end; b++) {
        size_t begin = b * job->block;
        if (!add_up(job->counts + begin, sk_min(job->block, job->runs - begin), &job->offset[b]))
            atomic_store_explicit(&job->overflow, true, memory_order_relaxed);
    }
}

/* Sums of the blocks, and of those before each; false where all together pass 2^64. */
static bool add_up_blocks(sk_device *device, decode_job *job)
{
    uint64_t before = 0;
    sk_cpu_together(sk_cpu_team_of(device, job->runs, sizeof before, sizeof before), add_up_some, job);
    bool fits = !atomic_load(&job->overflow);
    for (size_t b = 0; b < job->blocks && fits; b++) {
        uint64_t sum = job->offset[b];
        job->offset[b] = before;
        fits = !__builtin_add_overflow(before, sum, &before);
    }
    job->offset[job->blocks] = before;
    return fits;
}

/* ---- the elements ---- */

/* Where element `at` is: there is one. */
static sk_expansion find(const decode_job *job, uint64_t at)
{
    size_t low = 0, high = job->blocks; /* offset[low] <= at < offset[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (job->offset[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    size_t run = low * job->block;
    for (at -= job->offset[low]; at >= job->counts[run]; run++)
        at -= job->counts[run];
    return (sk_expansion){job->values + run * job->size, job->counts[run] - at, job->counts + run + 1,
                          job->counts + job->runs};
}

static void expand_parts(void *state, int thread, int team)
{
    decode_job *job = state;
    size_t total = job->offset[job->blocks], begin;
    (void)thread, (void)team;
    while ((begin = job->part * atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < total) {
        const sk_expansion from = find(job, begin);
        job->kernels->expand(&from, job->size, job->out + begin * job->size, sk_min(job->part, total - begin),
                             job->stream);
    }
}

/* The thread's part of every long element. */
static void expand_bytes(void *state, int thread, int team)
{
    const decode_job *job = state;
    sk_range bytes = sk_slice(job->size, thread, team);
    char *out = job->out + bytes.begin;
    for (size_t r = 0; r < job->runs; r++)
        for (uint64_t i = 0; i < job->counts[r]; i++, out += job->size)
            sk_write(job->kernels, out, job->values + r * job->size + bytes.begin, bytes.end - bytes.begin,
                     job->stream);
}

static void expand(sk_device *device, decode_job *job, size_t total)
{
    sk_cpu_algorithm chosen = sk_choose_decode(job->size);
    int team = sk_cpu_team_of(device, total, job->size, job->size);
    size_t each = ((total - 1) / (size_t)team / 64 + 1) * 64, part = PART_BYTES / job->size & ~(size_t)63;
    sk_cpu_ran(device, chosen);
    job->part = part > 0 ? sk_min(part, each) : 1;
    sk_cpu_together(team, chosen == SK_CPU_EXPAND ? expand_parts : expand_bytes, job);
}

/* False if there are more elements than room. */
static bool decode(sk_device *device, decode_job *job, size_t room, size_t *n)
{
    bool fits = add_up_blocks(device, job);
    *n = fits ? job->offset[job->blocks] : SIZE_MAX;
    fits = *n < SIZE_MAX && (job->out == NULL || *n <= room);
    if (fits && job->out != NULL && *n > 0) {
        job->stream = *n * job->size >= SK_AROUND_CACHES_BYTES;
        expand(device, job, *n);
    }
    return fits;
}

scankit_error sk_cpu_decode_runs(sk_device *device, size_t element_size, const void *values, const uint64_t *counts,
                                 size_t runs, void *out, size_t room, size_t *n)
{
    size_t block = (runs - 1) / BLOCKS + 1, mark = sk_arena_mark(&device->workspace);
    decode_job job = {.kernels = sk_kernels_of(device),
                      .size = element_size,
                      .values = values,
                      .counts = counts,
                      .runs = runs,
                      .out = out};
    job.block = block > BLOCK_MIN ? block : BLOCK_MIN;
    job.blocks = (runs - 1) / job.block + 1;
    job.offset = sk_arena_take(&device->workspace, (job.blocks + 1) * sizeof *job.offset);
    if (job.offset == NULL)
        return SCANKIT_E_MEMORY;
    bool fits = sk_rehearses(device) || decode(device, &job, room, n);
    sk_arena_reset(&device->workspace, mark);
    return fits ? SCANKIT_OK : SCANKIT_E_ARGUMENT;
}
