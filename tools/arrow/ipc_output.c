/* ipc_output.c - see ipc_output.h. nanoarrow 0.8 writes neither dictionaries nor a schema with them, so the schema is
 * written as it was read. The footer holds a schema too: a flatbuffer refers to its tables by distances alone, so the
 * bytes of the schema message are a part of the footer as they are. Format: File.fbs of Arrow. */
#include "ipc_output.h"

#include <stdlib.h>
#include <string.h>

#include "flat.h"

#define STEP 8 /* messages are aligned */
#define PREFIX_BYTES 8
#define BLOCK_BYTES 24

/* What a message is listed as in the footer. */
struct blocks {
    size_t count, room;
    unsigned char *bytes;
};

static void put_u64(unsigned char *to, uint64_t value)
{
    little_put(to, (uint32_t)value, 4);
    little_put(to + 4, (uint32_t)(value >> 32), 4);
}

static void add_block(struct blocks *blocks, uint64_t offset, size_t header_bytes, uint64_t body_bytes)
{
    if (blocks->count == blocks->room) {
        blocks->room = blocks->room == 0 ? 64 : 2 * blocks->room;
        blocks->bytes = realloc(blocks->bytes, blocks->room * BLOCK_BYTES);
        if (blocks->bytes == NULL)
            fail(NULL, "out of memory");
    }
    unsigned char *block = blocks->bytes + blocks->count++ * BLOCK_BYTES;
    put_u64(block, offset);
    put_u64(block + 8, header_bytes);
    put_u64(block + 16, body_bytes);
}

/* ---- messages ---- */

static void put(struct ipc_output *output, const void *memory, size_t bytes)
{
    if (bytes > 0)
        output->target.write(output->target.sink, memory, bytes);
    output->offset += bytes;
}

static void pad(struct ipc_output *output)
{
    static const unsigned char zeros[STEP];
    put(output, zeros, (size_t)(-output->offset % STEP));
}

/* Writes a message that was read without its prefix. Returns the bytes of the header. */
static size_t put_message(struct ipc_output *output, const struct arrow_message *message)
{
    size_t padded = message->header_bytes + -message->header_bytes % STEP;
    unsigned char prefix[PREFIX_BYTES];
    memcpy(prefix, ARROW_STREAM_HEAD, 4);
    little_put(prefix + 4, (uint32_t)padded, 4);
    put(output, prefix, sizeof prefix);
    put(output, message->header, message->header_bytes);
    pad(output);
    put(output, message->body, message->body_bytes);
    pad(output);
    return sizeof prefix + padded;
}

void ipc_begin(struct ipc_output *output, const struct arrow_target *target, const struct arrow_table *table)
{
    unsigned char *version = flat_value(flat_follow(table->schema.header), MESSAGE_VERSION);
    *output = (struct ipc_output){.target = *target};
    output->dictionaries = get_memory(sizeof *output->dictionaries);
    output->batches = get_memory(sizeof *output->batches);
    *output->dictionaries = *output->batches = (struct blocks){.count = 0};
    if (version != NULL)
        little_put(version, VERSION_V5, 2); /* as of the batches; the versions differ only in unions */
    if (target->file)
        put(output, ARROW_FILE_HEAD, ARROW_HEAD_BYTES);
    put_message(output, &table->schema);
    for (size_t i = 0; i < table->dictionary_count; i++) {
        const struct arrow_message *message = &table->dictionaries[i];
        uint64_t offset = output->offset;
        add_block(output->dictionaries, offset, put_message(output, message), message->body_bytes);
    }
}

void ipc_batch(struct ipc_output *output, const void *header, size_t header_bytes, const void *body, size_t body_bytes)
{
    add_block(output->batches, output->offset, header_bytes, body_bytes);
    put(output, header, header_bytes);
    put(output, body, body_bytes);
}

/* ---- the footer ---- */

/* Where the parts of the footer lie: its table behind its vtable, then the schema message, then vectors of blocks. */
enum { VTABLE = 4, TABLE = 16, VERSION = 20, SCHEMA = 24, DICTIONARIES = 28, BATCHES = 32, MESSAGE = 40 };

static void put_vector(struct ipc_output *output, const struct blocks *blocks)
{
    unsigned char head[8] = {0}; /* the length stands in front of blocks that are aligned */
    little_put(head + 4, (uint32_t)blocks->count, 4);
    put(output, head, sizeof head);
    put(output, blocks->bytes, blocks->count * BLOCK_BYTES);
}

static void put_footer(struct ipc_output *output, const struct arrow_message *schema)
{
    unsigned char head[MESSAGE] = {0};
    size_t padded = schema->header_bytes + -schema->header_bytes % STEP;
    size_t first = MESSAGE + padded + 4, second = first + 8 + output->dictionaries->count * BLOCK_BYTES;
    const unsigned char *table = flat_reference(flat_follow(schema->header), MESSAGE_HEADER);
    const unsigned fields[] = {VERSION, SCHEMA, DICTIONARIES, BATCHES};
    little_put(head, TABLE, 4);
    little_put(head + VTABLE, TABLE - VTABLE, 2);
    little_put(head + VTABLE + 2, BATCHES + 4 - TABLE, 2);
    for (unsigned i = 0; i < 4; i++)
        little_put(head + VTABLE + 4 + 2 * i, fields[i] - TABLE, 2);
    little_put(head + TABLE, TABLE - VTABLE, 4);
    little_put(head + VERSION, VERSION_V5, 2);
    little_put(head + SCHEMA, (uint32_t)(MESSAGE - SCHEMA + (size_t)(table - schema->header)), 4);
    little_put(head + DICTIONARIES, (uint32_t)(first - DICTIONARIES), 4);
    little_put(head + BATCHES, (uint32_t)(second - BATCHES), 4);
    put(output, head, sizeof head);
    put(output, schema->header, schema->header_bytes);
    pad(output);
    put_vector(output, output->dictionaries);
    put_vector(output, output->batches);
}

void ipc_end(struct ipc_output *output, const struct arrow_table *table)
{
    const unsigned char end[PREFIX_BYTES] = {0xff, 0xff, 0xff, 0xff};
    put(output, end, sizeof end);
    if (output->target.file) {
        uint64_t before = output->offset;
        unsigned char length[4];
        put_footer(output, &table->schema);
        little_put(length, (uint32_t)(output->offset - before), 4);
        put(output, length, sizeof length);
        put(output, ARROW_FILE_HEAD, strlen(ARROW_FILE_HEAD));
    }
    free(output->dictionaries->bytes);
    free(output->batches->bytes);
    free(output->dictionaries);
    free(output->batches);
}
