/* spread.c - distribution of keys alone by a digit, by any number of threads, not stable and without a count before:
 * each key is read once and written once. Threads take chunks of the input as they come. Each gathers keys of a digit
 * in a line, and writes full lines one after the other to the chunks of the workspace that have the numbers of those it
 * read. (It has always read at least as many keys as it writes.) A list of all blocks by digit then says where a
 * bucket's keys are, and whoever sorts a bucket fetches its blocks. */
#include "cpu/cpu.h"

#include <stdatomic.h>

#define CHUNKS_A_THREAD 16
#define FREE UINT32_MAX /* the digit of a block that was not written */
#define AHEAD 16        /* blocks that come nearer while one is fetched */

/* Bytes of a chunk. What a thread has in its lines is less. */
static size_t chunk_bytes(int team, size_t digits, size_t bytes)
{
    size_t least = digits * SK_LINE, even = (bytes / ((size_t)team * CHUNKS_A_THREAD) / SK_LINE + 1) * SK_LINE;
    return even > least ? even : least;
}

bool sk_spread_open(sk_device *device, sk_shape shape, size_t n, const sk_partition *partition, sk_spread *spread)
{
    size_t bytes = n * shape.key_size, blocks = bytes / SK_LINE + 1;
    size_t chunks = (size_t)sk_cpu_team(device, bytes) * CHUNKS_A_THREAD;
    sk_arena *arena = &device->workspace;
    *spread = (sk_spread){.digits = partition->digits, .key_size = shape.key_size};
    spread->lines = partition->lines;
    spread->counts = partition->counts;
    spread->first = sk_arena_take(arena, (spread->digits + 1) * sizeof *spread->first);
    spread->digit = sk_arena_take(arena, blocks * sizeof *spread->digit);
    spread->order = sk_arena_take(arena, blocks * sizeof *spread->order);
    spread->owner = sk_arena_take(arena, chunks * sizeof *spread->owner);
    return spread->first != NULL && spread->digit != NULL && spread->order != NULL && spread->owner != NULL;
}

typedef struct spread_job {
    sk_spread *spread;
    const sk_partition_kernels *kernels;
    const sk_digits *digits;
    const char *in;
    size_t bytes, chunk; /* of all keys, and of a chunk */
    size_t *offsets;
    _Alignas(64) atomic_size_t next; /* chunk to take */
} spread_job;

static size_t *counts_of(const sk_spread *spread, int thread)
{
    return spread->counts + (size_t)thread * spread->digits;
}

static char *lines_of(const sk_spread *spread, int thread)
{
    return spread->lines + (size_t)thread * spread->digits * SK_LINE;
}

/* The blocks of a chunk of the workspace. */
static sk_range blocks_of(const spread_job *job, size_t chunk)
{
    size_t each = job->chunk / SK_LINE;
    return (sk_range){chunk * each, sk_min((chunk + 1) * each, job->bytes / SK_LINE)};
}

static void write_chunk_next(const sk_spread *spread, sk_range blocks, sk_block_writer *writer)
{
    bool full = writer->next == writer->end;
    writer->beyond = spread->blocks + blocks.begin * SK_LINE;
    writer->beyond_end = spread->blocks + blocks.end * SK_LINE;
    writer->beyond_place = spread->digit + blocks.begin;
    if (full)
        sk_write_beyond(writer);
}

static void spread_chunks(spread_job *job, int thread)
{
    sk_spread *spread = job->spread;
    sk_block_writer writer = {.lines = lines_of(spread, thread), .counts = counts_of(spread, thread)};
    size_t chunk;
    while ((chunk = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) * job->chunk < job->bytes) {
        size_t begin = chunk * job->chunk, end = sk_min(begin + job->chunk, job->bytes);
        sk_range blocks = blocks_of(job, chunk);
        spread->owner[chunk] = (uint16_t)thread;
        memset(spread->digit + blocks.begin, 0xff, (blocks.end - blocks.begin) * sizeof *spread->digit);
        write_chunk_next(spread, blocks, &writer);
        job->kernels->gather(job->digits, job->in + begin, (end - begin) / spread->key_size, &writer);
    }
}

/* Where a thread's first block of each digit goes in the list. */
static void find_places(const spread_job *job, int thread, uint32_t *next)
{
    const sk_spread *spread = job->spread;
    const size_t digits = (size_t)job->digits->last + 1, each = SK_LINE / spread->key_size;
    uint32_t all[SK_DIGITS_MAX], sum = 0;
    memset(all, 0, digits * sizeof *all);
    memset(next, 0, digits * sizeof *next);
    for (int t = 0; t < spread->team; t++) {
        const size_t *counts = counts_of(spread, t);
        for (size_t d = 0; d < digits; d++)
            all[d] += (uint32_t)(counts[d] / each);
        for (size_t d = 0; t < thread && d < digits; d++)
            next[d] += (uint32_t)(counts[d] / each);
    }
    for (size_t d = 0; d < digits; d++) {
        next[d] += sum;
        if (thread == 0)
            spread->first[d] = sum;
        sum += all[d];
    }
    if (thread == 0)
        spread->first[digits] = sum;
}

static void find_offsets(const spread_job *job)
{
    size_t digits = (size_t)job->digits->last + 1, sum = 0;
    for (size_t d = 0; d < digits; d++) {
        job->offsets[d] = sum;
        for (int t = 0; t < job->spread->team; t++)
            sum += counts_of(job->spread, t)[d];
    }
    job->offsets[digits] = sum;
}

static void list_blocks(const spread_job *job, int thread)
{
    const sk_spread *spread = job->spread;
    uint32_t next[SK_DIGITS_MAX];
    find_places(job, thread, next);
    for (size_t chunk = 0; chunk * job->chunk < job->bytes; chunk++) {
        sk_range blocks = blocks_of(job, chunk);
        if (spread->owner[chunk] != thread)
            continue;
        for (size_t b = blocks.begin; b < blocks.end; b++)
            if (spread->digit[b] != FREE)
                spread->order[next[spread->digit[b]]++] = (uint32_t)b;
    }
}

static void spread_by_thread(void *state, int thread, int team)
{
    spread_job *job = state;
    memset(counts_of(job->spread, thread), 0, ((size_t)job->digits->last + 1) * sizeof(size_t));
    if (thread == 0)
        job->spread->team = team;
    spread_chunks(job, thread);
    sk_cpu_wait(team);
    list_blocks(job, thread);
    if (thread == team - 1)
        find_offsets(job);
}

void sk_spread_run(sk_device *device, sk_spread *spread, const sk_digits *digits, const void *in, void *area, size_t n,
                   size_t *offsets)
{
    size_t bytes = n * spread->key_size;
    int team = sk_cpu_team(device, bytes);
    spread_job job = {.spread = spread, .digits = digits, .in = in, .bytes = bytes, .offsets = offsets};
    job.kernels = &sk_kernels_of(device)->partition[sk_shape_row((sk_shape){spread->key_size, 0})];
    job.chunk = chunk_bytes(team, (size_t)digits->last + 1, bytes);
    atomic_init(&job.next, 0);
    spread->blocks = area;
    sk_cpu_together(team, spread_by_thread, &job);
}

static void will_fetch(const sk_spread *spread, size_t i)
{
    const char *block = spread->blocks + (size_t)spread->order[i] * SK_LINE;
    for (size_t at = 0; at < SK_LINE; at += 64)
        __builtin_prefetch(block + at, 0, 2);
}

size_t sk_spread_blocks(const sk_spread *spread, size_t digit)
{
    return spread->first[digit + 1] - spread->first[digit];
}

void sk_spread_fetch_blocks(const sk_spread *spread, size_t digit, sk_range blocks, void *to)
{
    size_t first = spread->first[digit] + blocks.begin, end = spread->first[digit] + blocks.end;
    char *out = (char *)to + blocks.begin * SK_LINE;
    for (size_t i = first; i < end && i < first + AHEAD; i++)
        will_fetch(spread, i);
    for (size_t i = first; i < end; i++, out += SK_LINE) {
        if (i + AHEAD < end)
            will_fetch(spread, i + AHEAD);
        memcpy(out, spread->blocks + (size_t)spread->order[i] * SK_LINE, SK_LINE);
    }
}

void sk_spread_fetch_rest(const sk_spread *spread, size_t digit, void *to)
{
    char *out = (char *)to + sk_spread_blocks(spread, digit) * SK_LINE;
    for (int t = 0; t < spread->team; t++) {
        size_t bytes = counts_of(spread, t)[digit] * spread->key_size % SK_LINE;
        memcpy(out, lines_of(spread, t) + digit * SK_LINE, bytes);
        out += bytes;
    }
}
