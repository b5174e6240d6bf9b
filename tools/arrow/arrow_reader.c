/* arrow_reader.c - see arrow_reader.h. Numbers go from the source straight to where they are wanted: no record batch is
 * kept in memory, whatever its header claims. */
#include "arrow_reader.h"

#include <stdlib.h>

#include "codec/little.h"
#include "column.h"
#include "message.h"
#include "packed.h"

/* The most bytes that a byte of zstd can mean: a block of 128 KiB takes at least 3 bytes. */
#define ZSTD_RATIO_MOST 65536

#define LENGTH_BYTES 8 /* in front of a compressed buffer: its length, or -1 if it is not compressed after all */

struct arrow_reader {
    struct messages messages;
    struct column column;
    uint64_t left;         /* bytes of elements of the batch that were not read */
    uint64_t frame;        /* bytes of the compressed buffer; 0: it is not compressed */
    uint64_t behind;       /* bytes of the batch behind the elements */
    struct packed *packed; /* NULL: it is not being read */
    bool ended;
};

struct arrow_reader *arrow_reader_open(const struct arrow_source *source, const char *column, struct schema *schema)
{
    struct arrow_reader *reader = get_memory(sizeof *reader);
    struct ArrowSchema columns = {.release = NULL};
    *reader = (struct arrow_reader){.left = 0};
    messages_open(&reader->messages, source, &columns);
    reader->column = column_find(source->name, &columns, reader->messages.encoded, column);
    ArrowSchemaRelease(&columns);
    column_schema(&reader->column, schema);
    return reader;
}

static NO_RETURN void refuse_length(const struct arrow_reader *reader)
{
    fail(reader->messages.source.name, "damaged Arrow data: a record batch claims more elements than it holds");
}

/* Reads the length in front of a compressed buffer. Returns the bytes that follow, and says what they hold. */
static uint64_t open_frame(struct arrow_reader *reader, uint64_t bytes)
{
    unsigned char field[LENGTH_BYTES];
    if (bytes < LENGTH_BYTES)
        refuse_length(reader);
    messages_read(&reader->messages, field, sizeof field);
    bytes -= sizeof field;
    uint64_t length = little_u32(field) | (uint64_t)little_u32(field + 4) << 32;
    bool stored = length == UINT64_MAX;
    if (reader->left > (stored ? bytes : length) || (!stored && reader->left / ZSTD_RATIO_MOST > bytes))
        refuse_length(reader);
    reader->frame = stored ? 0 : bytes;
    return bytes;
}

static void start_batch(struct arrow_reader *reader)
{
    struct messages *messages = &reader->messages;
    uint64_t body = (uint64_t)messages->decoder.body_size_bytes;
    enum ArrowIpcCompressionType codec = messages->decoder.codec;
    struct extent extent = column_extent(messages->source.name, &reader->column, &messages->decoder);
    reader->left = extent.rows * reader->column.size;
    reader->frame = 0;
    if (codec == NANOARROW_IPC_COMPRESSION_TYPE_LZ4_FRAME)
        fail(messages->source.name, "is compressed by LZ4, which is not supported; zstd is");
    messages_skip(messages, extent.offset);
    reader->behind = body - extent.offset;
    if (codec == NANOARROW_IPC_COMPRESSION_TYPE_ZSTD && extent.rows > 0) {
        uint64_t bytes = open_frame(reader, extent.bytes);
        reader->behind -= LENGTH_BYTES + (reader->frame > 0 ? bytes : reader->left);
    } else if (reader->left > extent.bytes) {
        refuse_length(reader);
    } else {
        reader->behind -= reader->left;
    }
}

/* Ends a batch whose elements were read or skipped. */
static void end_batch(struct arrow_reader *reader)
{
    if (reader->packed != NULL)
        messages_skip(&reader->messages, packed_close(reader->packed));
    reader->packed = NULL;
    messages_skip(&reader->messages, reader->behind);
    reader->behind = 0;
}

/* Has a batch with elements that were not read. Returns false at the end. */
static bool next_batch(struct arrow_reader *reader)
{
    while (reader->left == 0) {
        end_batch(reader);
        reader->ended = reader->ended || !messages_next(&reader->messages);
        if (reader->ended)
            return false;
        start_batch(reader);
    }
    return true;
}

static void read_part(struct arrow_reader *reader, void *memory, size_t bytes)
{
    if (reader->frame == 0) {
        messages_read(&reader->messages, memory, bytes);
        return;
    }
    if (reader->packed == NULL)
        reader->packed = packed_open(&reader->messages, reader->frame);
    if (packed_read(reader->packed, memory, bytes) < bytes)
        refuse_length(reader);
}

size_t arrow_reader_read(struct arrow_reader *reader, void *memory, size_t bytes)
{
    size_t got = 0;
    while (got < bytes && next_batch(reader)) {
        size_t part = bytes - got < reader->left ? bytes - got : (size_t)reader->left;
        read_part(reader, (char *)memory + got, part);
        reader->left -= part;
        got += part;
    }
    return got;
}

uint64_t arrow_reader_count(struct arrow_reader *reader)
{
    uint64_t count = 0;
    while (next_batch(reader)) {
        if (__builtin_add_overflow(count, reader->left / reader->column.size, &count))
            refuse_length(reader);
        messages_skip(&reader->messages, reader->frame > 0 ? reader->frame : reader->left);
        reader->left = 0;
    }
    return count;
}

void arrow_reader_close(struct arrow_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->packed != NULL)
        packed_close(reader->packed);
    messages_close(&reader->messages);
    free(reader);
}
