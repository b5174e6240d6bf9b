/* by_ranks.c - gpucompact as ranks of MPI. Each filters an even part of the elements. */
#include <stdio.h>

#include "common/tool.h"
#include "compaction.h"
#include "mpi/rank_files.h"
#include "where.h"

static void refuse(const struct compact_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->in_place, WITH_RANKS, "--in-place"},
        {true, request->rejects != NULL, WITH_RANKS, "--rejects"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    ranks_refuse(&request->common);
}

/* Filters this rank's part. Returns how many elements match; they, or their positions, are in *kept. */
static size_t filter_part(const struct compact_request *request, struct rank_files *files,
                          const scankit_predicate *predicate, size_t kept_size, void **kept)
{
    const scankit_compact_options options = {.invert = request->invert};
    size_t size = files->schema.size, room = request->count ? 0 : kept_size, matches;
    rank_files_check_room(files, files->n, size + room);
    void *memory = rank_files_room(files, files->n * size);
    *kept = request->count ? NULL : rank_files_room(files, files->n * kept_size);
    rank_files_read(files, memory);
    stats_phase(&files->job->stats, PHASE_filter, UINT64_MAX);
    const void *in = memory;
    if (request->index)
        ranks_check(files->group, scankit_group_compact_positions(files->group, predicate, &in, (uint64_t **)kept,
                                                                  &files->n, &options, &matches));
    else
        ranks_check(files->group, scankit_group_compact(files->group, predicate, &in, request->count ? NULL : kept,
                                                        NULL, &files->n, &options, &matches));
    scankit_free(files->context, memory);
    return matches;
}

static void print_count(uint64_t kept)
{
    if (rank_number() > 0)
        return;
    printf("%llu\n", (unsigned long long)kept);
    cli_end_text();
}

int tool_by_ranks(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct compact_request *request = state;
    struct rank_files files = {.job = job, .count = count, .no_output = request->count};
    void *kept;
    refuse(request);
    files.inputs = inputs_open(ranks_paths(&files, paths), count, &request->common, INPUT_READ, &files.schema);
    scankit_predicate *predicate = where_compile(request->where, &files.schema);
    files.descr = request->index ? "'<u8'" : files.schema.descr;
    rank_files_begin(&files);
    size_t kept_size = request->index ? sizeof(uint64_t) : files.schema.size;
    size_t matches = filter_part(request, &files, predicate, kept_size, &kept);
    uint64_t all = ranks_sum(matches);
    if (request->count)
        print_count(all);
    else
        rank_files_write(&files, kept, kept_size, matches);
    snprintf(job->stats.before, sizeof job->stats.before, "kept %llu of ", (unsigned long long)all);
    scankit_free(files.context, kept);
    rank_files_end(&files);
    scankit_predicate_destroy(predicate);
    return all == 0 && request->error_exit ? STATUS_NO : STATUS_DONE;
}
