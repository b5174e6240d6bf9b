/* prefix_writer.c - see prefix_writer.h. */
#include "prefix_writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/progress.h"
#include "common/threads.h"

#define STEP_BYTES ((size_t)16 << 20) /* per write, so that the progress is seen */

struct prefix_writer {
    struct output *output;
    const char *data;
    size_t element, limit; /* limit: elements to be written */
    size_t final;          /* elements that are final */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
};

/* Waits until more than `done` elements are final. Returns how many, at most the limit. */
static size_t wait_for_more(struct prefix_writer *writer, size_t done)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->final <= done)
        pthread_cond_wait(&writer->changed, &writer->lock);
    size_t final = writer->final;
    pthread_mutex_unlock(&writer->lock);
    return final < writer->limit ? final : writer->limit;
}

static void *write_prefix(void *argument)
{
    struct prefix_writer *writer = argument;
    for (size_t done = 0; done < writer->limit;) {
        size_t final = wait_for_more(writer, done), end = final * writer->element;
        for (size_t at = done * writer->element, part; at < end; at += part) {
            part = end - at < STEP_BYTES ? end - at : STEP_BYTES;
            output_write(writer->output, writer->data + at, part);
            progress_add(part);
        }
        done = final;
    }
    return NULL;
}

struct prefix_writer *prefix_start(struct output *output, const char *data, size_t element, size_t limit)
{
    struct prefix_writer *writer = get_memory(sizeof *writer);
    *writer = (struct prefix_writer){.output = output, .data = data, .element = element, .limit = limit};
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    thread_start(&writer->thread, write_prefix, writer);
    return writer;
}

void prefix_ready(void *state, size_t n)
{
    struct prefix_writer *writer = state;
    pthread_mutex_lock(&writer->lock);
    writer->final = n;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

void prefix_finish(struct prefix_writer *writer)
{
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}
