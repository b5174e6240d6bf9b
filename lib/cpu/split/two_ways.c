/* two_ways.c - split in two, by one bit of the keys or by flags: each thread counts the zeros of its slice, a scan of
 * the counts says where its zeros and its ones begin, and both are moved together as in a compaction.
 *
 * The count reads a slice from its end to its beginning, so that what is moved first is still in the caches. */
#include "cpu/outflow.h"

#define BLOCK_BYTES ((size_t)4 << 10) /* of a column, which are read before they are written */
#define BLOCK_MOST ((size_t)4096)     /* elements */

typedef struct ways_job {
    const sk_two_ways *what;
    const sk_kernels *kernels;
    sk_pick_function *pick; /* NULL: elements are moved by masks */
    bool stream;
    size_t each;    /* elements of a block; a multiple of 64 */
    size_t *counts; /* a thread's zeros, then those before its slice */
    size_t zeros;
    char *memory; /* of the threads, one after the other */
} ways_job;

/* A column's zeros and ones on their way. */
typedef struct column {
    size_t size;
    const char *in;
    sk_outflow zeros, ones;
} column;

/* ---- which elements are ones ---- */

/* Sets the mask of n elements from `at` on; returns how many are ones. */
static size_t find_ones(const ways_job *job, size_t at, size_t n, uint64_t *mask)
{
    const sk_two_ways *what = job->what;
    const sk_compress_kernels *compress = job->kernels->compress;
    const size_t size = what->key_size;
    if (what->flags == NULL)
        return job->kernels->key_bits[__builtin_ctzll(size)]((const char *)what->in.keys + at * size, n, what->bit,
                                                             mask);
    compress->masks(what->flags + at, n, mask);
    return compress->choose(mask, n, false, mask);
}

static size_t count_zeros(const ways_job *job, sk_range slice)
{
    uint64_t mask[BLOCK_MOST / 64];
    size_t ones = 0;
    for (size_t end = slice.end, n; end > slice.begin; end -= n) {
        n = sk_min(job->each, end - slice.begin);
        ones += find_ones(job, end - n, n, mask);
    }
    return slice.end - slice.begin - ones;
}

/* ---- moves ---- */

static size_t stage_bytes(const ways_job *job, size_t size)
{
    return size > 0 ? SK_OUTFLOW_PAGE + sk_outflow_bytes(job->each * size) : 0;
}

static size_t thread_bytes(const ways_job *job)
{
    return 2 * (stage_bytes(job, job->what->key_size) + stage_bytes(job, job->what->value_size));
}

static column open_column(const ways_job *job, size_t size, const void *in, void *out, size_t zeros, size_t ones,
                          char *memory)
{
    char *to = out, *second = memory + stage_bytes(job, size);
    return (column){size, in, sk_outflow_to(to + zeros * size, sk_outflow_apart(in, SK_OUTFLOW_APART, memory)),
                    sk_outflow_to(to + ones * size, sk_outflow_apart(in, SK_OUTFLOW_APART, second))};
}

/* Returns how many are zeros. */
static size_t pick_zeros(const ways_job *job, const column *to, size_t at, size_t n)
{
    static const sk_set_range zero = {0, 0};
    const sk_two_ways *what = job->what;
    const sk_range_test test = {.ranges = &zero, .count = 1, .mask = UINT64_C(1) << what->bit};
    return job->pick(&test, (const char *)what->in.keys + at * what->key_size, to->in + at * to->size, n,
                     &(sk_picked){.matching = sk_outflow_at(&to->zeros), .others = sk_outflow_at(&to->ones)});
}

static void move_masked(const ways_job *job, const column *to, size_t at, size_t n, const uint64_t *zeros,
                        const uint64_t *ones)
{
    const sk_compress_kernels *compress = job->kernels->compress;
    compress->move(to->in + at * to->size, to->size, zeros, n, sk_outflow_at(&to->zeros));
    compress->move(to->in + at * to->size, to->size, ones, n, sk_outflow_at(&to->ones));
}

static void move_block(const ways_job *job, column *columns, unsigned count, size_t at, size_t n)
{
    uint64_t ones[BLOCK_MOST / 64], zeros[BLOCK_MOST / 64];
    size_t zero_count = 0;
    if (job->pick == NULL) {
        (void)find_ones(job, at, n, ones);
        zero_count = job->kernels->compress->choose(ones, n, true, zeros);
    }
    for (column *to = columns; to < columns + count; to++) {
        if (job->pick != NULL)
            zero_count = pick_zeros(job, to, at, n);
        else
            move_masked(job, to, at, n, zeros, ones);
        sk_outflow_add(&to->zeros, job->kernels, zero_count * to->size, job->stream);
        sk_outflow_add(&to->ones, job->kernels, (n - zero_count) * to->size, job->stream);
    }
}

static void move_slice(const ways_job *job, sk_range slice, size_t zeros, size_t ones, char *memory)
{
    const sk_two_ways *what = job->what;
    const unsigned count = what->value_size > 0 ? 2 : 1;
    column columns[2] = {open_column(job, what->key_size, what->in.keys, what->out.keys, zeros, ones, memory)};
    memory += 2 * stage_bytes(job, what->key_size);
    if (count == 2)
        columns[1] = open_column(job, what->value_size, what->in.values, what->out.values, zeros, ones, memory);
    for (size_t at = slice.begin, n; at < slice.end; at += n) {
        n = sk_min(job->each, slice.end - at);
        move_block(job, columns, count, at, n);
    }
    for (unsigned c = 0; c < count; c++) {
        sk_outflow_end(&columns[c].zeros, job->kernels);
        sk_outflow_end(&columns[c].ones, job->kernels);
    }
}

static void split_slice(void *state, int thread, int team)
{
    ways_job *job = state;
    const sk_range mine = sk_slice(job->what->n, thread, team);
    job->counts[thread] = count_zeros(job, mine);
    sk_cpu_wait(team);
    if (thread == 0)
        job->zeros = sk_scan_counts(job->counts, (size_t)team);
    sk_cpu_wait(team);
    const size_t zeros = job->counts[thread], ones = job->zeros + mine.begin - zeros;
    move_slice(job, mine, zeros, ones, job->memory + (size_t)thread * thread_bytes(job));
}

/* ---- all ---- */

/* Kernels that test a bit as they move. Values follow the tests of their keys. */
static sk_pick_function *pick_of(const sk_kernels *kernels, const sk_two_ways *what)
{
    const bool alike = what->value_size == 0 || what->value_size == what->key_size;
    if (what->flags != NULL || what->key_size < 4 || !alike)
        return NULL;
    return kernels->pick(what->key_size == 4 ? SK_STEP_WITHIN_32 : SK_STEP_WITHIN_64);
}

scankit_error sk_split_two_ways(sk_device *device, const sk_two_ways *what, size_t *zeros)
{
    const sk_kernels *kernels = sk_kernels_of(device);
    const size_t size = what->key_size + what->value_size,
                 widest = what->key_size > what->value_size ? what->key_size : what->value_size;
    const size_t team = (size_t)sk_cpu_team_of(device, what->n, size, size);
    ways_job job = {.what = what, .kernels = kernels, .pick = pick_of(kernels, what)};
    job.each = BLOCK_BYTES / widest;
    job.stream = what->n * size >= SK_AROUND_CACHES_BYTES;
    size_t mark = sk_arena_mark(&device->workspace);
    job.counts = sk_arena_take(&device->workspace, team * sizeof *job.counts);
    job.memory = sk_arena_take(&device->workspace, team * thread_bytes(&job));
    if (job.counts == NULL || job.memory == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_together((int)team, split_slice, &job);
    sk_arena_reset(&device->workspace, mark);
    *zeros = job.zeros;
    return SCANKIT_OK;
}
