/* stream.c - see stream.h. */
#include "stream.h"

#include "common/memory.h"
#include "common/progress.h"

#define BLOCK_BYTES ((size_t)16 << 20)
#define STEP_BYTES ((size_t)64 << 20)   /* per read into a host buffer: enough for all threads of pread_all() */
#define FIRST_BYTES ((size_t)256 << 20) /* first size of a device buffer whose final size is unknown */

/* ---- reading ---- */

bool load_host(struct buffer *buffer, struct source *source)
{
    while (source->current < source->count) {
        size_t room = buffer->room - buffer->used;
        size_t part = room < STEP_BYTES ? room : STEP_BYTES;
        if (room == 0)
            return false;
        size_t got = input_read(&source->inputs[source->current], buffer->data + buffer->used, part);
        buffer->used += got;
        progress_add(got);
        if (got < part)
            source->current++;
    }
    return true;
}

static struct reader *read_current(struct source *source)
{
    if (source->current == source->count)
        return NULL;
    struct input *input = &source->inputs[source->current];
    return reader_start(input, 1, good_block_bytes(input->element), 0);
}

static void append(struct buffer *buffer, const void *memory, size_t bytes)
{
    check_call(buffer->context, scankit_upload(buffer->context, buffer->data + buffer->used, memory, bytes));
    buffer->used += bytes;
}

void load_device(struct buffer *buffer, struct source *source, struct buffer *first, uint64_t bytes,
                 struct device *device, void (*allow)(void *state, uint64_t bytes), void *state)
{
    struct reader *reader = read_current(source);
    scankit_context *context = device_end(device);
    uint64_t size = bytes != SIZE_UNKNOWN ? bytes : first->used > FIRST_BYTES / 2 ? 2 * first->used : FIRST_BYTES;
    allow(state, bytes != SIZE_UNKNOWN ? bytes : first->used);
    buffer_grow(buffer, context, size);
    append(buffer, first->data, first->used);
    buffer_free(first);
    while (reader != NULL) {
        size_t got;
        for (char *block; (block = reader_next(reader, &got)) != NULL; append(buffer, block, got)) {
            allow(state, buffer->used + got);
            if (got > buffer->room - buffer->used)
                buffer_grow(buffer, context, 2 * buffer->room + got);
        }
        reader_finish(reader);
        source->current++;
        reader = read_current(source);
    }
}

/* ---- writing ---- */

static void store_from_device(struct output *output, const struct buffer *buffer, size_t bytes)
{
    struct writer *writer = writer_start(output_write, output, BLOCK_BYTES);
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        check_call(buffer->context, scankit_download(buffer->context, writer_claim(writer), buffer->data + done, part));
        writer_publish(writer, part);
        done += part;
        progress_add(part);
    }
    writer_finish(writer);
}

void store(struct output *output, const struct buffer *buffer, size_t bytes)
{
    if (buffer->context != NULL) {
        store_from_device(output, buffer, bytes);
        return;
    }
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        output_write(output, buffer->data + done, part);
        done += part;
        progress_add(part);
    }
}
