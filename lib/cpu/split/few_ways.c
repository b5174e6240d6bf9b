/* few_ways.c - split by a digit of few bits, or by flags: each thread counts the digits of its slice, a scan of the
 * counts says where its elements of each digit begin, and then a block's elements of each digit are moved together as
 * in a compaction.
 *
 * The count goes from the end of a slice to its beginning, so that what is moved first is still in the caches. It reads
 * parts of the slice forwards, as the hardware reads ahead so. */
#include "cpu/outflow.h"

#define BLOCK_BYTES ((size_t)4 << 10)   /* of a column, which are read before they are written */
#define COUNTED_BYTES ((size_t)1 << 20) /* of keys, which are read forwards */

typedef struct ways_job {
    const sk_few_ways *what;
    const sk_kernels *kernels;
    sk_pick_function *pick; /* NULL: elements are moved by masks */
    bool stream;
    size_t each;     /* elements of a block; a multiple of 64 */
    size_t *cursors; /* of each thread, by digit: counts, then places */
    size_t *offsets;
    char *memory; /* of the threads, one after the other */
} ways_job;

/* A column's digits on their way. */
typedef struct column {
    size_t size;
    const char *in;
    sk_outflow flows[SK_FEW_WAYS];
} column;

static size_t ways_of(const ways_job *job)
{
    return (size_t)1 << job->what->bits;
}

/* ---- counts ---- */

/* Masks and counts, by digit, of n elements from `at` on. */
static void find_digits(const ways_job *job, size_t at, size_t n, sk_digit_masks *found)
{
    const sk_few_ways *what = job->what;
    const sk_compress_kernels *compress = job->kernels->compress;
    const size_t size = what->key_size;
    if (what->flags == NULL) {
        job->kernels->find_digits[__builtin_ctzll(size)]((const char *)what->in.keys + at * size, n, what->bit,
                                                         what->bits, found);
        return;
    }
    compress->masks(what->flags + at, n, found->mask[1]);
    found->count[1] = compress->choose(found->mask[1], n, false, found->mask[1]);
    found->count[0] = compress->choose(found->mask[1], n, true, found->mask[0]);
}

static void count_part(const ways_job *job, sk_range part, size_t *counts)
{
    sk_digit_masks found;
    for (size_t at = part.begin, n; at < part.end; at += n) {
        n = sk_min(job->each, part.end - at);
        find_digits(job, at, n, &found);
        for (size_t d = 0; d < ways_of(job); d++)
            counts[d] += found.count[d];
    }
}

static void count_slice(const ways_job *job, sk_range slice, size_t *counts)
{
    const size_t each = COUNTED_BYTES / job->what->key_size;
    memset(counts, 0, ways_of(job) * sizeof *counts);
    for (size_t end = slice.end, n; end > slice.begin; end -= n) {
        n = sk_min(each, end - slice.begin);
        count_part(job, (sk_range){end - n, end}, counts);
    }
}

/* ---- moves ---- */

static size_t stage_bytes(const ways_job *job, size_t size)
{
    return size > 0 ? SK_OUTFLOW_PAGE + sk_outflow_bytes(job->each * size) : 0;
}

static size_t thread_bytes(const ways_job *job)
{
    return ways_of(job) * (stage_bytes(job, job->what->key_size) + stage_bytes(job, job->what->value_size));
}

static void open_column(const ways_job *job, column *to, size_t size, const void *in, void *out, const size_t *cursor,
                        char *memory)
{
    *to = (column){.size = size, .in = in};
    for (size_t d = 0; d < ways_of(job); d++, memory += stage_bytes(job, size))
        to->flows[d] = sk_outflow_to((char *)out + cursor[d] * size, sk_outflow_apart(in, SK_OUTFLOW_APART, memory));
}

/* Zeros and ones; returns how many are zeros. */
static size_t pick_zeros(const ways_job *job, const column *to, size_t at, size_t n)
{
    static const sk_set_range zero = {0, 0};
    const sk_few_ways *what = job->what;
    const sk_range_test test = {.ranges = &zero, .count = 1, .mask = UINT64_C(1) << what->bit};
    return job->pick(&test, (const char *)what->in.keys + at * what->key_size, to->in + at * to->size, n,
                     &(sk_picked){.matching = sk_outflow_at(&to->flows[0]), .others = sk_outflow_at(&to->flows[1])});
}

static void move_masked(const ways_job *job, const column *to, size_t at, size_t n, const sk_digit_masks *found)
{
    for (size_t d = 0; d < ways_of(job); d++)
        if (found->count[d] > 0)
            job->kernels->compress->move(to->in + at * to->size, to->size, found->mask[d], n,
                                         sk_outflow_at(&to->flows[d]));
}

static void move_block(const ways_job *job, column *columns, unsigned count, size_t at, size_t n)
{
    sk_digit_masks found;
    if (job->pick == NULL)
        find_digits(job, at, n, &found);
    for (column *to = columns; to < columns + count; to++) {
        if (job->pick != NULL) {
            found.count[0] = pick_zeros(job, to, at, n);
            found.count[1] = n - found.count[0];
        } else {
            move_masked(job, to, at, n, &found);
        }
        for (size_t d = 0; d < ways_of(job); d++)
            sk_outflow_add(&to->flows[d], job->kernels, found.count[d] * to->size, job->stream);
    }
}

static void move_slice(const ways_job *job, sk_range slice, const size_t *cursor, char *memory)
{
    const sk_few_ways *what = job->what;
    const unsigned count = what->value_size > 0 ? 2 : 1;
    column columns[2];
    open_column(job, &columns[0], what->key_size, what->in.keys, what->out.keys, cursor, memory);
    memory += ways_of(job) * stage_bytes(job, what->key_size);
    if (count == 2)
        open_column(job, &columns[1], what->value_size, what->in.values, what->out.values, cursor, memory);
    for (size_t at = slice.begin, n; at < slice.end; at += n) {
        n = sk_min(job->each, slice.end - at);
        move_block(job, columns, count, at, n);
    }
    for (column *to = columns; to < columns + count; to++)
        for (size_t d = 0; d < ways_of(job); d++)
            sk_outflow_end(&to->flows[d], job->kernels);
}

static void split_slice(void *state, int thread, int team)
{
    const ways_job *job = state;
    const sk_range mine = sk_slice(job->what->n, thread, team);
    size_t *cursor = job->cursors + (size_t)thread * ways_of(job);
    count_slice(job, mine, cursor);
    sk_cpu_wait(team);
    if (thread == 0)
        sk_scan_cursors(job->cursors, ways_of(job), (size_t)team, ways_of(job), job->offsets);
    sk_cpu_wait(team);
    move_slice(job, mine, cursor, job->memory + (size_t)thread * thread_bytes(job));
}

/* ---- all ---- */

/* Elements of a block. */
static size_t each_of(size_t widest)
{
    const size_t each = BLOCK_BYTES / widest & ~(size_t)63;
    return each < 64 ? 64 : each;
}

/* True if kernels test the bit as they move: values follow the tests of their keys. */
static bool can_pick(const sk_few_ways *what)
{
    const bool alike = what->value_size == 0 || what->value_size == what->key_size;
    return what->flags == NULL && what->bits == 1 && what->key_size >= 4 && alike;
}

scankit_error sk_split_few_ways(sk_device *device, const sk_few_ways *what, size_t *offsets)
{
    const size_t keys = what->key_size, values = what->value_size;
    const size_t team = (size_t)sk_cpu_team_of(device, what->n, keys + values, keys + values);
    ways_job job = {.what = what, .kernels = sk_kernels_of(device), .offsets = offsets};
    if (can_pick(what))
        job.pick = job.kernels->pick(keys == 4 ? SK_STEP_WITHIN_32 : SK_STEP_WITHIN_64);
    job.each = each_of(keys > values ? keys : values);
    job.stream = what->n * (keys + values) >= SK_AROUND_CACHES_BYTES;
    job.cursors = sk_arena_take(&device->workspace, team * ways_of(&job) * sizeof *job.cursors);
    job.memory = sk_arena_take(&device->workspace, team * thread_bytes(&job));
    if (job.cursors == NULL || job.memory == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_together((int)team, split_slice, &job);
    return SCANKIT_OK;
}
