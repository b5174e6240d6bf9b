/* table_batch.c - see table_batch.h. The batch stays where it was read, so no column is ever copied; buffers that were
 * compressed get memory of their own. */
#include "table_batch.h"

#include <stdlib.h>

#include "table_part.h"
#include "threads/crew.h"

#define ROWS_MOST ((uint64_t)1 << 56)

/* ---- memory ---- */

void *table_grow(void *memory, size_t count, size_t size)
{
    bool is_full = (count & (count - 1)) == 0; /* room is the next power of two */
    void *grown = is_full ? realloc(memory, (count > 0 ? 2 * count : 1) * size) : memory;
    if (grown == NULL)
        fail(NULL, "out of memory");
    return grown;
}

void table_take(struct arrow_table *table, uint64_t bytes)
{
    if (__builtin_add_overflow(table->bytes, bytes, &table->bytes) || table->bytes > table->limit)
        fail(table->name, "the table does not fit into memory: it takes more than %s", bytes_text(table->limit));
}

void table_batch_free(const struct arrow_batch *batch, size_t columns)
{
    for (size_t i = 0; i < columns && batch->body == NULL; i++)
        for (unsigned b = 0; b < ARROW_BUFFERS; b++)
            free((void *)(uintptr_t)batch->parts[i].buffers[b].data);
    free(batch->parts);
    free(batch->body);
}

/* ---- the columns of a batch ---- */

struct loading {
    const struct arrow_table *table;
    const char *input;
    const struct ArrowArrayView *view;
    const struct arrow_batch *batch;
    bool packed;
};

static void load_part(void *state, size_t i, unsigned thread)
{
    const struct loading *loading = state;
    const struct arrow_column *column = &loading->table->columns[i];
    struct arrow_part *part = &loading->batch->parts[i];
    (void)thread;
    if (loading->packed)
        part_unpack(loading->input, column, part);
    part_check(loading->input, column, loading->batch->rows, loading->view->children[i]->null_count, part);
}

static void find_parts(struct arrow_table *table, const struct loading *loading, const struct ArrowBufferView *body)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct ArrowArrayView *child = loading->view->children[i];
        struct arrow_part *part = &loading->batch->parts[i];
        if (child->length < 0 || (uint64_t)child->length != loading->batch->rows)
            fail(loading->input, "damaged Arrow data: column '%s' of a record batch has another number of rows",
                 table->columns[i].name);
        uint64_t more = part_find(loading->input, &table->columns[i], child, body, loading->packed, part);
        if (__builtin_add_overflow(bytes, more, &bytes))
            bytes = UINT64_MAX;
        table->columns[i].nulls |= part->buffers[0].data != NULL || table->columns[i].kind == ARROW_NOTHING;
    }
    table_take(table, bytes);
}

static void add_batch(struct arrow_table *table, const struct arrow_batch *batch)
{
    table->batches = table_grow(table->batches, table->batch_count, sizeof *batch);
    table->batches[table->batch_count++] = *batch;
    table->rows += batch->rows;
    if (table->rows > ROWS_MOST)
        fail(table->name, "damaged Arrow data: it claims %llu rows", (unsigned long long)table->rows);
}

/* Decompresses and checks the columns of a batch, by all threads. */
static void load_parts(struct arrow_table *table, struct loading *loading, struct arrow_batch *batch, uint64_t bytes)
{
    crew_run(batch->rows > 0 ? table->threads : 1, table->column_count, load_part, loading);
    if (loading->packed) {
        table->bytes -= bytes;
        free(batch->body);
        batch->body = NULL;
    }
}

/* The batch's buffers as they are in its body, compressed or not. */
static struct ArrowArrayView *decode(const char *input, struct ArrowIpcDecoder *decoder,
                                     const struct ArrowBufferView *body)
{
    struct ArrowError error = {.message = ""};
    struct ArrowArrayView *view;
    if (decoder->codec == NANOARROW_IPC_COMPRESSION_TYPE_LZ4_FRAME)
        fail(input, "is compressed by LZ4, which is not supported; zstd is");
    decoder->codec = NANOARROW_IPC_COMPRESSION_TYPE_NONE;
    if (ArrowIpcDecoderDecodeArrayView(decoder, *body, -1, &view, &error) != NANOARROW_OK)
        fail(input, "damaged Arrow data: %s", error.message);
    if (view->length < 0 || (uint64_t)view->length > ROWS_MOST)
        fail(input, "damaged Arrow data: a record batch claims %lld rows", (long long)view->length);
    return view;
}

void table_batch_add(struct arrow_table *table, const char *input, struct ArrowIpcDecoder *decoder,
                     unsigned char *memory)
{
    struct arrow_batch batch = {.first = table->rows, .body = memory};
    const struct ArrowBufferView body = {.data.as_uint8 = memory, .size_bytes = decoder->body_size_bytes};
    struct loading loading = {.table = table, .input = input, .batch = &batch};
    loading.packed = decoder->codec == NANOARROW_IPC_COMPRESSION_TYPE_ZSTD;
    loading.view = decode(input, decoder, &body);
    batch.rows = (uint64_t)loading.view->length;
    batch.parts = get_memory(table->column_count * sizeof *batch.parts);
    find_parts(table, &loading, &body);
    load_parts(table, &loading, &batch, (uint64_t)body.size_bytes);
    if (batch.rows > 0)
        add_batch(table, &batch);
    else
        table_batch_free(&batch, table->column_count);
}
