/* table_write.c - writes rows of tables. A window of rows is located and measured, and cut into record batches. Threads
 * gather and encode a batch each; then these are written. */
#include <nanoarrow_ipc.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_table.h"
#include "common/progress.h"
#include "gather.h"
#include "ipc_output.h"
#include "threads/crew.h"

#define WINDOW_ROWS ((size_t)1 << 18)
#define SLICE_ROWS ((size_t)1 << 12)
#define BATCH_BYTES ((uint64_t)4 << 20)
#define BATCHES_MOST 16 /* at a time */

/* A record batch that is being made. */
struct making {
    size_t begin, rows; /* of the window */
    struct gather *gather;
    struct ArrowIpcEncoder encoder;
    struct ArrowBuffer header, body;
};

struct writing {
    const struct arrow_table *table;
    const uint64_t *positions; /* of the window */
    size_t rows;
    struct place places[WINDOW_ROWS];
    uint64_t bytes[WINDOW_ROWS]; /* of each row */
    struct making batches[BATCHES_MOST];
    unsigned batch_count;
};

static void check(int result, const struct ArrowError *error)
{
    if (result != NANOARROW_OK)
        fail(NULL, "cannot make Arrow data: %s %s", strerror(result), error->message);
}

/* ---- a window ---- */

static void locate(void *state, size_t slice, unsigned thread)
{
    struct writing *writing = state;
    size_t begin = slice * SLICE_ROWS, end = begin + SLICE_ROWS < writing->rows ? begin + SLICE_ROWS : writing->rows;
    (void)thread;
    for (size_t i = begin; i < end; i++) {
        uint64_t row = writing->positions[i];
        struct place *place = &writing->places[i];
        place->batch = arrow_batch_of(writing->table, row);
        place->row = row - place->batch->first;
        writing->bytes[i] = gather_bytes(writing->table, place);
    }
}

/* The rows of the next batch, at least one. */
static size_t cut(const struct writing *writing, size_t begin)
{
    uint64_t bytes = writing->bytes[begin];
    size_t end = begin + 1;
    while (end < writing->rows && bytes + writing->bytes[end] <= BATCH_BYTES)
        bytes += writing->bytes[end++];
    return end - begin;
}

/* ---- batches ---- */

static void make_batch(void *state, size_t i, unsigned thread)
{
    struct writing *writing = state;
    struct making *batch = &writing->batches[i];
    struct ArrowError error = {.message = ""};
    (void)thread;
    const struct ArrowArrayView *view = gather_rows(batch->gather, writing->places + batch->begin, batch->rows);
    batch->header.size_bytes = batch->body.size_bytes = 0;
    check(ArrowIpcEncoderEncodeSimpleRecordBatch(&batch->encoder, view, &batch->body, &error), &error);
    check(ArrowIpcEncoderFinalizeBuffer(&batch->encoder, 1, &batch->header), &error);
}

/* Makes as many batches of the window as there are threads, from row `begin` on. Returns the row behind them. */
static size_t make_batches(struct writing *writing, size_t begin, unsigned *count)
{
    for (*count = 0; *count < writing->batch_count && begin < writing->rows; ++*count) {
        struct making *batch = &writing->batches[*count];
        batch->begin = begin;
        batch->rows = cut(writing, begin);
        begin += batch->rows;
    }
    crew_run(writing->table->threads, *count, make_batch, writing);
    return begin;
}

static void write_window(struct writing *writing, struct ipc_output *output)
{
    unsigned count;
    crew_run(writing->table->threads, (writing->rows + SLICE_ROWS - 1) / SLICE_ROWS, locate, writing);
    for (size_t row = 0; row < writing->rows;) {
        row = make_batches(writing, row, &count);
        for (unsigned i = 0; i < count; i++) {
            const struct making *batch = &writing->batches[i];
            ipc_batch(output, batch->header.data, (size_t)batch->header.size_bytes, batch->body.data,
                      (size_t)batch->body.size_bytes);
            progress_add((uint64_t)(batch->header.size_bytes + batch->body.size_bytes));
        }
    }
}

/* ---- all ---- */

static struct writing *open_writing(const struct arrow_table *table)
{
    struct writing *writing = get_memory(sizeof *writing);
    writing->table = table;
    writing->batch_count = table->threads < BATCHES_MOST ? table->threads : BATCHES_MOST;
    for (unsigned i = 0; i < writing->batch_count; i++) {
        struct making *batch = &writing->batches[i];
        batch->gather = gather_open(table);
        check(ArrowIpcEncoderInit(&batch->encoder), &(struct ArrowError){.message = ""});
        ArrowBufferInit(&batch->header);
        ArrowBufferInit(&batch->body);
    }
    return writing;
}

static void close_writing(struct writing *writing)
{
    for (unsigned i = 0; i < writing->batch_count; i++) {
        struct making *batch = &writing->batches[i];
        gather_close(batch->gather);
        ArrowIpcEncoderReset(&batch->encoder);
        ArrowBufferReset(&batch->header);
        ArrowBufferReset(&batch->body);
    }
    free(writing);
}

void arrow_table_write(const struct arrow_table *table, const struct arrow_target *target, const uint64_t *positions,
                       size_t n)
{
    struct writing *writing = open_writing(table);
    struct ipc_output output;
    ipc_begin(&output, target, table);
    for (size_t done = 0; done < n; done += writing->rows) {
        writing->positions = positions + done;
        writing->rows = n - done < WINDOW_ROWS ? n - done : WINDOW_ROWS;
        write_window(writing, &output);
    }
    ipc_end(&output, table);
    close_writing(writing);
}
