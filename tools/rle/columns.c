/* columns.c - gpurle -u, --values and --counts: the first elements and the lengths of runs, each to a file. */
#include <string.h>

#include "io/block_queue.h"
#include "io/sink.h"
#include "rle.h"

enum { VALUES, COUNTS };

struct columns {
    struct run_stream stream;
    struct sink sinks[2], *column[2]; /* NULL: not wanted */
    size_t size[2];                   /* bytes of an element of each */
};

/* Counts never have a .npy header. */
static void open_column(struct columns *columns, int which, const char *path)
{
    struct pipeline *pipeline = &columns->stream.pipeline;
    const struct sink_options options = {
        .path = path, .descr = which == VALUES ? pipeline->schema.descr : NULL, .numbers = which == COUNTS};
    columns->column[which] = &columns->sinks[which];
    pipeline_open_sink(pipeline, columns->column[which], &options);
}

static void open_columns(struct columns *columns)
{
    const struct rle_request *request = columns->stream.request;
    if (request->values != NULL && request->counts != NULL && outputs_collide(request->values, request->counts))
        fail_usage("--values and --counts are the same file");
    if (request->unique || request->values != NULL)
        open_column(columns, VALUES, request->unique ? request->common.output : request->values);
    if (request->counts != NULL)
        open_column(columns, COUNTS, request->counts);
}

static void take(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    struct columns *columns = state;
    const void *from[2] = {values, counts};
    (void)last;
    for (int i = 0; i < 2; i++) {
        size_t bytes = runs * columns->size[i];
        if (columns->column[i] != NULL)
            memcpy(sink_room(columns->column[i]), from[i], bytes);
        sink_add(columns->column[i], bytes);
    }
}

static void start_columns(struct columns *columns)
{
    struct run_stream *stream = &columns->stream;
    size_t each = 0, run = stream->pipeline.schema.size + sizeof(uint64_t);
    for (int i = 0; i < 2; i++)
        each += columns->column[i] == NULL ? 0 : QUEUE_BLOCKS * columns->size[i];
    run_stream_measure(stream, each, sinks_holding(columns->column) > 0 ? 2 : 1);
    size_t most = stream->pipeline.block + 1, blocks[2] = {most * columns->size[VALUES], most * columns->size[COUNTS]};
    sinks_start(columns->column, blocks, &stream->request->common, stream->pipeline.block * (each + run));
}

void write_columns(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct columns columns = {.column = {NULL}};
    struct run_stream *stream = &columns.stream;
    run_stream_open(stream, request, paths, count, job);
    columns.size[VALUES] = stream->pipeline.schema.size;
    columns.size[COUNTS] = sizeof(uint64_t);
    open_columns(&columns);
    start_columns(&columns);
    run_stream_run(stream, take, &columns, request->counts != NULL ? COUNTS_ALL : COUNTS_NONE);
    const uint64_t elements[2] = {stream->runs.found, stream->runs.found};
    job->stats.bytes_out += sinks_finish(columns.column, elements);
    run_stream_close(stream);
}
