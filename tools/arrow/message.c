/* message.c - see message.h. Format: "Arrow Columnar Format", section "Serialization and Interprocess Communication".
 * A message is 0xFFFFFFFF, the length of its header, the header, and a body; a message of length 0 is the end. */
#include "message.h"

#include <stdlib.h>
#include <string.h>

#include "codec/little.h"
#include "encoded.h"

#define PREFIX_BYTES 8
#define HEADER_STEP ((size_t)64 << 10) /* memory for a header grows with the bytes that are there */
#define HEADER_MOST ((size_t)256 << 20)
#define MAGIC_BYTES 6

void messages_end_early(const struct messages *messages)
{
    fail(messages->source.name, "ends too early: the Arrow %s is truncated", messages->source.file ? "file" : "stream");
}

void messages_read(struct messages *messages, void *memory, size_t bytes)
{
    if (messages->source.read(messages->source.state, memory, bytes) < bytes)
        messages_end_early(messages);
}

void messages_skip(struct messages *messages, uint64_t bytes)
{
    if (bytes > 0 && !messages->source.skip(messages->source.state, bytes))
        messages_end_early(messages);
}

static void check(const struct messages *messages, int result, const struct ArrowError *error)
{
    if (result != NANOARROW_OK)
        fail(messages->source.name, "damaged, or not supported, Arrow data: %s", error->message);
}

static void make_room(struct messages *messages, size_t room)
{
    if (room <= messages->room)
        return;
    unsigned char *grown = realloc(messages->header, room);
    if (grown == NULL)
        fail(messages->source.name, "out of memory");
    messages->header = grown;
    messages->room = room;
}

/* Reads a header of `length` bytes behind its prefix. */
static void read_header(struct messages *messages, size_t length)
{
    for (size_t done = 0, step = HEADER_STEP; done < length; done += step, step = done) {
        if (step > length - done)
            step = length - done;
        make_room(messages, PREFIX_BYTES + done + step);
        messages_read(messages, messages->header + PREFIX_BYTES + done, step);
    }
    messages->bytes = PREFIX_BYTES + length;
}

static struct ArrowBufferView view_of(const struct messages *messages)
{
    return (struct ArrowBufferView){.data.as_uint8 = messages->header, .size_bytes = (int64_t)messages->bytes};
}

static void verify(struct messages *messages)
{
    struct ArrowError error = {.message = ""};
    check(messages, ArrowIpcDecoderVerifyHeader(&messages->decoder, view_of(messages), &error), &error);
    if (messages->decoder.body_size_bytes < 0)
        fail(messages->source.name, "damaged Arrow data: a message has a negative length");
}

static void decode(struct messages *messages)
{
    struct ArrowError error = {.message = ""};
    check(messages, ArrowIpcDecoderDecodeHeader(&messages->decoder, view_of(messages), &error), &error);
}

/* Reads the next header. Returns false at the mark of the end. */
static bool next_header(struct messages *messages)
{
    make_room(messages, HEADER_STEP);
    messages_read(messages, messages->header, PREFIX_BYTES);
    if (memcmp(messages->header, ARROW_STREAM_HEAD, 4) != 0)
        fail(messages->source.name,
             "damaged Arrow data, or a format from before Arrow 0.15: no message where one has to "
             "begin");
    size_t length = little_u32(messages->header + 4);
    if (length == 0)
        return false;
    if (length > HEADER_MOST)
        fail(messages->source.name, "an Arrow message claims a header of %zu bytes; no more than %zu are taken", length,
             HEADER_MOST);
    read_header(messages, length);
    verify(messages);
    return true;
}

unsigned char *messages_header(const struct messages *messages, size_t *bytes)
{
    *bytes = messages->bytes - PREFIX_BYTES;
    return messages->header + PREFIX_BYTES;
}

/* Keeps the schema, and decodes it without its dictionaries. */
static void decode_schema(struct messages *messages, struct ArrowSchema *schema)
{
    const char *name = messages->source.name;
    struct ArrowError error = {.message = ""};
    unsigned char *header = messages_header(messages, &messages->schema_bytes);
    messages->schema = get_memory(messages->schema_bytes);
    memcpy(messages->schema, header, messages->schema_bytes);
    messages->encoded = encoded_hide(name, header);
    verify(messages);
    decode(messages);
    if (messages->decoder.endianness != NANOARROW_IPC_ENDIANNESS_LITTLE)
        fail(name, "holds big-endian Arrow data, which is not supported");
    check(messages, ArrowIpcDecoderDecodeSchema(&messages->decoder, schema, &error), &error);
    check(messages, ArrowIpcDecoderSetSchema(&messages->decoder, schema, &error), &error);
}

void messages_open(struct messages *messages, const struct arrow_source *source, struct ArrowSchema *schema)
{
    *messages = (struct messages){.source = *source};
    if (ArrowIpcDecoderInit(&messages->decoder) != NANOARROW_OK)
        fail(NULL, "out of memory");
    if (!next_header(messages) || messages->decoder.message_type != NANOARROW_IPC_MESSAGE_TYPE_SCHEMA)
        fail(source->name, "damaged Arrow data: the first message is no schema");
    decode_schema(messages, schema);
    messages_skip(messages, (uint64_t)messages->decoder.body_size_bytes);
}

/* A file ends with a footer and its magic. A stream ends here. */
static void check_end(struct messages *messages)
{
    unsigned char bytes[4096 + MAGIC_BYTES], *const behind = bytes + MAGIC_BYTES;
    const size_t step = sizeof bytes - MAGIC_BYTES;
    size_t got = step;
    uint64_t all = 0;
    memset(bytes, 0, sizeof bytes);
    while (got == step) {
        got = messages->source.read(messages->source.state, behind, step);
        memmove(bytes, bytes + got, MAGIC_BYTES);
        all += got;
    }
    if (!messages->source.file && all > 0)
        fail(messages->source.name, "bytes follow the end of the Arrow stream");
    if (messages->source.file && memcmp(bytes, ARROW_FILE_HEAD, MAGIC_BYTES) != 0)
        messages_end_early(messages);
}

/* A dictionary batch is not decoded. */
static void pass_dictionary(struct messages *messages)
{
    if (messages->dictionary != NULL)
        messages->dictionary(messages->state, messages);
    else
        messages_skip(messages, (uint64_t)messages->decoder.body_size_bytes);
}

bool messages_next(struct messages *messages)
{
    while (next_header(messages)) {
        enum ArrowIpcMessageType type = messages->decoder.message_type;
        if (type == NANOARROW_IPC_MESSAGE_TYPE_RECORD_BATCH) {
            decode(messages);
            return true;
        }
        if (type != NANOARROW_IPC_MESSAGE_TYPE_DICTIONARY_BATCH)
            fail(messages->source.name, "damaged Arrow data: a message is no record batch");
        pass_dictionary(messages);
    }
    check_end(messages);
    return false;
}

void messages_close(struct messages *messages)
{
    ArrowIpcDecoderReset(&messages->decoder);
    free(messages->header);
    free(messages->schema);
    free(messages->encoded);
}
