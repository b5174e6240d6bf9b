/* columns.c - gpurle -u, --values and --counts: the first elements of runs, and their counts, to files of their own. */
#include <string.h>

#include "io/block_queue.h"
#include "rle.h"
#include "io/sink.h"

enum { VALUES, COUNTS };

struct columns {
    struct finding finding;
    struct sink sinks[2], *column[2]; /* NULL: not wanted */
    size_t size[2];                   /* bytes of an element of each */
};

/* Counts never have a .npy header. */
static void open_column(struct columns *columns, int which, const char *path)
{
    const struct finding *finding = &columns->finding;
    const struct common *common = &finding->rle->common;
    struct sink *sink = &columns->sinks[which];
    sink_open(sink, path, common->gzip, common);
    if (which == VALUES && finding->inputs[0].npy && !common->raw)
        sink_npy(sink, finding->schema.descr, finding->schema.npy_version,
                 inputs_elements(finding->inputs, finding->count));
    columns->column[which] = sink;
}

static void open_columns(struct columns *columns)
{
    const struct rle *rle = columns->finding.rle;
    if (rle->values != NULL && rle->counts != NULL && outputs_collide(rle->values, rle->counts))
        fail_usage("--values and --counts are the same file");
    if (rle->unique || rle->values != NULL)
        open_column(columns, VALUES, rle->unique ? rle->common.output : rle->values);
    if (rle->counts != NULL)
        open_column(columns, COUNTS, rle->counts);
}

static size_t take(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
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
    return runs;
}

static void start_columns(struct columns *columns)
{
    struct finding *finding = &columns->finding;
    size_t each = 0, run = finding->schema.size + sizeof(uint64_t);
    for (int i = 0; i < 2; i++)
        each += columns->column[i] == NULL ? 0 : RING_BLOCKS * columns->size[i];
    finding_measure(finding, each, sinks_holding(columns->column) > 0 ? 2 : 1);
    size_t most = finding->block + 1, blocks[2] = {most * columns->size[VALUES], most * columns->size[COUNTS]};
    sinks_start(columns->column, blocks, &finding->rle->common, finding->block * (each + run));
}

void write_columns(const struct rle *rle, char *const *paths, size_t count, struct stats *stats)
{
    struct columns columns = {.column = {NULL}};
    struct finding *finding = &columns.finding;
    finding_open(finding, rle, paths, count, stats);
    columns.size[VALUES] = finding->schema.size;
    columns.size[COUNTS] = sizeof(uint64_t);
    open_columns(&columns);
    start_columns(&columns);
    finding_run(finding, take, &columns, 0, rle->counts != NULL);
    for (int i = 0; i < 2; i++)
        sink_complete(columns.column[i], finding->runs.found);
    for (int i = 0; i < 2; i++)
        if (columns.column[i] != NULL) {
            output_replace(&columns.sinks[i].output);
            stats->bytes_out += columns.sinks[i].output.bytes;
        }
    finding_close(finding);
}
