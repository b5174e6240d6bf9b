/* rle_staged.c - runs in a single pass over tiles, a block at a time, as compact.c moves what matches: a thread knows
 * where a tile's runs go when all tiles before it have been read, and until then outputs are staged (staged.h). Sums of
 * runs come in the same pass (kernel/run_sums.c). One thread has a single tile.
 *
 * Between tiles go the number of runs and the run that is still open: where it began, and its sum so far. A run is
 * written by the tile that sees its end.
 *
 * A block also reads the last element before it. In place, earlier blocks may have been written by then, but not there:
 * their values end below that element unless all elements so far begin a run, and then nothing is written. */
#include "staged.h"
#include "tiles.h"

/* Bytes of elements that are read before outputs are written. With 1, 2, 4 and 8 KiB, a Zen 4 encodes distinct u32 at
 * 2.1, 2.2, 2.0 and 1.7 billion a second. */
#define BLOCK_BYTES ((size_t)2 << 10)
#define CACHED_BYTES ((size_t)8 << 10) /* the same where outputs stay in the caches */
#define LONG_BYTES ((size_t)64 << 10)  /* the same of long elements */
#define LONG_RUN 160                   /* elements: see kernel/heads.c */
#define PLACES_APART ((size_t)0)       /* at 3072 and 3584, 1.5 and 1.2 */

/* What is known of the runs at some place. */
typedef struct rle_open {
    size_t runs;      /* that began so far; the last of them is open */
    size_t begin;     /* of the open one */
    uint64_t reduced; /* of its elements so far, of any type */
} rle_open;

/* What a tile adds to that. */
typedef struct rle_end {
    atomic_size_t heads; /* one more than runs that begin in it; 0 until it has been read */
    bool whole;          /* reduced also has the elements of the open run before the tile */
    size_t begin;
    uint64_t reduced;
} rle_end;

typedef struct rle_job {
    const sk_runs *what;
    const sk_kernels *kernels;
    const sk_run_sums *by; /* NULL where nothing is reduced */
    const sk_fold *fold;
    size_t size;         /* of a sum */
    size_t block, slots; /* elements that are read together; such blocks of a tile, or 0 for one thread */
    size_t count;        /* tiles */
    sk_tiles tiles;
    rle_end *ends; /* by tile */
    char *memory;  /* of the workers, one after the other */
} rle_job;

/* What one thread works with. */
typedef struct worker {
    const rle_job *job;
    char *memory;
    uint32_t *places; /* of a block's heads; NULL where counts are not wanted */
    char *sums;       /* before the run that is open, and then before each that begins in a block */
    sk_range tile;
    size_t heads;   /* in the tile so far */
    size_t begin;   /* of the last of them, or of the open run where the tile is placed */
    uint64_t total; /* of the tile's elements so far, and of the open run where the tile was placed without a head */
    bool long_runs; /* of the block before */
    bool placed;
    rle_open before; /* what is open before the tile, when it is placed */
    size_t known;    /* tiles before */
    sk_staged values, counts, reduced;
    char *first_count,
        *first_reduced; /* staged; of the run that is open before the tile; NULL if it does not end there */
} worker;

/* ---- what is open ---- */

static void go_on(const rle_job *job, rle_open *open, const rle_end *end, size_t heads)
{
    open->runs += heads;
    if (heads > 0)
        open->begin = end->begin;
    if (job->by == NULL)
        return;
    if (end->whole)
        open->reduced = end->reduced;
    else
        job->fold->combine(&open->reduced, &end->reduced);
}

/* The last run ends with the array. */
static size_t close_run(const rle_job *job)
{
    const sk_runs *what = job->what;
    rle_open open = {0};
    for (size_t i = 0; i < job->count; i++)
        go_on(job, &open, &job->ends[i], job->ends[i].heads - 1);
    if (what->counts != NULL)
        what->counts[open.runs - 1] = what->n - open.begin;
    if (what->reduced != NULL)
        memcpy((char *)what->reduced + (open.runs - 1) * job->size, &open.reduced, job->size);
    return open.runs;
}

/* ---- a tile ---- */

static size_t places_bytes(const rle_job *job)
{
    return job->what->counts != NULL ? SK_OUTFLOW_PAGE + job->block * sizeof(uint32_t) + SK_COMPRESS_SLACK : 0;
}

static size_t sums_bytes(const rle_job *job)
{
    return job->by != NULL ? SK_OUTFLOW_PAGE + (job->block + 1) * job->size + SK_COMPRESS_SLACK : 0;
}

static size_t room(const rle_job *job, const void *out, size_t size)
{
    return out != NULL ? sk_staged_room(job->slots, job->block * size) : 0;
}

static size_t worker_bytes(const rle_job *job)
{
    const sk_runs *what = job->what;
    size_t bytes = room(job, what->values, what->element_size) + room(job, what->counts, sizeof *what->counts) +
                   room(job, what->reduced, job->size) + places_bytes(job) + sums_bytes(job);
    return (bytes + 63) & ~(size_t)63;
}

/* Memory for something of a block, so far from what is read meanwhile. */
static char *take(char **memory, const void *in, size_t bytes)
{
    char *taken = bytes > 0 ? sk_outflow_apart(in, PLACES_APART, *memory) : NULL;
    *memory += bytes;
    return taken;
}

static void open_output(const rle_job *job, sk_staged *to, const char *in, const void *out, size_t size, char **memory)
{
    sk_staged_open(to, in, job->slots, job->block * size, out != NULL ? *memory : NULL);
    *memory += room(job, out, size);
}

static void open_tile(worker *me, sk_range tile)
{
    const rle_job *job = me->job;
    const sk_runs *what = job->what;
    const char *in = (const char *)what->in + tile.begin * what->element_size;
    char *memory = me->memory;
    me->tile = tile;
    me->heads = me->begin = 0;
    me->total = 0;
    me->placed = false;
    me->first_count = me->first_reduced = NULL;
    open_output(job, &me->values, in, what->values, what->element_size, &memory);
    open_output(job, &me->counts, in, what->counts, sizeof *what->counts, &memory);
    open_output(job, &me->reduced, in, what->reduced, job->size, &memory);
    me->places = (uint32_t *)(void *)take(&memory, in, places_bytes(job));
    me->sums = take(&memory, sk_offset(what->reduced_in, tile.begin * job->size), sums_bytes(job));
    if (me->sums != NULL)
        memset(me->sums, 0, job->size);
}

/* Nothing moves where all begin a run so far, in place: the staged blocks of which this is so. */
static size_t blocks_there(const worker *me)
{
    const sk_runs *what = me->job->what;
    size_t there = 0;
    if (what->values == what->in && me->before.runs == me->tile.begin)
        while (there < me->values.filled && me->values.bytes[there] == me->values.pitch)
            there++;
    return there;
}

/* Adds what is known now to the run that is open before the tile. */
static void join_open(worker *me)
{
    const rle_job *job = me->job;
    uint64_t sum = me->before.reduced, count;
    if (me->first_count != NULL) {
        memcpy(&count, me->first_count, sizeof count);
        count -= me->before.begin;
        memcpy(me->first_count, &count, sizeof count);
    }
    if (me->heads == 0)
        me->begin = me->before.begin;
    if (job->by == NULL)
        return;
    if (me->first_reduced != NULL) {
        job->fold->combine(&sum, me->first_reduced);
        memcpy(me->first_reduced, &sum, job->size);
    } else if (me->heads == 0) {
        job->fold->combine(&sum, &me->total);
        me->total = sum;
    }
}

static void place_tile(worker *me)
{
    const rle_job *job = me->job;
    const sk_runs *what = job->what;
    const bool stream = job->tiles.stream;
    const size_t runs = me->before.runs, ended = runs > 0 ? runs - 1 : 0;
    join_open(me);
    sk_staged_place(&me->values, sk_behind(what->values, runs * what->element_size), blocks_there(me), job->kernels,
                    stream);
    sk_staged_place(&me->counts, sk_behind(what->counts, ended * sizeof *what->counts), 0, job->kernels, stream);
    sk_staged_place(&me->reduced, sk_behind(what->reduced, ended * job->size), 0, job->kernels, stream);
    me->placed = true;
}

/* Places the tile if all before it have been read. */
static bool try_to_place(worker *me, size_t number)
{
    for (size_t heads; me->known < number; me->known++) {
        const rle_end *end = &me->job->ends[me->known];
        heads = atomic_load_explicit(&end->heads, memory_order_acquire);
        if (heads == 0)
            return false;
        go_on(me->job, &me->before, end, heads - 1);
    }
    place_tile(me);
    return true;
}

/* Counts of the runs that end in a block with heads. */
static void add_counts(worker *me, size_t at, size_t heads)
{
    const rle_job *job = me->job;
    char *to = sk_staged_at(&me->counts);
    uint64_t *counts = (uint64_t *)(void *)to;
    if (!me->placed && me->heads == 0)
        me->first_count = to;
    counts[0] = at + me->places[0] - me->begin;
    job->kernels->runs->lengths(me->places, heads - 1, counts + 1);
    me->begin = at + me->places[heads - 1];
}

/* The first elements of a block's runs. */
static void add_values(worker *me, size_t at, size_t n, size_t heads)
{
    const rle_job *job = me->job;
    const sk_runs *what = job->what;
    /* Nothing moves where all begin a run so far, in place. */
    if (me->placed && what->values == what->in && me->before.runs + me->heads == at && heads == n)
        sk_outflow_skip(&me->values.flow, n * what->element_size);
    else
        sk_staged_add(&me->values, job->kernels, heads * what->element_size, job->tiles.stream);
}

static size_t reduce_block(worker *me, size_t at, size_t n)
{
    const rle_job *job = me->job;
    const sk_runs *what = job->what;
    const size_t size = job->size;
    const char *in = (const char *)what->in + at * what->element_size, *summed = (const char *)what->reduced_in;
    char *to = sk_staged_at(&me->reduced);
    size_t heads =
        job->by->pick(what, in, summed + at * size, n, sk_staged_at(&me->values), &me->total, me->sums + size);
    job->by->differences(me->sums, heads, to);
    memcpy(me->sums, me->sums + heads * size, size);
    if (!me->placed && me->heads == 0 && heads > 0)
        me->first_reduced = to;
    return heads;
}

static void encode_block(worker *me, size_t at, size_t n)
{
    const rle_job *job = me->job;
    const sk_runs *what = job->what;
    const char *in = (const char *)what->in + at * what->element_size;
    const bool stream = job->tiles.stream;
    size_t heads = job->by != NULL
                       ? reduce_block(me, at, n)
                       : job->kernels->pick_heads(what, in, n, me->long_runs, sk_staged_at(&me->values), me->places);
    if (what->counts != NULL && heads > 0)
        add_counts(me, at, heads);
    add_values(me, at, n, heads);
    sk_staged_add(&me->counts, job->kernels, heads * sizeof *what->counts, stream);
    sk_staged_add(&me->reduced, job->kernels, heads * job->size, stream);
    me->heads += heads;
    me->long_runs = heads < n / LONG_RUN;
}

/* The very first element begins a run: nothing is before it. */
static void encode_first(worker *me)
{
    const rle_job *job = me->job;
    const sk_runs *what = job->what;
    place_tile(me);
    if (what->values != NULL)
        memcpy(sk_staged_at(&me->values), what->in, what->element_size);
    add_values(me, 0, 1, 1);
    if (job->by != NULL)
        memcpy(&me->total, what->reduced_in, job->size);
    me->heads = 1;
}

static void end_tile(worker *me)
{
    const sk_kernels *kernels = me->job->kernels;
    sk_outflow_end(&me->values.flow, kernels);
    sk_outflow_end(&me->counts.flow, kernels);
    sk_outflow_end(&me->reduced.flow, kernels);
}

/* ---- all tiles ---- */

static void publish(const worker *me, rle_end *end)
{
    const rle_job *job = me->job;
    end->whole = me->placed || me->heads > 0;
    end->begin = me->begin;
    if (job->by != NULL) {
        memcpy(me->sums + job->size, &me->total, job->size);
        job->by->differences(me->sums, 1, &end->reduced);
    }
    atomic_store_explicit(&end->heads, me->heads + 1, memory_order_release);
}

static void encode_tile(worker *me, size_t number, sk_range tile)
{
    const rle_job *job = me->job;
    open_tile(me, tile);
    if (number == 0)
        encode_first(me);
    for (size_t at = tile.begin + me->heads, end; at < tile.end; at = end) {
        end = sk_min((at / job->block + 1) * job->block, tile.end);
        if (!me->placed)
            (void)try_to_place(me, number);
        encode_block(me, at, end - at);
    }
    publish(me, &job->ends[number]);
    for (unsigned spins = 0; !me->placed && !try_to_place(me, number); spins++)
        sk_before_next_look(spins);
    end_tile(me);
}

static void encode_by_worker(void *state, int thread, int team)
{
    rle_job *job = state;
    worker me;
    size_t number;
    sk_range tile;
    (void)team;
    me.job = job;
    me.memory = job->memory + (size_t)thread * worker_bytes(job);
    me.before = (rle_open){0};
    me.known = 0;
    me.long_runs = false;
    while (sk_take_tile(&job->tiles, &number, &tile))
        encode_tile(&me, number, tile);
}

/* Elements of a block. Its outputs stay in the first cache, unless elements are long. */
static size_t block_of(const sk_runs *what, bool stream)
{
    size_t size = what->element_size, block = (size <= 8 ? stream ? BLOCK_BYTES : CACHED_BYTES : LONG_BYTES) / size;
    return block < 64 ? block : sk_min(block, SK_HEADS_MOST) & ~(size_t)63;
}

scankit_error sk_encode_runs_staged(sk_device *device, const sk_runs *what, int team, bool stream, size_t *count)
{
    size_t mark = sk_arena_mark(&device->workspace);
    rle_job job = {.what = what, .kernels = sk_kernels_of(device), .block = block_of(what, stream), .count = 1};
    if (what->reduced != NULL) {
        job.by = job.kernels->run_sums(what->type, what->op);
        job.fold = job.kernels->fold(what->type, what->op);
        job.size = job.fold->size;
    }
    job.tiles = (sk_tiles){.n = what->n, .each = what->n, .stream = stream};
    if (team > 1) {
        size_t held =
            (what->values != NULL ? what->element_size : 0) + (what->counts != NULL ? sizeof *what->counts : 0);
        job.slots = sk_slots_of(what->n, job.block, held + job.size, team, stream);
        job.tiles.each = job.slots * job.block;
        job.count = (what->n + job.tiles.each - 1) / job.tiles.each;
    }
    job.memory = sk_arena_take(&device->workspace, (size_t)team * worker_bytes(&job));
    job.ends = sk_arena_take(&device->workspace, job.count * sizeof *job.ends);
    if (job.memory == NULL || job.ends == NULL)
        return SCANKIT_E_MEMORY;
    size_t runs = 0;
    if (!sk_rehearses(device)) {
        memset(job.ends, 0, job.count * sizeof *job.ends);
        sk_cpu_together(team, encode_by_worker, &job);
        runs = close_run(&job);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = runs;
    return SCANKIT_OK;
}
