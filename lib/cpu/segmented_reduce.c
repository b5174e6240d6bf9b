/* segmented_reduce.c - elements and ends of segments are dealt together, so that it does not matter how long segments
 * are: their merge path (element i stands before the end of a segment where i is less than that) is cut into tiles of
 * one length. Threads take tiles in order: each reduces the segments that end in its tile and what is left open behind
 * them, waits for what is open before the tile, and passes on what is open after it. Tiles depend on the offsets alone:
 * so results, also of floats, are the same bits for any number of threads.
 * After Merrill and Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication, 2016. */
#include "reduce_short.h"
#include "turn.h"

#define TILE_BYTES ((size_t)256 << 10) /* of elements of 4 bytes and more, where no segment ends */

typedef struct segments_job {
    sk_reducer by;
    const char *in;
    const uint64_t *offsets;
    char *results;
    size_t segments;
    size_t path, each;               /* steps: of all, and of a tile */
    _Alignas(64) atomic_size_t next; /* tile to take */
    sk_turn turn;                    /* tile that may read and write `open` */
    uint64_t open;                   /* what elements before that tile come to, of a segment that has not ended */
} segments_job;

/* A place on the path: elements and ends of segments before it. */
typedef struct path_place {
    size_t elements, ends;
} path_place;

/* A tile, of which the first segment may have begun before it, and the last may go on behind it. */
typedef struct segments_tile {
    path_place begin, end;
    bool joins; /* the first segment's elements before the tile are missing */
    bool has_first, has_open;
    uint64_t first, open; /* of a first segment that joins and ends, and of the last: its elements in the tile */
} segments_tile;

/* Elements before a segment. */
static size_t begin_of(const segments_job *job, size_t segment)
{
    return job->offsets[segment] - job->offsets[0];
}

/* The end of segment s is step begin_of(s + 1) + s. `least` to `most` ends are before the place. */
static path_place find_place(const segments_job *job, size_t steps, size_t least, size_t most)
{
    while (least < most) {
        size_t middle = least + (most - least) / 2;
        if (begin_of(job, middle + 1) + middle < steps)
            least = middle + 1;
        else
            most = middle;
    }
    return (path_place){steps - least, least};
}

/* False where there are no elements. */
static bool reduce_elements(const segments_job *job, size_t begin, size_t end, uint64_t *result)
{
    if (begin < end)
        job->by.fold->reduce(job->in + (job->offsets[0] + begin) * job->by.fold->size, end - begin, result);
    return begin < end;
}

static void reduce_tile(const segments_job *job, segments_tile *tile)
{
    size_t segment = tile->begin.ends, at = tile->begin.elements, size = job->by.fold->size;
    tile->joins = begin_of(job, segment) < at;
    tile->has_first = false;
    if (segment < tile->end.ends) {
        if (tile->joins)
            tile->has_first = reduce_elements(job, at, begin_of(job, ++segment), &tile->first);
        sk_reduce_segments(&job->by, job->in, job->offsets + segment, tile->end.ends - segment,
                           job->results + segment * size);
        at = begin_of(job, tile->end.ends);
    }
    tile->has_open = reduce_elements(job, at, tile->end.elements, &tile->open);
}

static void join_tile(segments_job *job, const segments_tile *tile)
{
    size_t segment = tile->begin.ends;
    if (segment < tile->end.ends) {
        if (tile->has_first)
            job->by.fold->combine(&job->open, &tile->first);
        if (tile->joins)
            job->by.fold->store(&job->open, 1, job->results + segment * job->by.fold->size);
        job->open = tile->open;
    } else if (tile->joins) {
        job->by.fold->combine(&job->open, &tile->open);
    } else {
        job->open = tile->open;
    }
}

static void reduce_tiles(void *state, int thread, int team)
{
    segments_job *job = state;
    size_t number, steps, segments = job->segments;
    (void)thread, (void)team;
    while ((number = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed), steps = number * job->each) <
           job->path) {
        segments_tile tile = {0};
        tile.begin = find_place(job, steps, 0, segments);
        tile.end = find_place(job, sk_min(steps + job->each, job->path), tile.begin.ends,
                              sk_min(tile.begin.ends + job->each, segments));
        reduce_tile(job, &tile);
        sk_wait_for_turn(&job->turn, number);
        join_tile(job, &tile);
        sk_pass_turn(&job->turn, number);
    }
}

scankit_error sk_cpu_segmented_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                      const uint64_t *offsets, void *results, size_t segments)
{
    segments_job job = {.by = sk_reducer_of(sk_kernels_of(device), type, op), .in = in, .offsets = offsets};
    job.results = results;
    job.segments = segments;
    if (job.by.fold == NULL)
        return SCANKIT_E_ARGUMENT;
    if (sk_rehearses(device))
        return SCANKIT_OK;
    size_t size = job.by.fold->size, n = begin_of(&job, segments);
    job.path = n + segments;
    job.each = TILE_BYTES / (size < 4 ? 4 : size);
    sk_cpu_ran(device, SK_CPU_MERGE_PATH);
    int team = sk_cpu_team(device, n * size + segments * (sizeof *offsets + size));
    sk_cpu_together(job.path < SK_FEW_ELEMENTS ? 1 : team, reduce_tiles, &job);
    return SCANKIT_OK;
}
