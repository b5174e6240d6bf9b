/* table_read.c - reads tables. A record batch stays where it was read, so no column is ever copied; buffers that were
 * compressed get memory of their own. */
#include <stdlib.h>
#include <string.h>

#include "arrow_table.h"
#include "common/progress.h"
#include "encoded.h"
#include "message.h"
#include "table_columns.h"
#include "table_part.h"
#include "threads/crew.h"

#define ROWS_MOST ((uint64_t)1 << 56)

struct reading {
    struct arrow_table *table;
    const char *input;
    size_t known; /* dictionaries that other inputs had */
    size_t seen;  /* dictionaries of this one */
};

static void *grow(void *memory, size_t count, size_t size)
{
    bool is_full = (count & (count - 1)) == 0; /* room is the next power of two */
    void *grown = is_full ? realloc(memory, (count > 0 ? 2 * count : 1) * size) : memory;
    if (grown == NULL)
        fail(NULL, "out of memory");
    return grown;
}

/* ---- memory ---- */

static void take(struct arrow_table *table, uint64_t bytes)
{
    if (__builtin_add_overflow(table->bytes, bytes, &table->bytes) || table->bytes > table->limit)
        fail(table->name, "the table does not fit into memory: it takes more than %s", bytes_text(table->limit));
}

/* Memory is not touched before it is read to, so a body that is not there takes none. */
static unsigned char *read_body(struct arrow_table *table, struct messages *messages)
{
    uint64_t bytes = (uint64_t)messages->decoder.body_size_bytes;
    take(table, bytes);
    unsigned char *body = get_memory(bytes);
    messages_read(messages, body, bytes);
    progress_add(bytes);
    return body;
}

/* ---- dictionaries ---- */

static bool are_equal(const struct arrow_message *a, const struct arrow_message *b)
{
    return a->header_bytes == b->header_bytes && a->body_bytes == b->body_bytes &&
           memcmp(a->header, b->header, a->header_bytes) == 0 && memcmp(a->body, b->body, a->body_bytes) == 0;
}

static struct arrow_message with_header(const unsigned char *header, size_t bytes)
{
    struct arrow_message message = {.header = get_memory(bytes), .header_bytes = bytes};
    memcpy(message.header, header, bytes);
    return message;
}

static void free_message(const struct arrow_message *message)
{
    free(message->header);
    free(message->body);
}

/* A table has each dictionary once: indices would not say which of several they mean. */
static void refuse_another(const struct reading *reading, const struct arrow_message *message)
{
    if (reading->known > 0)
        fail(reading->input, "has other dictionaries than %s", reading->table->name);
    for (size_t i = 0; i < reading->table->dictionary_count && !encoded_adds(message->header); i++)
        if (encoded_number(reading->table->dictionaries[i].header) == encoded_number(message->header))
            fail(reading->input, "replaces a dictionary by another one, which is not supported");
}

/* Keeps a dictionary of the first input. Others must have the same ones, in the same order. */
static void keep_dictionary(void *state, struct messages *messages)
{
    struct reading *reading = state;
    struct arrow_table *table = reading->table;
    size_t bytes;
    const unsigned char *header = messages_header(messages, &bytes);
    struct arrow_message message = with_header(header, bytes);
    message.body_bytes = (size_t)messages->decoder.body_size_bytes;
    message.body = read_body(table, messages);
    if (reading->seen < reading->known && are_equal(&message, &table->dictionaries[reading->seen])) {
        table->bytes -= message.body_bytes;
        free_message(&message);
    } else {
        refuse_another(reading, &message);
        table->dictionaries = grow(table->dictionaries, table->dictionary_count, sizeof message);
        table->dictionaries[table->dictionary_count++] = message;
    }
    reading->seen++;
}

/* ---- record batches ---- */

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
    take(table, bytes);
}

static void add_batch(struct arrow_table *table, const struct arrow_batch *batch)
{
    table->batches = grow(table->batches, table->batch_count, sizeof *batch);
    table->batches[table->batch_count++] = *batch;
    table->rows += batch->rows;
    if (table->rows > ROWS_MOST)
        fail(table->name, "damaged Arrow data: it claims %llu rows", (unsigned long long)table->rows);
}

static void free_unpacked(const struct arrow_batch *batch, size_t columns)
{
    for (size_t i = 0; i < columns && batch->body == NULL; i++)
        for (unsigned b = 0; b < ARROW_BUFFERS; b++)
            free((void *)(uintptr_t)batch->parts[i].buffers[b].data);
    free(batch->parts);
    free(batch->body);
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

static void read_batch(struct arrow_table *table, struct messages *messages)
{
    struct arrow_batch batch = {.first = table->rows, .body = read_body(table, messages)};
    const struct ArrowBufferView body = {.data.as_uint8 = batch.body, .size_bytes = messages->decoder.body_size_bytes};
    struct loading loading = {.table = table, .input = messages->source.name, .batch = &batch};
    loading.packed = messages->decoder.codec == NANOARROW_IPC_COMPRESSION_TYPE_ZSTD;
    loading.view = decode(loading.input, &messages->decoder, &body);
    batch.rows = (uint64_t)loading.view->length;
    batch.parts = get_memory(table->column_count * sizeof *batch.parts);
    find_parts(table, &loading, &body);
    load_parts(table, &loading, &batch, (uint64_t)body.size_bytes);
    if (batch.rows > 0)
        add_batch(table, &batch);
    else
        free_unpacked(&batch, table->column_count);
}

void arrow_table_read(struct arrow_table *table, const struct arrow_source *source)
{
    struct reading reading = {.table = table, .input = source->name, .known = table->dictionary_count};
    struct ArrowSchema schema = {.release = NULL};
    struct messages messages;
    if (table->name == NULL)
        table->name = source->name;
    messages_open(&messages, source, &schema);
    if (table->columns == NULL)
        table->schema = with_header(messages.schema, messages.schema_bytes);
    table_columns_set(table, &messages, &schema);
    ArrowSchemaRelease(&schema);
    messages.dictionary = keep_dictionary;
    messages.state = &reading;
    while (messages_next(&messages))
        read_batch(table, &messages);
    messages_close(&messages);
}

void arrow_table_free(struct arrow_table *table)
{
    for (size_t i = 0; i < table->batch_count; i++)
        free_unpacked(&table->batches[i], table->column_count);
    for (size_t i = 0; i < table->dictionary_count; i++)
        free_message(&table->dictionaries[i]);
    for (size_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].format);
    }
    free_message(&table->schema);
    free(table->batches);
    free(table->dictionaries);
    free(table->columns);
}
