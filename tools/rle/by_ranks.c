/* by_ranks.c - gpurle as ranks of MPI. Each finds the runs of an even part of the elements, or decodes a part of the
 * blocks. */
#include "common/tool.h"
#include "rank_rle.h"

static void refuse(const struct rle_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->list, WITH_RANKS, "--list"},
        {true, request->decode && request->common.from_text, WITH_RANKS, "--decode --from-text"},
        {true, request->decode && request->common.to_text, WITH_RANKS, "--decode --to-text"},
        {true, request->decode && request->common.gzip, WITH_RANKS, "--decode --gzip"},
        {true, request->decode && request->common.zstd, WITH_RANKS, "--decode --zstd"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    ranks_refuse(&request->common, false);
}

int tool_by_ranks(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct rle_request *request = state;
    struct rank_files files = {.job = job, .count = count};
    refuse(request);
    if (request->decode)
        decode_by_ranks(request, &files, paths);
    else if (request->count)
        print_runs_by_ranks(request, &files, paths);
    else if (request->unique || request->values != NULL || request->counts != NULL)
        write_columns_by_ranks(request, &files, paths);
    else if (request->common.to_text)
        write_pairs_by_ranks(request, &files, paths);
    else
        encode_by_ranks(request, &files, paths);
    rank_files_end(&files);
    return STATUS_DONE;
}
