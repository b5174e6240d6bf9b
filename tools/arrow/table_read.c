/* table_read.c - reads tables, with their dictionaries. */
#include <stdlib.h>
#include <string.h>

#include "arrow_table.h"
#include "common/progress.h"
#include "encoded.h"
#include "message.h"
#include "table_batch.h"
#include "table_columns.h"

struct reading {
    struct arrow_table *table;
    const char *input;
    size_t known; /* dictionaries that other inputs had */
    size_t seen;  /* dictionaries of this one */
};

/* Memory is not touched before it is read to, so a body that is not there takes none. */
static unsigned char *read_body(struct arrow_table *table, struct messages *messages)
{
    uint64_t bytes = (uint64_t)messages->decoder.body_size_bytes;
    table_take(table, bytes);
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
        table->dictionaries = table_grow(table->dictionaries, table->dictionary_count, sizeof message);
        table->dictionaries[table->dictionary_count++] = message;
    }
    reading->seen++;
}

/* ---- tables ---- */

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
    table_columns_set(table, source->name, &schema, messages.encoded);
    ArrowSchemaRelease(&schema);
    messages.dictionary = keep_dictionary;
    messages.state = &reading;
    while (messages_next(&messages))
        table_batch_add(table, source->name, &messages.decoder, read_body(table, &messages));
    messages_close(&messages);
}

void arrow_table_free(struct arrow_table *table)
{
    for (size_t i = 0; i < table->batch_count; i++)
        table_batch_free(&table->batches[i], table->column_count);
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
