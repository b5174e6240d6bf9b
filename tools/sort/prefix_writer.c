/* prefix_writer.c - see prefix_writer.h. Each thread takes the next part and waits until its elements are final.
 * Several threads copy into mapped pages; one writes. */
#include "prefix_writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/device.h"
#include "common/progress.h"
#include "common/threads.h"
#include "io/choose.h"
#include "io/pages.h"

#define PART_BYTES ((size_t)8 << 20) /* per write, so that the progress is seen */
#define THREADS_MAX 16

struct prefix_writer {
    struct output *output;
    struct pages *pages; /* in place of write(), or NULL */
    const char *data;
    size_t element, bytes; /* bytes: to be written */
    size_t taken;          /* bytes of parts that threads have taken */
    size_t final;          /* bytes that are final */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t threads[THREADS_MAX];
    unsigned thread_count;
};

/* Takes the next part, and waits until it is final. Returns its bytes; 0 at the end. */
static size_t take_part(struct prefix_writer *writer, size_t *at)
{
    pthread_mutex_lock(&writer->lock);
    size_t left = writer->bytes - writer->taken, part = left < PART_BYTES ? left : PART_BYTES;
    *at = writer->taken;
    writer->taken += part;
    while (part > 0 && writer->final < *at + part)
        pthread_cond_wait(&writer->changed, &writer->lock);
    pthread_mutex_unlock(&writer->lock);
    return part;
}

static void *write_parts(void *argument)
{
    struct prefix_writer *writer = argument;
    for (size_t at, part; (part = take_part(writer, &at)) > 0;) {
        if (writer->pages != NULL)
            pages_put(writer->pages, writer->data + at, part, at);
        else
            output_write(writer->output, writer->data + at, part);
        pthread_mutex_lock(&writer->lock);
        progress_add(part);
        pthread_mutex_unlock(&writer->lock);
    }
    return NULL;
}

/* If not all threads can be started, one is enough. */
static void start(struct prefix_writer *writer, unsigned threads)
{
    thread_start(&writer->threads[0], write_parts, writer);
    for (writer->thread_count = 1; writer->thread_count < threads; writer->thread_count++)
        if (pthread_create(&writer->threads[writer->thread_count], NULL, write_parts, writer) != 0)
            break;
}

struct prefix_writer *prefix_start(struct output *output, const char *data, size_t element, size_t limit,
                                   const struct common *common)
{
    struct prefix_writer *writer = get_memory(sizeof *writer);
    *writer = (struct prefix_writer){.output = output, .data = data, .element = element, .bytes = limit * element};
    unsigned processors = (unsigned)device_processors(common);
    enum way way = output_way(output, processors);
    unsigned threads = choose_writers(way, false, processors);
    if (way == WAY_PAGES) {
        writer->pages = pages_open(output);
        pages_expect(writer->pages, writer->bytes);
    }
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    start(writer, threads < THREADS_MAX ? threads : THREADS_MAX);
    return writer;
}

void prefix_ready(void *state, size_t n)
{
    struct prefix_writer *writer = state;
    size_t final = n * writer->element;
    pthread_mutex_lock(&writer->lock);
    writer->final = final < writer->bytes ? final : writer->bytes;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

void prefix_finish(struct prefix_writer *writer)
{
    for (unsigned i = 0; i < writer->thread_count; i++)
        pthread_join(writer->threads[i], NULL);
    if (writer->pages != NULL)
        pages_close(writer->pages, writer->bytes);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}
