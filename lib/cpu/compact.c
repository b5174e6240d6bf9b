/* compact.c - what matches, moved together in a single pass over tiles, a block at a time. A thread knows a tile's
 * place when all tiles before it have been read: from then on, outputs go to memory before the next block is read, and
 * until then they are staged (staged.h). One thread has a single tile.
 *
 * No tile writes past the elements that have been read, so an output may be the input. */
#include "sieve.h"
#include "staged.h"
#include "tiles.h"

#define BLOCK_BYTES ((size_t)4 << 10)   /* of elements: they and their outputs stay in the first cache */
#define CACHED_BYTES ((size_t)16 << 10) /* the same by several threads where all stays in the caches */
#define LONG_BYTES ((size_t)64 << 10)   /* the same of long elements */

typedef struct compact_job {
    const sk_selection *what;
    const sk_kernels *kernels;
    size_t block, slots; /* elements that are read together; such blocks of a tile, or 0 where its place is known */
    sk_tiles tiles;
    atomic_size_t *counts; /* by tile: one more than those that match; 0 until it has been read */
    char *memory;          /* of the workers, one after the other */
    size_t total;          /* by one thread */
} compact_job;

/* What one thread works with. */
typedef struct worker {
    const compact_job *job;
    sk_sieve sieve;
    sk_range tile;
    size_t matched; /* in the tile so far */
    sk_staged matching, others, positions;
    bool placed;
    size_t known, before; /* tiles, and how many match in them */
    char *memory;
} worker;

/* ---- a tile ---- */

static size_t room(const compact_job *job, size_t size)
{
    return sk_staged_room(job->slots, job->block * size);
}

static void open_output(const worker *me, sk_staged *to, const char *in, const void *out, size_t size, char **memory)
{
    const compact_job *job = me->job;
    sk_staged_open(to, in, job->slots, job->block * size, out != NULL ? *memory : NULL);
    *memory += out != NULL ? room(job, size) : 0;
}

static void open_tile(worker *me, sk_range tile)
{
    const sk_selection *what = me->job->what;
    const size_t size = what->element_size;
    const char *in = sk_offset(what->in, tile.begin * size);
    char *memory = me->memory;
    me->tile = tile;
    me->matched = 0;
    me->placed = false;
    open_output(me, &me->matching, in, what->matching, size, &memory);
    open_output(me, &me->others, in, what->others, size, &memory);
    open_output(me, &me->positions, in, what->positions, sizeof(uint64_t), &memory);
}

/* Nothing moves where all match so far, in place: the staged blocks of which this is so. */
static size_t blocks_there(const worker *me)
{
    const sk_selection *what = me->job->what;
    const size_t whole = me->job->block * what->element_size;
    size_t there = 0;
    if (what->matching == what->in && me->before == me->tile.begin)
        while (there < me->matching.filled && me->matching.bytes[there] == whole)
            there++;
    return there;
}

static void place_tile(worker *me)
{
    const compact_job *job = me->job;
    const sk_selection *what = job->what;
    const size_t size = what->element_size, before = me->before, others = me->tile.begin - before;
    const bool stream = job->tiles.stream;
    sk_staged_place(&me->matching, sk_behind(what->matching, before * size), blocks_there(me), job->kernels, stream);
    sk_staged_place(&me->others, sk_behind(what->others, others * size), 0, job->kernels, stream);
    sk_staged_place(&me->positions, sk_behind(what->positions, before * sizeof(uint64_t)), 0, job->kernels, stream);
    me->placed = true;
}

/* Places the tile if all before it have been read. */
static bool try_to_place(worker *me, size_t number)
{
    for (size_t count; me->known < number; me->known++, me->before += count - 1) {
        count = atomic_load_explicit(&me->job->counts[me->known], memory_order_acquire);
        if (count == 0)
            return false;
    }
    place_tile(me);
    return true;
}

static void read_block(worker *me, size_t begin, size_t n)
{
    const compact_job *job = me->job;
    const sk_selection *what = job->what;
    const size_t size = what->element_size;
    const bool stream = job->tiles.stream;
    const sk_sieved to = {sk_staged_at(&me->matching), sk_staged_at(&me->others), sk_staged_at(&me->positions)};
    size_t matched = sk_sieve_elements(&me->sieve, begin, n, to);
    if (me->placed && what->matching == what->in && me->before + me->matched == begin && matched == n)
        sk_outflow_skip(&me->matching.flow, n * size);
    else
        sk_staged_add(&me->matching, job->kernels, matched * size, stream);
    sk_staged_add(&me->others, job->kernels, (n - matched) * size, stream);
    sk_staged_add(&me->positions, job->kernels, matched * sizeof(uint64_t), stream);
    me->matched += matched;
}

static void end_tile(worker *me)
{
    const sk_kernels *kernels = me->job->kernels;
    sk_outflow_end(&me->matching.flow, kernels);
    sk_outflow_end(&me->others.flow, kernels);
    sk_outflow_end(&me->positions.flow, kernels);
}

static void read_tile(worker *me, size_t number)
{
    const size_t block = me->job->block;
    for (size_t begin = me->tile.begin, n; begin < me->tile.end; begin += n) {
        n = sk_min(block, me->tile.end - begin);
        if (!me->placed)
            (void)try_to_place(me, number);
        read_block(me, begin, n);
    }
}

/* ---- all tiles ---- */

static size_t worker_bytes(const compact_job *job)
{
    const sk_selection *what = job->what;
    return (what->matching != NULL ? room(job, what->element_size) : 0) +
           (what->others != NULL ? room(job, what->element_size) : 0) +
           (what->positions != NULL ? room(job, sizeof(uint64_t)) : 0) + SK_OUTFLOW_PAGE +
           ((sk_sieve_bytes(what, job->block) + 63) & ~(size_t)63);
}

static void open_worker(worker *me, const compact_job *job, int thread)
{
    const sk_selection *what = job->what;
    char *memory = job->memory + (size_t)thread * worker_bytes(job);
    me->job = job;
    me->known = me->before = 0;
    sk_sieve_open(&me->sieve, job->kernels, what, job->block, sk_outflow_apart(what->in, SK_OUTFLOW_APART, memory));
    me->memory = memory + SK_OUTFLOW_PAGE + ((sk_sieve_bytes(what, job->block) + 63) & ~(size_t)63);
}

static void compact_alone(compact_job *job)
{
    worker me;
    open_worker(&me, job, 0);
    open_tile(&me, (sk_range){0, job->what->n});
    place_tile(&me);
    read_tile(&me, 0);
    end_tile(&me);
    job->total = me.matched;
}

static void compact_by_worker(void *state, int thread, int team)
{
    compact_job *job = state;
    worker me;
    size_t number;
    sk_range tile;
    (void)team;
    open_worker(&me, job, thread);
    while (sk_take_tile(&job->tiles, &number, &tile)) {
        open_tile(&me, tile);
        read_tile(&me, number);
        atomic_store_explicit(&job->counts[number], me.matched + 1, memory_order_release);
        for (unsigned spins = 0; !me.placed && !try_to_place(&me, number); spins++)
            sk_before_next_look(spins);
        end_tile(&me);
    }
}

static size_t compact_together(compact_job *job, int team, size_t tiles)
{
    size_t total = 0;
    memset(job->counts, 0, tiles * sizeof *job->counts);
    sk_cpu_together(team, compact_by_worker, job);
    for (size_t i = 0; i < tiles; i++)
        total += job->counts[i] - 1;
    return total;
}

/* Bytes that an element costs: to be read, and to be held. */
static size_t bytes_read(const sk_selection *what)
{
    size_t flag = what->program == NULL ? 1 : 0;
    bool moves = what->matching != NULL || what->others != NULL;
    return flag + (what->program != NULL || moves ? what->element_size : 0);
}

static size_t bytes_held(const sk_selection *what)
{
    size_t size = what->element_size;
    return (what->matching != NULL ? size : 0) + (what->others != NULL ? size : 0) + (what->positions != NULL ? 8 : 0);
}

static size_t block_of(const sk_selection *what, bool cached)
{
    size_t size = what->element_size, bytes = cached ? CACHED_BYTES : BLOCK_BYTES;
    size_t block = size <= 8 ? bytes / size : sk_min(SK_STEP_VALUES, LONG_BYTES / size);
    return sk_min(block < 1 ? 1 : block < 64 ? block : block & ~(size_t)63, what->n);
}

static scankit_error compact_by_tiles(sk_device *device, const sk_selection *what, size_t *count)
{
    size_t traffic = bytes_read(what) + bytes_held(what), tiles = 1, mark = sk_arena_mark(&device->workspace);
    int team = sk_team_of_tiles(device, what->n, what->element_size, traffic, what->matching == what->in);
    compact_job job = {.what = what, .kernels = sk_kernels_of(device), .tiles = sk_tiles_of(what->n, traffic)};
    job.block = block_of(what, team > 1 && !job.tiles.stream);
    job.tiles.each = what->n;
    if (team > 1) {
        job.slots = sk_slots_of(what->n, job.block, bytes_held(what), team, job.tiles.stream);
        job.tiles.each = job.slots * job.block;
        tiles = (what->n + job.tiles.each - 1) / job.tiles.each;
    }
    job.memory = sk_arena_take(&device->workspace, (size_t)team * worker_bytes(&job));
    job.counts = sk_arena_take(&device->workspace, tiles * sizeof *job.counts);
    if (job.memory == NULL || job.counts == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device)) {
        if (team == 1)
            compact_alone(&job);
        else
            job.total = compact_together(&job, team, tiles);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = job.total;
    return SCANKIT_OK;
}

scankit_error sk_cpu_compact(sk_device *device, const sk_selection *selection, size_t *count)
{
    bool moves = selection->matching != NULL || selection->others != NULL;
    sk_cpu_algorithm chosen = sk_choose_compact(selection->element_size, moves);
    sk_cpu_ran(device, chosen);
    return chosen == SK_CPU_ELEMENT_WISE ? sk_compact_long(device, selection, count)
                                         : compact_by_tiles(device, selection, count);
}
