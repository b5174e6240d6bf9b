/* merge_range.c - writes one range of a job array's result. Every task finds the same exact splitters, so the ranges
 * follow each other without gaps. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "external/cut.h"
#include "external/merging.h"
#include "external/plan.h"
#include "external/ranges.h"
#include "external/resume.h"
#include "io/output.h"
#include "job_array.h"

struct range_task {
    struct array_job array;
    struct items items;
    struct worker worker;
    struct plan plan;
    struct run_set set; /* of all parts */
    struct part_store {
        struct run_store *store;
        char *path, *remedy;
    } * stores;
    uint64_t begin, end; /* items of the merge */
    char *before;        /* the item in front of them, or NULL */
    struct output output;
};

/* ---- the runs ---- */

static void open_part(struct range_task *task, uint64_t part)
{
    const struct array_job *array = &task->array;
    struct part_store *store = &task->stores[part - 1];
    uint64_t begin = array_place(array->elements, part, array->parts);
    uint64_t end = array_place(array->elements, part + 1, array->parts);
    if (begin == end)
        return;
    if (asprintf(&store->remedy, "run --partition=%" PRIu64 "/%" PRIu64 " again", part, array->parts) < 0)
        fail(NULL, "out of memory");
    const struct run_store_options options = {
        .element = task->items.size, .threads = task->plan.threads, .remedy = store->remedy};
    store->store = array_open_part(array, part, &options, &store->path);
    task->set.store = store->store;
    if (resume_runs(&task->set, begin, false) != end)
        fail(store->path, "part %" PRIu64 " is not complete, or is damaged; %s", part, store->remedy);
    task->set.store = NULL;
}

static void open_parts(struct range_task *task)
{
    size_t bytes = task->array.parts * sizeof *task->stores;
    task->stores = get_memory(bytes);
    memset(task->stores, 0, bytes);
    for (uint64_t part = 1; part <= task->array.parts; part++)
        open_part(task, part);
}

static void close_parts(struct range_task *task)
{
    run_set_close(&task->set);
    for (uint64_t i = 0; i < task->array.parts; i++) {
        if (task->stores[i].store != NULL)
            run_store_close(task->stores[i].store);
        free(task->stores[i].path);
        free(task->stores[i].remedy);
    }
    free(task->stores);
}

/* ---- the range ---- */

/* Cuts each run to what belongs to the range. */
static void cut_range(struct range_task *task, uint64_t part)
{
    struct run_set *set = &task->set;
    uint64_t n = 0, *from = get_memory(2 * set->count * sizeof *from), *to = from + set->count;
    for (size_t i = 0; i < set->count; i++)
        n += set->runs[i]->length;
    task->begin = array_place(n, part, task->array.parts);
    task->end = array_place(n, part + 1, task->array.parts);
    cut_runs(set, task->begin, task->plan.threads, from);
    cut_runs(set, task->end, task->plan.threads, to);
    if (task->array.unique && task->begin > 0) {
        task->before = get_memory(task->items.size);
        cut_last_item(set, from, task->before);
    }
    for (size_t i = 0; i < set->count; i++) {
        set->runs[i]->first = from[i];
        set->runs[i]->length = to[i] - from[i];
    }
    free(from);
}

/* Makes the indexes that ranges_open() needs. */
static void index_range(struct range_task *task)
{
    struct run_set *set = &task->set;
    run_set_open(set, &task->items, (size_t)((task->end - task->begin) / set->count) * task->items.size);
    for (size_t i = 0; i < set->count; i++)
        set->runs[i]->every = set->every;
    index_runs(set, task->plan.threads);
}

static void write_items(void *state, char *memory, size_t n)
{
    struct range_task *task = state;
    items_to_results(&task->items, memory, n);
    output_write(&task->output, memory, n * task->items.result_size);
}

static uint64_t merge_range(struct range_task *task)
{
    struct run_set *set = &task->set;
    if (task->begin == task->end)
        return 0;
    index_range(task);
    size_t k = set->count;
    size_t range = plan_range(&task->plan, &task->worker, k, RANGES_IN_FLIGHT, run_set_index_bytes(set));
    struct ranges *ranges = ranges_open(set, 0, k, task->end - task->begin, range, task->plan.threads);
    struct merging merging = {.worker = &task->worker,
                              .source = ranges_source(ranges),
                              .most = UINT64_MAX,
                              .before = task->before,
                              .take = write_items,
                              .state = task};
    uint64_t n = merge_ranges(&merging);
    ranges_close(ranges);
    return n;
}

/* ---- the whole ---- */

static void begin_device(struct range_task *task, const struct sort_request *request, struct job *job)
{
    device_begin(&job->device, &request->common, 0, WORK_NONE); /* the disk bounds the merge */
    task->worker =
        (struct worker){.context = device_end(&job->device), .items = &task->items, .unique = task->array.unique != 0};
    plan_chunks(&task->plan, job, &task->worker, task->array.elements, true);
    task->plan.chunk = 0; /* nothing is sorted */
    run_set_open(&task->set, &task->items, RUN_BLOCK_BYTES);
}

void merge_range_of_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    const struct common *common = &request->common;
    struct range_task task = {.before = NULL};
    if (count > 1 || strcmp(paths[0], "-") != 0)
        fail_usage("--merge-range takes no files: it reads the parts in --manifest");
    array_job_read(&task.array, request);
    items_define(&task.items, &task.array.schema, task.array.argsort != 0);
    begin_device(&task, request, job);
    run_set_allow_many();
    open_parts(&task);
    task.set.pool = pool_create(&task.worker, task.items.size, 1);
    cut_range(&task, request->part);
    output_open(&task.output, common->output, codec_wanted(common, CODEC_NONE), common);
    stats_phase(&job->stats, PHASE_write, (task.end - task.begin) * task.items.result_size);
    uint64_t n = merge_range(&task);
    job->stats.bytes_in += (task.end - task.begin) * task.items.size;
    job->stats.bytes_out += output_finish(&task.output);
    job->stats.elements += n;
    stats_device(&job->stats, &job->device);
    struct pool *pool = task.set.pool;
    close_parts(&task);
    pool_destroy(pool);
    worker_close(&task.worker);
    free(task.before);
    array_job_free(&task.array);
}
