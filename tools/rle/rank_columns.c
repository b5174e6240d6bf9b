/* rank_columns.c - gpurle -u, --values, --counts and -c over ranks. A run belongs to the rank where it begins. */
#include <stdlib.h>

#include "common/device.h"
#include "mpi/rank_stream.h"
#include "rank_rle.h"

static void open_inputs(const struct rle_request *request, struct rank_files *files, char *const *paths)
{
    files->inputs = inputs_open(ranks_paths(files, paths), files->count, &request->common, INPUT_READ, &files->schema);
    set_run_keys(&files->schema, request);
}

/* ---- columns ---- */

void write_columns_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths)
{
    const char *values = request->unique ? request->common.output : request->values, *counts = request->counts;
    struct rank_runs runs;
    open_inputs(request, files, paths);
    if (values != NULL && counts != NULL && outputs_collide(values, counts))
        fail_usage("--values and --counts are the same file");
    if (request->unique || values != NULL)
        rank_files_output(files, values, files->schema.descr);
    if (counts != NULL)
        rank_files_output_numbers(files, counts, NULL);
    rank_files_begin(files);
    rank_runs_find(&runs, files, counts != NULL, true);
    if (request->unique || values != NULL)
        rank_files_write(files, 0, runs.values, files->schema.size, runs.n);
    if (counts != NULL)
        rank_files_write(files, files->output_count - 1, runs.counts, sizeof(uint64_t), runs.n);
    rank_files_place(files);
    rank_runs_free(&runs, files);
}

/* ---- pairs ---- */

struct pairs {
    struct rank_stream stream;
    size_t size; /* bytes of an element */
    char *room;
};

static void print_pairs(void *state, const char *values, const uint64_t *counts, size_t n, bool last)
{
    struct pairs *pairs = state;
    (void)last;
    put_pairs(pairs->room, values, counts, pairs->size, n);
    rank_stream_put(&pairs->stream, pairs->room, n * (pairs->size + sizeof *counts));
}

void write_pairs_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths)
{
    struct rank_runs runs;
    struct pairs pairs = {.size = 0};
    struct schema schema;
    open_inputs(request, files, paths);
    rank_files_output(files, request->common.output, NULL);
    rank_files_begin(files);
    rank_runs_find(&runs, files, true, true);
    pairs.size = files->schema.size;
    pairs.room = get_memory(RUNS_OF_PIECE * (pairs.size + sizeof(uint64_t)));
    char *header = pairs_schema(&schema, &files->schema, files->inputs, &request->common);
    rank_stream_open_encoded(&pairs.stream, files, 0, schema.layout, header);
    rank_runs_pass(&runs, files, print_pairs, &pairs);
    free(header);
    free(pairs.room);
    rank_runs_free(&runs, files);
    rank_stream_close(&pairs.stream);
    schema_free(&schema);
    rank_files_place(files);
}

/* ---- lines ---- */

struct lines {
    struct hold *hold;
    const struct schema *schema;
    char *line;
};

static void print_lines(void *state, const char *values, const uint64_t *counts, size_t n, bool last)
{
    const struct lines *lines = state;
    (void)last;
    for (size_t i = 0; i < n; i++) {
        const char *end = put_run(lines->line, lines->schema->layout, values + i * lines->schema->size, counts[i]);
        hold_add(lines->hold, lines->line, (size_t)(end - lines->line));
    }
}

void print_runs_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths)
{
    struct rank_runs runs;
    open_inputs(request, files, paths);
    rank_files_output(files, request->common.output, NULL);
    rank_files_begin(files);
    rank_runs_find(&runs, files, true, true);
    struct lines lines = {rank_hold_open(files), &files->schema, get_memory(longest_run(files->schema.layout))};
    rank_runs_pass(&runs, files, print_lines, &lines);
    free(lines.line);
    rank_runs_free(&runs, files);
    rank_hold_write(lines.hold, files, 0);
    rank_files_place(files);
}
