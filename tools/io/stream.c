/* stream.c - see stream.h. */
#include "stream.h"

#include <pthread.h>
#include <stdlib.h>

#include "block_queue.h"
#include "common/progress.h"
#include "common/threads.h"

#define BLOCK_BYTES ((size_t)16 << 20)
#define STEP_BYTES ((size_t)64 << 20)   /* per read into a host buffer: enough for all threads of pread_all() */
#define FIRST_BYTES ((size_t)256 << 20) /* first size of a device buffer whose final size is unknown */

/* ---- reading ---- */

struct reader {
    struct input *inputs; /* not read yet */
    size_t count, block_bytes;
    struct block_queue *queue;
    pthread_t thread;
    bool taken, ended;
};

size_t good_block_bytes(size_t element)
{
    return element >= BLOCK_BYTES ? element : BLOCK_BYTES / element * element;
}

static size_t fill(struct reader *reader, char *block)
{
    size_t got = 0;
    while (reader->count > 0) {
        got += input_read(reader->inputs, block + got, reader->block_bytes - got);
        if (got == reader->block_bytes)
            break;
        reader->inputs++;
        reader->count--;
    }
    return got;
}

static void *read_blocks(void *argument)
{
    struct reader *reader = argument;
    for (size_t got = reader->block_bytes; got == reader->block_bytes;) {
        got = fill(reader, queue_claim(reader->queue));
        if (got > 0)
            queue_publish(reader->queue, got);
    }
    queue_claim(reader->queue);
    queue_publish(reader->queue, 0);
    return NULL;
}

struct reader *reader_start(struct input *inputs, size_t count, size_t block_bytes, size_t before)
{
    struct reader *reader = get_memory(sizeof *reader);
    *reader = (struct reader){.inputs = inputs, .count = count, .block_bytes = block_bytes};
    reader->queue = queue_create(block_bytes, before);
    thread_start(&reader->thread, read_blocks, reader);
    return reader;
}

char *reader_next(struct reader *reader, size_t *bytes)
{
    if (reader->taken)
        queue_release(reader->queue);
    reader->taken = true;
    char *block = queue_take(reader->queue, bytes);
    reader->ended = *bytes == 0;
    progress_add(*bytes);
    return reader->ended ? NULL : block;
}

void reader_finish(struct reader *reader)
{
    pthread_join(reader->thread, NULL);
    queue_destroy(reader->queue);
    free(reader);
}

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

struct writer {
    write_function *write;
    void *sink;
    struct block_queue *queue;
    pthread_t thread;
};

static void *write_blocks(void *argument)
{
    struct writer *writer = argument;
    size_t bytes;
    for (const char *block; block = queue_take(writer->queue, &bytes), bytes > 0; queue_release(writer->queue))
        writer->write(writer->sink, block, bytes);
    return NULL;
}

struct writer *writer_start(write_function *write, void *sink, size_t block_bytes)
{
    struct writer *writer = get_memory(sizeof *writer);
    *writer = (struct writer){.write = write, .sink = sink, .queue = queue_create(block_bytes, 0)};
    thread_start(&writer->thread, write_blocks, writer);
    return writer;
}

char *writer_claim(struct writer *writer)
{
    return queue_claim(writer->queue);
}

void writer_publish(struct writer *writer, size_t bytes)
{
    if (bytes > 0)
        queue_publish(writer->queue, bytes);
}

void writer_finish(struct writer *writer)
{
    queue_claim(writer->queue);
    queue_publish(writer->queue, 0);
    pthread_join(writer->thread, NULL);
    queue_destroy(writer->queue);
    free(writer);
}

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
