/* runs_by_ranks.c - gpusort as ranks of MPI whose memory does not hold their parts. Each rank sorts its part of the
 * input into runs in its own temporaries, which have no names. Exact splitters cut the merge of all ranks' runs into
 * even parts. Each rank receives its part from all others, merges it and writes it in its place. */
#include <stdlib.h>

#include "common/memory.h"
#include "external/exchange.h"
#include "external/formation.h"
#include "external/plan.h"
#include "mpi/rank_stream.h"
#include "request.h"

#define MESSAGE_BYTES ((size_t)64 << 20)
#define WRITE_BYTES ((size_t)4 << 20)

struct over_ranks {
    const struct sort_request *request;
    struct rank_files *files;
    struct common common; /* with this rank's share of the host */
    struct job job;
    struct items items;
    struct worker worker;
    struct plan plan;
    struct run_set set;
    struct cuts cuts;
    struct rank_stream stream;
    bool fed;           /* the first rank reads for all */
    struct run *unique; /* the part without duplicates, until their number is known */
};

/* ---- the start ---- */

/* The first rank reads compressed files and text for all: its own elements, and then what the others get. */
static bool is_fed(const struct rank_files *files)
{
    return ranks_most(files->scattered) > 0 && !files->job->common->shards;
}

/* Ranks of a host share its processors and, unless --buffer-size says what each has, its memory. */
static void take_share(struct over_ranks *sort)
{
    size_t neighbours = ranks_of_host(), processors = device_processors(&sort->request->common);
    sort->common = sort->request->common;
    if (sort->common.buffer_size == 0)
        sort->common.buffer_size = (size_t)(host_limit(&sort->common) / neighbours);
    if (sort->fed) {
        size_t half = sort->common.buffer_size / 2, messages = rank_message_bytes(sort->files);
        sort->common.buffer_size -= messages < half ? messages : half;
    }
    if (sort->common.parallel == 0)
        sort->common.parallel = (unsigned)(processors > neighbours ? processors / neighbours : 1);
    sort->job = *sort->files->job;
    sort->job.common = &sort->common;
}

static void begin(struct over_ranks *sort, const struct sort_request *request, struct rank_files *files)
{
    *sort = (struct over_ranks){.request = request, .files = files};
    sort->fed = is_fed(files);
    take_share(sort);
    run_set_allow_many();
    items_define(&sort->items, &files->schema, false);
    sort->worker = (struct worker){
        .context = files->context, .items = &sort->items, .algorithm = request->algorithm, .unique = request->unique};
    plan_chunks(&sort->plan, &sort->job, &sort->worker, files->n, true);
    size_t chunk_bytes = sort->plan.chunk * sort->items.size;
    sort->set.pool = pool_create(&sort->worker, chunk_bytes, sort->plan.chunks);
    run_set_open(&sort->set, &sort->items, chunk_bytes);
    const struct run_store_options options = {.element = sort->items.size,
                                              .folders = (char *const *)request->folders,
                                              .folder_count = request->folder_count,
                                              .compress = request->compress_temporaries,
                                              .threads = sort->plan.threads};
    sort->set.store = run_store_open(&options);
}

/* ---- runs ---- */

static void form(struct over_ranks *sort)
{
    struct rank_files *files = sort->files;
    struct run_set *set = &sort->set;
    struct intake intake;
    struct rank_receiver receiver;
    const bool receives = sort->fed && rank_number() > 0;
    struct formation formation = {
        .intake = &intake, .worker = &sort->worker, .set = set, .chunk = sort->plan.chunk, .top = sort->request->top};
    intake_open(&intake, files->inputs, files->count, &files->schema, &sort->items, SIZE_MAX);
    if (!sort->common.shards && !sort->fed)
        intake_skip(&intake, files->begin);
    intake.left = files->n;
    if (receives) {
        rank_receiver_open(&receiver, files);
        intake_take_from(&intake, rank_receive, &receiver);
    }
    form_runs(&formation);
    if (intake.left > 0)
        fail(files->inputs[0].name, "became shorter while it was read");
    if (receives)
        rank_receiver_close(&receiver);
    else if (sort->fed)
        rank_files_give(files, (size_t)(intake.inputs - files->inputs));
    for (size_t i = 0; i < set->count; i++)
        if (set->runs[i]->chunk != NULL)
            run_spill(set, set->runs[i]);
    intake_close(&intake);
    pool_trim(set->pool);
    worker_end_sorting(&sort->worker);
    files->job->stats.elements = files->n;
    files->job->stats.bytes_in = files->n * files->schema.size;
}

/* ---- the result ---- */

static void write_items(void *state, const char *memory, size_t n)
{
    struct over_ranks *sort = state;
    rank_stream_put(&sort->stream, memory, n * sort->items.size);
}

static void keep_items(void *state, const char *memory, size_t n)
{
    struct over_ranks *sort = state;
    run_append(sort->unique, memory, n * sort->items.size);
}

/* Items of a message: the same in all ranks. */
static size_t message_items(const struct over_ranks *sort)
{
    size_t p = rank_count(), size = sort->items.size, k = sort->set.count > p ? sort->set.count : p;
    uint64_t used = pool_bytes(sort->set.pool) + run_set_index_bytes(&sort->set);
    size_t room = plan_range(&sort->plan, &sort->worker, k, (unsigned)EXCHANGE_BUFFERS(p), used);
    size_t most = MESSAGE_BYTES / size;
    if (!scankit_is_host(sort->worker.context) && sort->plan.device / worker_merge_bytes(&sort->worker) / p < most)
        most = (size_t)(sort->plan.device / worker_merge_bytes(&sort->worker) / p);
    room = room < most ? room : most;
    return (size_t)(UINT64_MAX - ranks_most(UINT64_MAX - (room > 0 ? room : 1)));
}

static void exchange(struct over_ranks *sort, void (*take)(void *state, const char *memory, size_t n))
{
    const struct exchange exchange = {.worker = &sort->worker,
                                      .set = &sort->set,
                                      .cuts = &sort->cuts,
                                      .room = message_items(sort),
                                      .threads = sort->plan.threads,
                                      .take = take,
                                      .state = sort};
    exchange_and_merge(&exchange);
}

static void open_stream(struct over_ranks *sort, uint64_t n)
{
    stats_phase(&sort->files->job->stats, PHASE_write, n * sort->items.size);
    rank_stream_open_elements(&sort->stream, sort->files, 0, sort->items.size, n);
}

static void write_kept(struct over_ranks *sort, uint64_t n)
{
    size_t size = sort->items.size, step = WRITE_BYTES > size ? WRITE_BYTES / size : 1;
    char *memory = get_memory(step * size);
    for (uint64_t done = 0; done < n; done += step) {
        size_t part = n - done < step ? (size_t)(n - done) : step;
        run_read(sort->unique, done, part, memory);
        write_items(sort, memory, part);
    }
    free(memory);
}

/* The number of items that are unique is known when all ranks have merged. */
static void write_unique(struct over_ranks *sort)
{
    sort->unique = run_create(sort->set.store);
    exchange(sort, keep_items);
    run_complete(sort->unique);
    uint64_t n = run_elements(sort->unique), before = ranks_before(n), top = sort->request->top;
    uint64_t most = before < top ? top - before : 0;
    n = n < most ? n : most;
    open_stream(sort, n);
    write_kept(sort, n);
    run_destroy(sort->unique);
}

static void write_all(struct over_ranks *sort)
{
    open_stream(sort, rank_even_part(sort->cuts.end));
    exchange(sort, write_items);
}

void sort_in_runs_of_ranks(const struct sort_request *request, struct rank_files *files)
{
    struct over_ranks sort;
    stats_phase(&files->job->stats, PHASE_sort, files->n * files->schema.size);
    begin(&sort, request, files);
    form(&sort);
    cuts_find(&sort.cuts, &sort.set, request->unique ? UINT64_MAX : request->top, sort.plan.threads);
    (request->unique ? write_unique : write_all)(&sort);
    rank_stream_close(&sort.stream);
    cuts_free(&sort.cuts);
    struct pool *pool = sort.set.pool;
    run_set_close(&sort.set);
    pool_destroy(pool);
    worker_close(&sort.worker);
}
