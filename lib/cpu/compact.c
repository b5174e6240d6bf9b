/* compact.c - what matches, moved together in a single pass: by one thread from block to block, by more over tiles
 * (tiles.h), each of which is evaluated and compressed into a buffer, and then written where the count of all tiles
 * before it says. */
#include "sieve.h"
#include "tiles.h"

typedef struct compact_job {
    const sk_selection *selection;
    const sk_kernels *kernels;
    sk_tiles tiles;
    char *memory; /* of the workers, one after the other */
    size_t total; /* of those that match before the tile whose turn it is */
} compact_job;

/* What one thread works with. */
typedef struct worker {
    sk_sieve sieve;
    sk_sieved staged; /* a tile's, until they are written; NULL where not wanted */
    size_t matched;   /* in the tile */
} worker;

static size_t bytes_staged(const compact_job *job, const worker *me, size_t n)
{
    size_t size = job->selection->element_size;
    return (me->staged.matching != NULL ? me->matched * size : 0) +
           (me->staged.others != NULL ? (n - me->matched) * size : 0) +
           (me->staged.positions != NULL ? me->matched * sizeof(uint64_t) : 0);
}

/* next: the tile to be read then. */
static void write_tile(const compact_job *job, const worker *me, sk_range tile, size_t before, sk_range next)
{
    const sk_selection *what = job->selection;
    const sk_tiles *tiles = &job->tiles;
    size_t size = what->element_size, n = tile.end - tile.begin, matched = me->matched;
    const char *in = what->in != NULL ? (const char *)what->in + next.begin * size : NULL;
    sk_ahead ahead = sk_ahead_of(in, (next.end - next.begin) * size, bytes_staged(job, me, n));
    /* Nothing moves where all match so far, in place. */
    if (what->matching != what->in || before < tile.begin || matched < n)
        sk_write_staged(tiles, job->kernels, what->matching, size, before, me->staged.matching, matched, &ahead);
    sk_write_staged(tiles, job->kernels, what->others, size, tile.begin - before, me->staged.others, n - matched,
                    &ahead);
    sk_write_staged(tiles, job->kernels, what->positions, 8, before, me->staged.positions, matched, &ahead);
}

/* The next tile is known, and on its way from memory, before one is written. */
static void compact_tiles(compact_job *job, worker *me)
{
    size_t number, next_number;
    sk_range tile, next = {0};
    for (bool more = sk_take_tile(&job->tiles, &number, &tile); more; tile = next, number = next_number) {
        me->matched = sk_sieve_elements(&me->sieve, tile.begin, tile.end - tile.begin, me->staged);
        sk_wait_for_turn(&job->tiles.turn, number);
        size_t before = job->total;
        job->total = before + me->matched;
        sk_pass_turn(&job->tiles.turn, number);
        more = sk_take_tile(&job->tiles, &next_number, &next);
        write_tile(job, me, tile, before, more ? next : (sk_range){0, 0});
    }
}

/* Memory of a thread: its sieve, and a tile of each output. */
static size_t worker_bytes(const compact_job *job)
{
    const sk_selection *what = job->selection;
    const sk_tiles *tiles = &job->tiles;
    size_t size = what->element_size;
    return sk_sieve_bytes(what, tiles->each) + sk_staged_bytes(tiles, what->matching != NULL, size) +
           sk_staged_bytes(tiles, what->others != NULL, size) + sk_staged_bytes(tiles, what->positions != NULL, 8);
}

static void worker_open(const compact_job *job, worker *me, char *memory)
{
    const sk_selection *what = job->selection;
    const sk_tiles *tiles = &job->tiles;
    sk_sieve_open(&me->sieve, job->kernels, what, tiles->each, memory);
    memory += sk_sieve_bytes(what, tiles->each);
    me->staged.matching = sk_stage(tiles, what->matching != NULL, what->element_size, &memory);
    me->staged.others = sk_stage(tiles, what->others != NULL, what->element_size, &memory);
    me->staged.positions = sk_stage(tiles, what->positions != NULL, 8, &memory);
}

/* Bytes that an element costs: to be read, and to be held. */
static size_t traffic_of(const sk_selection *what)
{
    size_t size = what->element_size, bytes = what->program == NULL ? 1 : 0;
    if (what->program != NULL || what->matching != NULL || what->others != NULL)
        bytes += size;
    return bytes + (what->matching != NULL ? size : 0) + (what->others != NULL ? size : 0) +
           (what->positions != NULL ? 8 : 0);
}

static void compact_by_worker(void *state, int thread, int team)
{
    compact_job *job = state;
    worker me;
    (void)team;
    worker_open(job, &me, job->memory + (size_t)thread * worker_bytes(job));
    compact_tiles(job, &me);
}

static scankit_error compact_by_tiles(sk_device *device, const sk_selection *selection, size_t *count)
{
    size_t traffic = traffic_of(selection);
    compact_job job = {
        .selection = selection, .kernels = sk_kernels_of(device), .tiles = sk_tiles_of(selection->n, traffic)};
    int team = sk_cpu_team_of(device, selection->n, selection->element_size, traffic);
    if (team == 1)
        return sk_compact_alone(device, selection, job.tiles.stream, count);
    size_t mark = sk_arena_mark(&device->workspace);
    job.memory = sk_arena_take(&device->workspace, (size_t)team * worker_bytes(&job));
    if (job.memory == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_together(team, compact_by_worker, &job);
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
