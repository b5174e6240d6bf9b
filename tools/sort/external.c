/* external.c - see external.h. Sorted runs are made of as much input as fits (formation.h), and stay in memory or go to
 * the run store. One merge of all of them makes the output, range by range (ranges.h, merging.h). */
#include "external.h"

#include <stdlib.h>

#include "common/progress.h"
#include "external/formation.h"
#include "external/merging.h"
#include "external/plan.h"
#include "external/ranges.h"
#include "external/resume.h"
#include "external/rounds.h"
#include "job_key.h"
#include "result.h"

#define WRITE_BYTES ((size_t)16 << 20)

struct external {
    const struct sort_request *request;
    struct input *inputs;
    size_t count;
    struct ahead *ahead; /* what was read of the inputs */
    const struct schema *schema;
    struct job *job;
    struct items items;
    struct worker worker;
    struct plan plan;
    struct run_set set;
    struct result result;
    uint64_t total; /* items, or ITEMS_UNKNOWN */
    uint64_t end;   /* elements of the inputs, when all are read */
};

/* ---- the run store ---- */

static struct run_store *open_store(void *state)
{
    const struct external *external = state;
    const struct sort_request *request = external->request;
    char *key = NULL;
    if (request->workspace != NULL)
        key = job_key(request, external->inputs, external->count, external->schema);
    const struct run_store_options options = {.element = external->items.size,
                                              .folders = request->folders,
                                              .folder_count = request->folder_count,
                                              .compress = request->compress_temporaries,
                                              .threads = external->plan.threads,
                                              .workspace = request->workspace,
                                              .key = key};
    struct run_store *store = run_store_open(&options);
    free(key);
    return store;
}

static void need_store(struct external *external)
{
    if (external->set.store == NULL)
        external->set.store = open_store(external);
}

/* ---- writing ---- */

/* Takes items of the result. */
static void write_items(void *state, char *memory, size_t n)
{
    const struct external *external = state;
    items_to_results(&external->items, memory, n);
    output_write(external->result.output, memory, n * external->items.result_size);
}

/* Takes items of a run that runs are merged to. */
struct appending {
    struct run_set *set;
    struct sorted_run *run;
};

static void append_items(void *state, char *memory, size_t n)
{
    const struct appending *appending = state;
    run_index(appending->set, appending->run, memory, n);
    run_append(appending->run->stored, memory, n * appending->set->items->size);
}

/* Writes a run that is in memory. */
static void write_resident(struct external *external, const struct sorted_run *run)
{
    size_t size = external->items.size, step = WRITE_BYTES > size ? WRITE_BYTES / size : 1;
    for (size_t done = 0; done < run->n; done += step) {
        size_t n = run->n - done < step ? (size_t)run->n - done : step;
        write_items(external, run->chunk->memory.data + done * size, n);
        progress_add(n * external->items.result_size);
    }
}

static void write_stored(struct external *external, struct sorted_run *run)
{
    size_t size = external->items.size, step = WRITE_BYTES > size ? WRITE_BYTES / size : 1;
    char *memory = get_memory(step * size);
    for (uint64_t done = 0; done < run->n; done += step) {
        size_t n = run->n - done < step ? (size_t)(run->n - done) : step;
        run_read(run->stored, done, n, memory);
        write_items(external, memory, n);
    }
    free(memory);
}

/* ---- merging ---- */

/* Merges to a new run of the store. */
static struct sorted_run *merge_to_run(struct external *external, const struct merging *merging)
{
    need_store(external);
    struct appending appending = {.set = &external->set, .run = run_set_make(&external->set)};
    appending.run->stored = run_create(external->set.store);
    struct merging to_run = *merging;
    to_run.take = append_items;
    to_run.state = &appending;
    merge_ranges(&to_run);
    return appending.run;
}

static void complete_run(struct sorted_run *run, uint64_t begin, uint64_t end)
{
    run->begin = begin;
    run->end = end;
    run_covers(run->stored, begin, end);
    run_complete(run->stored);
}

/* Merges to the output. most: the number of items, exactly or at most. */
static void merge_to_output(struct external *external, struct merging *merging, uint64_t most, bool exactly)
{
    struct result *result = &external->result;
    if (!exactly && result_needs_count(result)) {
        struct sorted_run *run = merge_to_run(external, merging);
        complete_run(run, 0, external->end);
        result_begin(result, run->n, true);
        write_stored(external, run);
        external->job->stats.bytes_out += result_end(result, run->n);
        run_set_add(&external->set, run);
        return;
    }
    merging->take = write_items;
    merging->state = external;
    result_begin(result, most, exactly);
    uint64_t n = merge_ranges(merging);
    external->job->stats.bytes_out += result_end(result, n);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Opens the merge of `k` runs from `first` on. */
static struct ranges *open_ranges(struct external *external, size_t first, size_t k, struct merging *merging)
{
    const struct run_set *set = &external->set;
    uint64_t n = 0, used = pool_bytes(set->pool) + run_set_index_bytes(set);
    for (size_t i = first; i < first + k; i++)
        n += set->runs[i]->n;
    if (!external->request->unique)
        n = lesser(n, external->request->top);
    size_t range = plan_range(&external->plan, &external->worker, k, RANGES_IN_FLIGHT, used);
    struct ranges *ranges = ranges_open(set, first, k, n, range, external->plan.threads);
    *merging =
        (struct merging){.worker = &external->worker, .source = ranges_source(ranges), .most = external->request->top};
    return ranges;
}

/* Merges `k` runs to one. */
static void merge_group(struct external *external, size_t first, size_t k)
{
    struct merging merging;
    struct run_set *set = &external->set;
    struct ranges *ranges = open_ranges(external, first, k, &merging);
    struct sorted_run *run = merge_to_run(external, &merging);
    complete_run(run, set->runs[first]->begin, set->runs[first + k - 1]->end);
    ranges_close(ranges);
    run_set_replace(set, first, k, run);
}

/* Merges groups of neighbouring runs until all that are left can be merged at once. */
static void reduce_runs(struct external *external)
{
    const struct run_set *set = &external->set;
    size_t most = plan_fan_in(&external->plan, &external->worker), first = 0;
    while (set->count > most) {
        size_t k = set->count - most + 1 < most ? set->count - most + 1 : most;
        if (first + k > set->count)
            first = 0;
        merge_group(external, first, k);
        first++;
    }
}

static void merge_runs(struct external *external)
{
    struct run_set *set = &external->set;
    struct result *result = &external->result;
    pool_trim(set->pool);
    worker_end_sorting(&external->worker);
    reduce_runs(external);
    if (set->count == 0 || (set->count == 1 && set->runs[0]->chunk != NULL)) {
        uint64_t n = set->count > 0 ? set->runs[0]->n : 0;
        result_begin(result, n, true);
        if (n > 0)
            write_resident(external, set->runs[0]);
        external->job->stats.bytes_out += result_end(result, n);
        return;
    }
    struct merging merging;
    struct ranges *ranges = open_ranges(external, 0, set->count, &merging);
    uint64_t most = lesser(run_set_items(set), external->request->top);
    merge_to_output(external, &merging, most, !external->request->unique);
    ranges_close(ranges);
}

/* ---- the whole ---- */

/* Bytes of the result, or SIZE_UNKNOWN. */
static uint64_t result_bytes(const struct external *external, uint64_t n)
{
    n = lesser(n, external->request->top);
    return n == ITEMS_UNKNOWN ? SIZE_UNKNOWN : n * external->items.result_size;
}

/* Plans the memory, and replaces the chunks by others. */
static void plan_run_formation(struct external *external, bool spill)
{
    struct run_set *set = &external->set;
    struct plan *plan = &external->plan;
    plan_chunks(plan, external->job, &external->worker, external->total, spill);
    if (set->pool != NULL)
        pool_destroy(set->pool);
    set->pool = pool_create(&external->worker, plan->chunk * external->items.size, plan->chunks);
    run_set_open(set, &external->items, plan->chunk * external->items.size);
    if (plan->residents == 0) /* before anything is read: the folders may be wrong */
        need_store(external);
}

/* Returns false if there may be more input. */
static bool form_planned_runs(struct external *external, struct intake *intake)
{
    const struct plan *plan = &external->plan;
    struct formation formation = {.intake = intake,
                                  .worker = &external->worker,
                                  .set = &external->set,
                                  .chunk = plan->chunk,
                                  .residents = plan->residents,
                                  .top = external->request->top,
                                  .keep_best = external->set.count == 0 && external->request->top <= plan->chunk / 2,
                                  .open_store = open_store,
                                  .state = external};
    return form_runs(&formation);
}

static void sort_inputs(struct external *external)
{
    const struct sort_request *request = external->request;
    struct stats *stats = &external->job->stats;
    struct intake intake;
    plan_run_formation(external, request->workspace != NULL);
    stats_phase(stats, PHASE_sort, inputs_size(external->inputs, external->count));
    intake_open(&intake, external->inputs, external->count, external->schema, &external->items, SIZE_MAX);
    if (external->ahead != NULL && !ahead_is_empty(external->ahead)) /* it holds all of the rest */
        intake_take_from(&intake, ahead_take, external->ahead);
    if (request->merge)
        intake_check_order(&intake);
    if (request->workspace != NULL)
        intake_skip(&intake, resume_runs(&external->set, 0, false));
    index_runs(&external->set, external->plan.threads);
    if (!form_planned_runs(external, &intake)) { /* from now on with larger chunks */
        plan_run_formation(external, true);
        form_planned_runs(external, &intake);
    }
    external->end = intake.position;
    intake_close(&intake);
    stats_phase(stats, PHASE_write, result_bytes(external, run_set_items(&external->set)));
    merge_runs(external);
}

/* Merges inputs that are sorted. */
static void merge_inputs(struct external *external)
{
    const struct sort_request *request = external->request;
    size_t k = external->count;
    struct items *items = &external->items;
    plan_chunks(&external->plan, external->job, &external->worker, external->total, true);
    external->plan.chunk = 0; /* nothing is sorted */
    external->set.pool = pool_create(&external->worker, items->size, 1);
    run_set_open(&external->set, items, RUN_BLOCK_BYTES);
    size_t range = plan_range(&external->plan, &external->worker, k, RANGES_IN_FLIGHT + 1, 0);
    size_t room = range / k > 0 ? range / k : 1;
    stats_phase(&external->job->stats, PHASE_sort, result_bytes(external, external->total));
    struct rounds *rounds = rounds_open(external->inputs, k, external->schema, items, room, external->plan.threads);
    struct merging merging = {.worker = &external->worker, .source = rounds_source(rounds), .most = request->top};
    bool exactly = external->total != ITEMS_UNKNOWN && !request->unique;
    merge_to_output(external, &merging, lesser(external->total, request->top), exactly);
    rounds_close(rounds);
}

static void note_stats(const struct external *external)
{
    struct stats *stats = &external->job->stats;
    uint64_t bytes = 0;
    for (size_t i = 0; i < external->count; i++)
        bytes += external->inputs[i].taken;
    stats->bytes_in += bytes;
    stats->elements += bytes / external->schema->size;
    stats_device(stats, &external->job->device);
}

void sort_in_runs(const struct sort_request *request, struct input *inputs, size_t count, struct ahead *ahead,
                  struct result *result, struct job *job)
{
    struct external external = {.request = request, .inputs = inputs, .count = count, .ahead = ahead, .job = job};
    external.schema = result->schema;
    external.result = *result;
    items_define(&external.items, external.schema, request->argsort);
    external.worker = (struct worker){.context = device_end(&job->device),
                                      .items = &external.items,
                                      .algorithm = request->algorithm,
                                      .unique = request->unique};
    external.total = inputs_elements(inputs, count);
    bool sizes_known = inputs_size(inputs, count) != SIZE_UNKNOWN;
    if (request->merge && (sizes_known || !request->argsort))
        merge_inputs(&external);
    else
        sort_inputs(&external);
    note_stats(&external);
    struct pool *pool = external.set.pool;
    run_set_close(&external.set);
    pool_destroy(pool);
    worker_close(&external.worker);
}
