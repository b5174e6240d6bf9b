/* by_ranks.c - gpusort as ranks of MPI. Each reads an even part of the elements, and writes an even part of the result.
 */
#include "common/tool.h"
#include "mpi/rank_files.h"
#include "request.h"

struct by_ranks {
    const struct sort_request *request;
    struct rank_files files;
    size_t n; /* elements of this rank's part of the result */
    void *in, *out;
};

static void refuse(const struct sort_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->check, WITH_RANKS, "--check"},
        {true, request->merge, WITH_RANKS, "--merge"},
        {true, request->argsort, WITH_RANKS, "--argsort"},
        {true, request->in_place, WITH_RANKS, "--in-place"},
        {true, request->list, WITH_RANKS, "--list-algorithms"},
        {true, request->gallery != NULL, WITH_RANKS, "an --algorithm of the gallery"},
        {true, request->workspace != NULL, WITH_RANKS, "--workspace"},
        {true, request->partition, WITH_RANKS, "--partition"},
        {true, request->merge_range, WITH_RANKS, "--merge-range"},
        {true, request->segments != NULL, WITH_RANKS, "--segments"},
        {true, request->by_count > 0, WITH_RANKS, "--by"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    ranks_refuse(&request->common, true);
}

/* The elements of this rank's part of the sorted sequence. Those past --top are not sorted, unless --unique may remove
 * elements before them. */
static size_t wanted(const struct by_ranks *sort)
{
    const struct rank_files *files = &sort->files;
    bool all = sort->request->unique || files->all < sort->request->top;
    if (all && sort->request->common.shards)
        return files->n;
    return rank_even_part(all ? files->all : sort->request->top);
}

/* Of the device for each element: two arrays, a part of a third, and 40 bytes more to sort records by position. */
static size_t element_bytes(const struct rank_files *files)
{
    size_t size = files->schema.size;
    return schema_is_number(&files->schema) ? 2 * size + (size + 3) / 4 : 3 * size + 40;
}

static size_t most_elements(const struct by_ranks *sort)
{
    return sort->files.n > sort->n ? sort->files.n : sort->n;
}

static void allocate(struct by_ranks *sort)
{
    const struct rank_files *files = &sort->files;
    size_t most = most_elements(sort);
    rank_files_check_room(files, most, element_bytes(files));
    sort->in = rank_files_room(files, most * files->schema.size);
    sort->out = rank_files_room(files, most * files->schema.size);
}

static void sort_parts(struct by_ranks *sort)
{
    const struct rank_files *files = &sort->files;
    const struct schema *schema = &files->schema;
    const scankit_sort_options options = {.algorithm = sort->request->algorithm, .overwrite_input = 1};
    const void *in = sort->in;
    ranks_check(files->group, scankit_group_sort_records(files->group, schema->size, schema->keys, schema->key_count,
                                                         &in, &sort->out, &files->n, &sort->n, &options));
}

/* There may be fewer elements then than asked for, or more. */
static void remove_duplicates(struct by_ranks *sort)
{
    const struct rank_files *files = &sort->files;
    const struct schema *schema = &files->schema;
    const scankit_run_options runs = {.keys = schema->keys, .key_count = schema->key_count};
    const void *sorted = sort->out;
    ranks_check(files->group,
                scankit_group_unique(files->group, schema->size, &sorted, &sort->in, &sort->n, &runs, &sort->n));
    void *unique = sort->in;
    sort->in = sort->out;
    sort->out = unique;
    uint64_t top = sort->request->top, before = ranks_before(sort->n), most = before < top ? top - before : 0;
    sort->n = sort->n < most ? sort->n : (size_t)most;
}

static void sort_in_memory(struct by_ranks *sort)
{
    struct rank_files *files = &sort->files;
    allocate(sort);
    rank_files_read(files, sort->in);
    stats_phase(&files->job->stats, PHASE_sort, UINT64_MAX);
    sort_parts(sort);
    if (sort->request->unique)
        remove_duplicates(sort);
    rank_files_write(files, 0, sort->out, files->schema.size, sort->n);
}

int tool_by_ranks(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct sort_request *request = state;
    struct by_ranks sort = {.request = request, .files = {.job = job, .count = count}};
    struct rank_files *files = &sort.files;
    refuse(request);
    files->inputs = open_sorted(request, ranks_paths(files, paths), count, &files->schema);
    rank_files_output(files, request->common.output, files->schema.descr);
    rank_files_begin(files);
    sort.n = wanted(&sort);
    bool fits = rank_files_have_room(files, most_elements(&sort), element_bytes(files));
    /* What the first rank reads for all is received by the thread that forms runs. */
    if (fits || (ranks_most(files->scattered) > 0 && !ranks_call_from_threads()))
        sort_in_memory(&sort);
    else
        sort_in_runs_of_ranks(request, files);
    rank_files_place(files);
    rank_files_end(files);
    return STATUS_DONE;
}
