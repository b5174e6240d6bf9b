/* by_ranks.c - gpucompact as ranks of MPI. Each filters an even part of the elements. */
#include <stdio.h>

#include "common/tool.h"
#include "compaction.h"
#include "mpi/rank_files.h"
#include "rank_pieces.h"
#include "where.h"

static void refuse(const struct compact_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->in_place, WITH_RANKS, "--in-place"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    ranks_refuse(&request->common, true);
}

/* A rank's part, and what becomes of it; memory of the device. */
struct part {
    size_t kept_size, matches;
    void *in, *kept, *others; /* kept, others: NULL if they are not wanted */
};

/* Bytes for an element of a part. */
static size_t each(const struct compact_request *request, const struct rank_files *files, const struct part *part)
{
    size_t size = files->schema.size;
    return size + (request->count ? 0 : part->kept_size) + (request->rejects != NULL ? size : 0);
}

static void allocate(const struct compact_request *request, struct rank_files *files, struct part *part)
{
    size_t n = files->n, size = files->schema.size;
    part->in = rank_files_room(files, n * size);
    part->kept = request->count ? NULL : rank_files_room(files, n * part->kept_size);
    part->others = request->rejects != NULL ? rank_files_room(files, n * size) : NULL;
}

static void filter(const struct compact_request *request, struct rank_files *files, const scankit_predicate *predicate,
                   struct part *part)
{
    const scankit_compact_options options = {.invert = request->invert};
    const void *in = part->in;
    scankit_error error;
    if (request->index)
        error = scankit_group_compact_positions(files->group, predicate, &in, (uint64_t **)&part->kept, &files->n,
                                                &options, &part->matches);
    else
        error = scankit_group_compact(files->group, predicate, &in, part->kept == NULL ? NULL : &part->kept,
                                      part->others == NULL ? NULL : &part->others, &files->n, &options, &part->matches);
    ranks_check(files->group, error);
}

static void write_part(struct rank_files *files, const struct part *part)
{
    if (part->kept == NULL)
        return;
    rank_files_write(files, 0, part->kept, part->kept_size, part->matches);
    if (part->others != NULL)
        rank_files_write(files, 1, part->others, files->schema.size, files->n - part->matches);
    rank_files_place(files);
}

static void filter_part(const struct compact_request *request, struct rank_files *files,
                        const scankit_predicate *predicate, struct part *part)
{
    allocate(request, files, part);
    rank_files_read(files, part->in);
    stats_phase(&files->job->stats, PHASE_filter, UINT64_MAX);
    filter(request, files, predicate, part);
    write_part(files, part);
}

static void print_count(uint64_t kept)
{
    if (rank_number() > 0)
        return;
    printf("%llu\n", (unsigned long long)kept);
    cli_end_text();
}

static void name_outputs(const struct compact_request *request, struct rank_files *files)
{
    if (request->count)
        return;
    if (request->index)
        rank_files_output_numbers(files, request->common.output, "'<u8'");
    else
        rank_files_output(files, request->common.output, files->schema.descr);
    if (request->rejects == NULL)
        return;
    if (outputs_collide(request->common.output, request->rejects))
        fail_usage("--rejects and the output are the same file");
    rank_files_output(files, request->rejects, files->schema.descr);
}

int tool_by_ranks(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct compact_request *request = state;
    struct rank_files files = {.job = job, .count = count};
    struct part part = {.matches = 0};
    refuse(request);
    files.inputs = inputs_open(ranks_paths(&files, paths), count, &request->common, INPUT_READ, &files.schema);
    scankit_predicate *predicate = where_compile(request->where, &files.schema);
    name_outputs(request, &files);
    rank_files_begin(&files);
    part.kept_size = request->index ? sizeof(uint64_t) : files.schema.size;
    if (rank_files_have_room(&files, files.n, each(request, &files, &part)))
        filter_part(request, &files, predicate, &part);
    else
        part.matches = filter_pieces(request, &files, predicate);
    uint64_t all = ranks_sum(part.matches);
    if (request->count)
        print_count(all);
    snprintf(job->stats.before, sizeof job->stats.before, "kept %llu of ", (unsigned long long)all);
    rank_files_end(&files);
    scankit_predicate_destroy(predicate);
    return all == 0 && request->error_exit ? STATUS_NO : STATUS_DONE;
}
