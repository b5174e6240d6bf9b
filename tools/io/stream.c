/* stream.c - see stream.h. */
#include "stream.h"

#include <pthread.h>

#include "common/progress.h"

#define BLOCK_BYTES ((size_t)16 << 20)
#define PART_BYTES ((size_t)4 << 20)    /* that a thread reads into a host buffer at a time */
#define LOADERS_MAX 16
#define FIRST_BYTES ((size_t)256 << 20) /* first size of a device buffer whose final size is unknown */

/* ---- reading ---- */

/* Nothing else works meanwhile. Each thread gets some parts; a pipe needs one thread. */
static unsigned loaders_for(const struct source *source)
{
    if (source->current == source->count)
        return 1;
    const struct input *input = &source->inputs[source->current];
    uint64_t size = inputs_size(input, source->count - source->current);
    uint64_t parts = size == SIZE_UNKNOWN ? 1 : size / PART_BYTES;
    unsigned most = input->threads < LOADERS_MAX ? input->threads : LOADERS_MAX;
    return parts < most ? (unsigned)parts : most;
}

/* Threads claim parts of the buffer, together with the parts of the inputs that belong there. */
struct loading {
    pthread_mutex_t lock;
    struct buffer *buffer;
    struct source *source;
};

/* Loads the next part. Returns false if the buffer is full, or at the end of the inputs. */
static bool load_part(struct loading *loading)
{
    struct buffer *buffer = loading->buffer;
    struct source *source = loading->source;
    struct piece piece = {.bytes = 0};
    pthread_mutex_lock(&loading->lock);
    size_t room = buffer->room - buffer->used, part = room < PART_BYTES ? room : PART_BYTES;
    bool more = source->current < source->count && room > 0;
    if (more) {
        struct input *input = &source->inputs[source->current];
        size_t got = input_reserve(input, buffer->data + buffer->used, part, &piece);
        buffer->used += got;
        source->current += got < part;
        progress_add(got);
    }
    pthread_mutex_unlock(&loading->lock);
    piece_read(&piece);
    return more;
}

static void *load_parts(void *argument)
{
    while (load_part(argument))
        ;
    return NULL;
}

bool load_host(struct buffer *buffer, struct source *source)
{
    struct loading loading = {.buffer = buffer, .source = source};
    pthread_t threads[LOADERS_MAX];
    unsigned started = 0, most = loaders_for(source);
    pthread_mutex_init(&loading.lock, NULL);
    while (started + 1 < most && pthread_create(&threads[started], NULL, load_parts, &loading) == 0)
        started++;
    load_parts(&loading);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&loading.lock);
    return source->current == source->count;
}

static void append(struct buffer *buffer, const void *memory, size_t bytes)
{
    check_call(buffer->context, scankit_upload(buffer->context, buffer->data + buffer->used, memory, bytes));
    buffer->used += bytes;
}

void load_device(struct buffer *buffer, struct source *source, struct buffer *first, uint64_t bytes,
                 struct device *device, void (*allow)(void *state, uint64_t bytes), void *state)
{
    size_t left = source->count - source->current, got;
    struct input *input = &source->inputs[source->current];
    struct reader *reader = left == 0 ? NULL : reader_start(input, left, good_block_bytes(input->element), 0);
    scankit_context *context = device_end(device);
    uint64_t size = bytes != SIZE_UNKNOWN ? bytes : first->used > FIRST_BYTES / 2 ? 2 * first->used : FIRST_BYTES;
    allow(state, bytes != SIZE_UNKNOWN ? bytes : first->used);
    buffer_grow(buffer, context, size);
    append(buffer, first->data, first->used);
    buffer_free(first);
    if (reader == NULL)
        return;
    reader_pin(reader, context);
    for (char *block; (block = reader_next(reader, &got)) != NULL; append(buffer, block, got)) {
        allow(state, buffer->used + got);
        if (got > buffer->room - buffer->used)
            buffer_grow(buffer, context, 2 * buffer->room + got);
    }
    reader_finish(reader);
    source->current = source->count;
}

/* ---- writing ---- */

static void store_from_device(struct output *output, const struct buffer *buffer, size_t bytes)
{
    struct writer *writer = writer_start(output_write, output, BLOCK_BYTES);
    writer_pin(writer, buffer->context);
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
