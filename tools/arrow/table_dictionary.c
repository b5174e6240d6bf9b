/* table_dictionary.c - the values of a dictionary, as a table of one column with a record batch for each message. */
#include <nanoarrow_ipc.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_table.h"
#include "codec/little.h"
#include "encoded.h"
#include "table_batch.h"
#include "table_columns.h"

#define PREFIX_BYTES 8

static void check(const char *input, int result, const struct ArrowError *error)
{
    if (result != NANOARROW_OK)
        fail(input, "damaged, or not supported, Arrow data: %s", error->message);
}

/* A message that was kept without its prefix, for the decoder. */
static struct ArrowBufferView copy_message(const struct arrow_message *message, unsigned char **header)
{
    unsigned char *copy = get_memory(PREFIX_BYTES + message->header_bytes);
    memcpy(copy, ARROW_STREAM_HEAD, 4);
    little_put(copy + 4, (uint32_t)message->header_bytes, 4);
    *header = copy + PREFIX_BYTES;
    memcpy(*header, message->header, message->header_bytes);
    return (struct ArrowBufferView){.data.as_uint8 = copy, .size_bytes = PREFIX_BYTES + (int64_t)message->header_bytes};
}

static void decode(const char *input, struct ArrowIpcDecoder *decoder, struct ArrowBufferView message)
{
    struct ArrowError error = {.message = ""};
    check(input, ArrowIpcDecoderVerifyHeader(decoder, message, &error), &error);
    check(input, ArrowIpcDecoderDecodeHeader(decoder, message, &error), &error);
}

/* Sets the decoder's schema: a column of the dictionary's values. */
static void set_schema(const struct arrow_table *table, size_t column, struct ArrowIpcDecoder *decoder,
                       struct arrow_table *values)
{
    struct ArrowError error = {.message = ""};
    struct ArrowSchema all, one;
    unsigned char *header;
    struct ArrowBufferView message = copy_message(&table->schema, &header);
    encoded_show(header);
    decode(table->name, decoder, message);
    check(table->name, ArrowIpcDecoderDecodeSchema(decoder, &all, &error), &error);
    ArrowSchemaInit(&one);
    check(table->name, ArrowSchemaSetTypeStruct(&one, 1), &error);
    ArrowSchemaRelease(one.children[0]);
    ArrowSchemaMove(all.children[column], one.children[0]);
    table_columns_set(values, table->name, &one, &(bool){false});
    check(table->name, ArrowIpcDecoderSetSchema(decoder, &one, &error), &error);
    ArrowSchemaRelease(&one);
    ArrowSchemaRelease(&all);
    free((void *)(uintptr_t)message.data.data);
}

static void add_values(const char *input, const struct arrow_message *dictionary, struct ArrowIpcDecoder *decoder,
                       struct arrow_table *values)
{
    unsigned char *header;
    struct ArrowBufferView message = copy_message(dictionary, &header);
    if (!encoded_to_batch(header))
        fail(input, "damaged Arrow data: a dictionary without values");
    decode(input, decoder, message);
    table_take(values, dictionary->body_bytes);
    unsigned char *body = get_memory(dictionary->body_bytes);
    if (dictionary->body_bytes > 0)
        memcpy(body, dictionary->body, dictionary->body_bytes);
    table_batch_add(values, input, decoder, body);
    free((void *)(uintptr_t)message.data.data);
}

void arrow_table_dictionary(const struct arrow_table *table, size_t column, struct arrow_table *values)
{
    unsigned long long number = encoded_of(table->schema.header, column);
    struct ArrowIpcDecoder decoder;
    *values =
        (struct arrow_table){.name = table->name, .limit = table->limit - table->bytes, .threads = table->threads};
    if (ArrowIpcDecoderInit(&decoder) != NANOARROW_OK)
        fail(NULL, "out of memory");
    set_schema(table, column, &decoder, values);
    for (size_t i = 0; i < table->dictionary_count; i++)
        if (encoded_number(table->dictionaries[i].header) == number)
            add_values(table->name, &table->dictionaries[i], &decoder, values);
    ArrowIpcDecoderReset(&decoder);
}
