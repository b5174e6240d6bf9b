/* rle.c - runs of equal elements. Where they are reduced otherwise than to sums of integers (rle_staged.c), in a single
 * pass over tiles (tiles.h): of each tile, where runs begin, as masks; from these the first elements, the places of the
 * heads, and the reduced pieces between them. Between tiles go the number of runs so far and the reduction so far of
 * the run that is still open. A run is written by the tile that sees its end.
 *
 * A tile also reads the last element before it. In place, the tile before may have written by then, but not there: its
 * values end below that element unless all elements so far begin a run, and then it writes nothing. */
#include "reduce_short.h"
#include "tiles.h"

#define BLOCK ((size_t)512) /* elements whose masks are made before they are used */

/* What is passed from tile to tile. */
typedef struct rle_open {
    size_t runs;      /* that began so far; the last of them is open */
    uint64_t reduced; /* of its elements so far, of any type */
} rle_open;

typedef struct rle_job {
    const sk_runs *what;
    const sk_kernels *kernels;
    sk_reducer by;
    sk_tiles tiles;
    char *memory; /* of the workers, one after the other */
    rle_open open;
} rle_job;

/* What one thread works with: of a tile, until it is written. */
typedef struct worker {
    const char *next; /* elements to be read after this tile's */
    size_t next_bytes;
    size_t heads;
    char *values;     /* NULL where not wanted */
    uint32_t *places; /* of the heads, counted from the tile's begin, and the tile's end */
    char *reduced;    /* what lies before the first head, if anything, and then each run */
    rle_open before;  /* what is open before the tile */
} worker;

/* ---- of a tile ---- */

static void find_block(const rle_job *job, worker *me, size_t at, size_t done, size_t n, uint64_t *mask)
{
    const sk_runs *what = job->what;
    const char *in = (const char *)what->in + at * what->element_size;
    size_t heads = 1;
    if (at == 0)
        *mask = 1; /* the very first element, by itself: nothing is before it */
    else
        heads = job->kernels->runs->heads(what, in, n, mask);
    if (me->values != NULL)
        job->kernels->compress->move(in, what->element_size, mask, n, me->values + me->heads * what->element_size);
    job->kernels->compress->places(mask, n, (uint32_t)done, me->places + me->heads);
    me->heads += heads;
}

static void find_heads(const rle_job *job, worker *me, sk_range tile)
{
    uint64_t mask[BLOCK / 64];
    for (size_t at = tile.begin, n; at < tile.end; at += n) {
        n = at == 0 ? 1 : sk_min(BLOCK, tile.end - at);
        find_block(job, me, at, at - tile.begin, n, mask);
    }
    me->places[me->heads] = (uint32_t)(tile.end - tile.begin);
}

static void reduce_tile(const rle_job *job, worker *me, size_t begin)
{
    const char *in = (const char *)job->what->reduced_in + begin * job->by.fold->size;
    if (me->places[0] > 0)
        job->by.fold->reduce(in, me->places[0], me->reduced);
    sk_reduce_runs(&job->by, in, me->places, me->heads, me->reduced + job->by.fold->partial);
}

/* Joins the tile's first piece to the run that is open before it, and leaves open the tile's last one. */
static void join_reduced(const rle_job *job, const worker *me, rle_open *open)
{
    size_t size = job->by.fold->partial;
    if (open->runs > 0) {
        if (me->places[0] > 0)
            job->by.fold->combine(&open->reduced, me->reduced);
        memcpy(me->reduced, &open->reduced, size);
    }
    if (me->heads > 0)
        memcpy(&open->reduced, me->reduced + me->heads * size, size);
}

static void write_tile(const rle_job *job, const worker *me, sk_range tile)
{
    const sk_runs *what = job->what;
    size_t size = what->element_size, runs = me->before.runs, heads = me->heads;
    /* Nothing moves where all begin a run so far, in place. */
    bool moves =
        what->values != NULL && (what->values != what->in || runs < tile.begin || heads < tile.end - tile.begin);
    if (heads == 0)
        return;
    sk_ahead ahead = sk_ahead_of(me->next, me->next_bytes, heads * size);
    if (moves)
        sk_write_staged(&job->tiles, job->kernels, what->values, size, runs, me->values, heads, &ahead);
    size_t none = runs == 0; /* no run was open */
    char *partials = me->reduced + none * job->by.fold->partial;
    if (job->by.fold->partial != job->by.fold->size)
        job->by.fold->store(partials, heads - none, partials);
    sk_write_staged(&job->tiles, job->kernels, what->reduced, job->by.fold->size, runs + none - 1, partials,
                    heads - none, &ahead);
}

static void read_tile(rle_job *job, worker *me, size_t number, sk_range tile)
{
    me->heads = 0;
    find_heads(job, me, tile);
    reduce_tile(job, me, tile.begin);
    sk_wait_for_turn(&job->tiles.turn, number);
    me->before = job->open;
    job->open.runs += me->heads;
    join_reduced(job, me, &job->open);
    sk_pass_turn(&job->tiles.turn, number);
}

/* The next tile is known, and on its way from memory, before one is written. */
static void encode_tiles(rle_job *job, worker *me)
{
    size_t number, next_number;
    sk_range tile, next = {0};
    for (bool more = sk_take_tile(&job->tiles, &number, &tile); more; tile = next, number = next_number) {
        read_tile(job, me, number, tile);
        more = sk_take_tile(&job->tiles, &next_number, &next);
        me->next = (const char *)job->what->in + (more ? next.begin : tile.begin) * job->what->element_size;
        me->next_bytes = more ? (next.end - next.begin) * job->what->element_size : 0;
        write_tile(job, me, tile);
    }
}

/* ---- of an array ---- */

static size_t worker_bytes(const rle_job *job)
{
    const sk_tiles *tiles = &job->tiles;
    return sk_staged_bytes(tiles, job->what->values != NULL, job->what->element_size) +
           sk_staged_bytes(tiles, true, sizeof(uint32_t)) + sk_staged_bytes(tiles, true, job->by.fold->partial);
}

static void worker_open(const rle_job *job, worker *me, char *memory)
{
    const sk_tiles *tiles = &job->tiles;
    me->values = sk_stage(tiles, job->what->values != NULL, job->what->element_size, &memory);
    me->places = sk_stage(tiles, true, sizeof(uint32_t), &memory);
    me->reduced = memory;
}

/* Bytes that an element costs: to be read, and to be held. Where floats are reduced, tiles decide how they round: so it
 * is the same whether values are wanted or not. */
static size_t traffic_of(const sk_runs *what, const sk_fold *fold)
{
    size_t size = what->element_size;
    return size + (what->values != NULL || fold != NULL ? size : 0) + (what->counts != NULL || fold != NULL ? 4 : 0) +
           (fold != NULL ? 2 * fold->partial : 0);
}

/* The last run ends with the array. */
static void close_run(const rle_job *job)
{
    const rle_open *open = &job->open;
    job->by.fold->store(&open->reduced, 1, (char *)job->what->reduced + (open->runs - 1) * job->by.fold->size);
}

static void encode_by_worker(void *state, int thread, int team)
{
    rle_job *job = state;
    worker me = {0};
    (void)team;
    worker_open(job, &me, job->memory + (size_t)thread * worker_bytes(job));
    encode_tiles(job, &me);
}

static scankit_error reduce_by_tiles(sk_device *device, const sk_runs *what, int team, size_t traffic, size_t *count)
{
    rle_job job = {.what = what, .kernels = sk_kernels_of(device), .tiles = sk_tiles_of(what->n, traffic)};
    job.by = sk_reducer_of(job.kernels, what->type, what->op);
    size_t mark = sk_arena_mark(&device->workspace);
    job.memory = sk_arena_take(&device->workspace, (size_t)team * worker_bytes(&job));
    if (job.memory == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device)) {
        sk_cpu_together(team, encode_by_worker, &job);
        close_run(&job);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = job.open.runs;
    return SCANKIT_OK;
}

static scankit_error encode_by_tiles(sk_device *device, const sk_runs *what, const sk_fold *fold, size_t *count)
{
    size_t traffic = traffic_of(what, fold);
    int team = sk_team_of_tiles(device, what->n, what->element_size, traffic, what->values == what->in);
    if (fold == NULL || sk_kernels_of(device)->run_sums(what->type, what->op) != NULL)
        return sk_encode_runs_staged(device, what, team, what->n * traffic >= SK_AROUND_CACHES_BYTES, count);
    return reduce_by_tiles(device, what, team, traffic, count);
}

scankit_error sk_cpu_encode_runs(sk_device *device, const sk_runs *runs, size_t *count)
{
    const sk_fold *fold = NULL;
    if (runs->reduced != NULL) {
        fold = sk_kernels_of(device)->fold(runs->type, runs->op);
        if (fold == NULL)
            return SCANKIT_E_ARGUMENT;
    }
    sk_cpu_algorithm chosen = sk_choose_encode(runs->element_size);
    sk_cpu_ran(device, chosen);
    return chosen == SK_CPU_ELEMENT_WISE ? sk_encode_runs_long(device, runs, fold, count)
                                         : encode_by_tiles(device, runs, fold, count);
}
