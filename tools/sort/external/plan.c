/* plan.c - see plan.h. */
#include "plan.h"

#include <sys/resource.h>

#include "formation.h"
#include "merging.h"

#define DEVICE_BYTES ((uint64_t)64 << 20)

/* The least for chunks, however small --buffer-size is. */
#define LEAST_BYTES ((uint64_t)256 << 10)

/* Chunks if runs may stay in memory: the smaller they are, the less memory is in flight. */
#define CHUNKS_OF_RESIDENTS 16

/* Larger chunks gain nothing. With smaller ones, more of the work overlaps reading. */
#define CHUNK_MOST_BYTES ((uint64_t)256 << 20)

/* A part of a range that is read at once. Less is slow on a disk. */
#define PART_BYTES ((uint64_t)256 << 10)
#define PART_LEAST_BYTES ((uint64_t)64 << 10)
#define RANGE_BYTES ((uint64_t)64 << 20)

#define HUGE_PAGE ((uint64_t)2 << 20)
#define FAN_IN_LEAST 8
#define DESCRIPTORS_APART 64 /* not for runs */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t less(uint64_t from, uint64_t take, uint64_t at_least)
{
    return from > take + at_least ? from - take : at_least;
}

/* Buffers are rounded up to huge pages. Items of one that is a little smaller than this many. */
static uint64_t whole_pages(uint64_t items, uint64_t size)
{
    uint64_t bytes = items * size;
    return bytes < 2 * HUGE_PAGE ? items : bytes / HUGE_PAGE * HUGE_PAGE / size;
}

/* Sets how many chunks of how many items. */
static void divide(struct plan *plan, const struct worker *worker, size_t chunks, uint64_t most)
{
    bool host = scankit_is_host(worker->context);
    uint64_t size = worker->items->size, work = worker_sort_bytes(worker);
    uint64_t chunk = least(plan->memory / (chunks * size + (host ? work : 0)), most);
    if (!host)
        chunk = least(chunk, plan->device / (work + size)); /* the best items of earlier chunks may be there too */
    chunk = whole_pages(chunk, size);
    plan->chunk = chunk > 0 ? (size_t)chunk : 1;
    plan->chunks = chunks;
}

/* Runs may stay in memory. The chunks are as many as fit. */
static void divide_for_residents(struct plan *plan, const struct worker *worker)
{
    bool host = scankit_is_host(worker->context);
    uint64_t size = worker->items->size, most = CHUNK_MOST_BYTES / size;
    divide(plan, worker, CHUNKS_OF_RESIDENTS, most > 0 ? most : 1);
    uint64_t work = host ? plan->chunk * worker_sort_bytes(worker) : 0;
    uint64_t chunks = less(plan->memory, work, 0) / (plan->chunk * size);
    if (chunks > CHUNKS_OF_RESIDENTS)
        plan->chunks = (size_t)chunks;
    plan->residents = plan->chunks - CHUNKS_IN_FLIGHT;
}

void plan_chunks(struct plan *plan, struct job *job, const struct worker *worker, uint64_t total, bool spill)
{
    *plan = (struct plan){.threads = (unsigned)device_processors(job->common)};
    uint64_t room = host_room(job->common);
    /* Under a limit of address space, the stacks of threads take most of it. */
    plan->memory = least(room > LEAST_BYTES ? room : LEAST_BYTES, host_address_space() / 4);
    if (!scankit_is_host(worker->context))
        plan->device = less(device_limit(&job->device, job->common), DEVICE_BYTES, LEAST_BYTES);
    if (!spill) {
        divide_for_residents(plan, worker);
        if (total == ITEMS_UNKNOWN || total <= (uint64_t)plan->residents * plan->chunk)
            return;
    }
    plan->residents = 0;
    divide(plan, worker, CHUNKS_IN_FLIGHT, total);
}

size_t plan_fan_in(const struct plan *plan, const struct worker *worker)
{
    uint64_t each = RANGES_IN_FLIGHT * PART_LEAST_BYTES + plan->threads * worker_merge_array_bytes(worker);
    uint64_t most = plan->memory / each;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        most = least(most, less(files.rlim_cur, DESCRIPTORS_APART, FAN_IN_LEAST));
    return most > FAN_IN_LEAST ? (size_t)most : FAN_IN_LEAST;
}

/* The workspace for a merge is that of the sort, which the library keeps, and grows if it is too small. */
static uint64_t merge_workspace(const struct plan *plan, const struct worker *worker, size_t k)
{
    uint64_t sort = scankit_is_host(worker->context) ? plan->chunk * worker_sort_bytes(worker) : 0;
    uint64_t merge = k * plan->threads * worker_merge_array_bytes(worker);
    return sort > merge ? sort : merge;
}

size_t plan_range(const struct plan *plan, const struct worker *worker, size_t k, unsigned buffers, uint64_t used)
{
    uint64_t size = worker->items->size, wanted = k * PART_BYTES > RANGE_BYTES ? k * PART_BYTES : RANGE_BYTES;
    used += merge_workspace(plan, worker, k);
    uint64_t bytes = least(wanted, less(plan->memory, used, LEAST_BYTES) / buffers);
    if (!scankit_is_host(worker->context))
        bytes = least(bytes, plan->device / worker_merge_bytes(worker) * size);
    return bytes > size ? (size_t)whole_pages(bytes / size, size) : 1;
}
