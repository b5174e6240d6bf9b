/* compact.c - what matches, moved together in a single pass: threads take tiles in order; each evaluates its tile and
 * compresses it into a buffer of its own, waits for the count of all tiles before it, passes the count on with its own,
 * and writes the buffer where it belongs. It writes when all tiles before it have been read, and only where they or it
 * lay: so the output may be the input. */
#include "cpu.h"
#include "turn.h"

#define TILE_BYTES ((size_t)256 << 10) /* read and written by a tile, which stay in L2 */
#define LONG_BYTES ((size_t)32 << 10)  /* elements that are not moved by tiles */
#define STREAM_BYTES ((size_t)8 << 20) /* more than this does not stay in the caches: it is written around them */

typedef struct compact_job {
    const sk_selection *selection;
    const sk_kernels *kernels;
    size_t tile; /* elements; a multiple of 64 where there are so many */
    bool stream;
    _Alignas(64) atomic_size_t next; /* tile to take */
    sk_turn turn;                    /* tile that may read and write `total` */
    size_t total;                    /* of those that match before that tile */
} compact_job;

/* What one thread works with. */
typedef struct worker {
    sk_evaluator evaluator;
    char *matching, *others, *positions; /* a tile's, until they are written; NULL where not wanted */
    uint64_t *numbers;                   /* a block's positions */
    size_t matched;                      /* in the tile so far */
} worker;

static void compress_block(const compact_job *job, worker *me, const char *in, size_t done, size_t begin, size_t n)
{
    const sk_selection *what = job->selection;
    const sk_compress_kernels *kernels = job->kernels->compress;
    const uint64_t first = what->first + begin;
    const uint8_t *flags = what->program != NULL ? sk_evaluate(&me->evaluator, in, first, n) : what->flags + begin;
    uint64_t mask[SK_STEP_VALUES / 64];
    if (me->others != NULL) {
        (void)kernels->masks(flags, n, !what->invert, mask);
        kernels->move(in, what->element_size, mask, n, me->others + (done - me->matched) * what->element_size);
    }
    size_t matched = kernels->masks(flags, n, what->invert, mask);
    if (me->matching != NULL)
        kernels->move(in, what->element_size, mask, n, me->matching + me->matched * what->element_size);
    if (me->positions != NULL) {
        job->kernels->steps->position(first, me->numbers, n);
        kernels->move(me->numbers, 8, mask, n, me->positions + me->matched * 8);
    }
    me->matched += matched;
}

static void compress_tile(const compact_job *job, worker *me, size_t begin, size_t n)
{
    const sk_selection *what = job->selection;
    me->matched = 0;
    for (size_t done = 0, some; done < n; done += some) {
        size_t size = what->element_size;
        const char *in = what->in != NULL ? (const char *)what->in + (begin + done) * size : NULL;
        some = sk_min(me->evaluator.block, n - done);
        compress_block(job, me, in, done, begin + done, some);
    }
}

static void write_out(const compact_job *job, void *out, size_t size, size_t place, const char *from, size_t n)
{
    if (from == NULL || n == 0)
        return;
    if (job->stream)
        job->kernels->compress->stream((char *)out + place * size, from, n * size);
    else
        memcpy((char *)out + place * size, from, n * size);
}

static void write_tile(const compact_job *job, const worker *me, size_t begin, size_t n, size_t before)
{
    const sk_selection *what = job->selection;
    size_t size = what->element_size, matched = me->matched;
    /* Nothing moves where all match so far, in place. */
    if (what->matching != what->in || before < begin || matched < n)
        write_out(job, what->matching, size, before, me->matching, matched);
    write_out(job, what->others, size, begin - before, me->others, n - matched);
    write_out(job, what->positions, 8, before, me->positions, matched);
}

static void compact_tiles(compact_job *job, worker *me)
{
    size_t all = job->selection->n, tile, begin;
    while ((tile = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed), begin = tile * job->tile) < all) {
        size_t n = sk_min(job->tile, all - begin);
        compress_tile(job, me, begin, n);
        sk_wait_for_turn(&job->turn, tile);
        size_t before = job->total;
        job->total = before + me->matched;
        sk_pass_turn(&job->turn, tile);
        write_tile(job, me, begin, n, before);
    }
}

/* Memory of a thread: its evaluator, and a tile of each output. */
static size_t staged_bytes(const compact_job *job, const void *out, size_t size)
{
    return out != NULL ? ((job->tile * size + SK_COMPRESS_SLACK) + 63) & ~(size_t)63 : 0;
}

static char *stage(const compact_job *job, const void *out, size_t size, char **memory)
{
    char *staged = out != NULL ? *memory : NULL;
    *memory += staged_bytes(job, out, size);
    return staged;
}

static size_t worker_bytes(const compact_job *job)
{
    const sk_selection *what = job->selection;
    size_t size = what->element_size, numbers = what->positions != NULL ? SK_STEP_VALUES * sizeof(uint64_t) : 0;
    return (what->program != NULL ? sk_evaluator_bytes(what->program, job->tile) : 0) + numbers +
           staged_bytes(job, what->matching, size) + staged_bytes(job, what->others, size) +
           staged_bytes(job, what->positions, 8);
}

static void worker_open(const compact_job *job, worker *me, char *memory)
{
    const sk_selection *what = job->selection;
    *me = (worker){.evaluator.block = SK_STEP_VALUES};
    if (what->program != NULL) {
        sk_evaluator_open(&me->evaluator, job->kernels, what->program, job->tile, memory);
        memory += sk_evaluator_bytes(what->program, job->tile);
    }
    if (what->positions != NULL) {
        me->numbers = (uint64_t *)(void *)memory;
        memory += SK_STEP_VALUES * sizeof(uint64_t);
    }
    me->matching = stage(job, what->matching, what->element_size, &memory);
    me->others = stage(job, what->others, what->element_size, &memory);
    me->positions = stage(job, what->positions, 8, &memory);
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

static scankit_error compact_by_tiles(sk_device *device, const sk_selection *selection, size_t *count)
{
    size_t n = selection->n, traffic = traffic_of(selection), tile = TILE_BYTES / traffic;
    tile = tile < 1 ? 1 : tile < 64 ? tile : tile & ~(size_t)63;
    compact_job job = {.selection = selection,
                       .kernels = sk_kernels_of(device),
                       .tile = sk_min(tile, n),
                       .stream = n * traffic >= STREAM_BYTES};
    int team = sk_cpu_team(device, n * traffic);
    size_t mark = sk_arena_mark(&device->workspace), each = worker_bytes(&job);
    char *memory = sk_arena_take(&device->workspace, (size_t)team * each);
    if (memory == NULL)
        return SCANKIT_E_MEMORY;
#pragma omp parallel num_threads(team)
    {
        worker me;
        worker_open(&job, &me, memory + (size_t)omp_get_thread_num() * each);
        compact_tiles(&job, &me);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = job.total;
    return SCANKIT_OK;
}

scankit_error sk_cpu_compact(sk_device *device, const sk_selection *selection, size_t *count)
{
    bool moves = selection->matching != NULL || selection->others != NULL;
    device->algorithm = "single-pass";
    return moves && selection->element_size >= LONG_BYTES ? sk_compact_long(device, selection, count)
                                                          : compact_by_tiles(device, selection, count);
}
