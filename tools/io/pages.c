/* pages.c - see pages.h. Pages past the end of a file can be provided, but not written to. A temporary, which nobody
 * sees, gets longer with its pages. Other files get longer block by block: if the tool is killed, few bytes of them are
 * not yet written. */
#include "pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "file/mapping.h"

/* Bytes that the file system provides in advance, at most: as many as it has provided so far. */
#define AHEAD_BYTES ((uint64_t)64 << 20)

struct pages {
    struct output *output;
    pthread_mutex_t lock;
    bool begun;
    uint64_t begin;    /* offset in the file */
    uint64_t provided; /* bytes from there on that have pages; read without the lock too */
    bool hidden;       /* the file is a temporary */
    pthread_mutex_t growing;
    uint64_t length; /* bytes from there on that the file, if it is not hidden, has at least */
    bool threaded;   /* there is a thread that provides the expected bytes */
    bool ends;       /* it stops; set without the lock too, which it takes again as soon as it has left it */
    uint64_t expected;
    pthread_t thread;
    pthread_cond_t changed;
};

struct pages *pages_open(struct output *output)
{
    struct pages *pages = get_memory(sizeof *pages);
    *pages = (struct pages){.output = output, .hidden = output->target != NULL};
    pthread_mutex_init(&pages->lock, NULL);
    pthread_mutex_init(&pages->growing, NULL);
    pthread_cond_init(&pages->changed, NULL);
    return pages;
}

static void begin(struct pages *pages)
{
    pthread_mutex_lock(&pages->lock);
    if (!pages->begun)
        pages->begin = output_place(pages->output);
    pages->begun = true;
    pthread_mutex_unlock(&pages->lock);
}

/* ---- providing pages ---- */

static uint64_t provided(const struct pages *pages)
{
    return __atomic_load_n(&pages->provided, __ATOMIC_ACQUIRE);
}

/* Provides `more` bytes. The lock is held. */
static bool provide(struct pages *pages, uint64_t more)
{
    if (!output_provide(pages->output, pages->begin + pages->provided, more, pages->hidden))
        return false;
    __atomic_store_n(&pages->provided, pages->provided + more, __ATOMIC_RELEASE);
    return true;
}

/* If the file system has no pages for what may come, it may still have enough for what has. */
static void provide_up_to(struct pages *pages, uint64_t end)
{
    if (end <= provided(pages))
        return;
    pthread_mutex_lock(&pages->lock);
    if (end > pages->provided) {
        uint64_t needed = end - pages->provided, ahead = pages->provided < AHEAD_BYTES ? pages->provided : AHEAD_BYTES;
        if (!provide(pages, needed + ahead) && !provide(pages, needed))
            fail(pages->output->name, "cannot write: %s", strerror(errno));
    }
    pthread_mutex_unlock(&pages->lock);
}

/* If the file system is full, the thread ends: whoever needs the pages fails. */
static void *provide_expected(void *argument)
{
    struct pages *pages = argument;
    bool goes_on = true;
    pthread_mutex_lock(&pages->lock);
    while (goes_on && !__atomic_load_n(&pages->ends, __ATOMIC_ACQUIRE)) {
        uint64_t left = pages->expected > pages->provided ? pages->expected - pages->provided : 0;
        if (left == 0) {
            pthread_cond_wait(&pages->changed, &pages->lock);
            continue;
        }
        goes_on = provide(pages, left < AHEAD_BYTES ? left : AHEAD_BYTES);
        pthread_mutex_unlock(&pages->lock); /* for those that need pages now */
        pthread_mutex_lock(&pages->lock);
    }
    pthread_mutex_unlock(&pages->lock);
    return NULL;
}

void pages_expect(struct pages *pages, uint64_t bytes)
{
    begin(pages);
    pthread_mutex_lock(&pages->lock);
    pages->expected = bytes;
    pthread_cond_signal(&pages->changed);
    pthread_mutex_unlock(&pages->lock);
    if (!pages->threaded)
        pages->threaded = pthread_create(&pages->thread, NULL, provide_expected, pages) == 0;
}

/* ---- writing ---- */

/* Makes the file end at `end` or later. */
static void grow_to(struct pages *pages, uint64_t end)
{
    pthread_mutex_lock(&pages->growing);
    if (end > pages->length) {
        output_grow_to(pages->output, pages->begin + end);
        pages->length = end;
    }
    pthread_mutex_unlock(&pages->growing);
}

/* Mapping all of the file at once is no faster: one thread then unmaps it. */
void pages_put(struct pages *pages, const void *memory, size_t bytes, uint64_t offset)
{
    struct mapping mapping;
    const struct output *output = pages->output;
    begin(pages);
    provide_up_to(pages, offset + bytes);
    if (!pages->hidden)
        grow_to(pages, offset + bytes);
    if (mapping_open(&mapping, output->name, output->shared, pages->begin + offset, bytes)) {
        memcpy(mapping.data, memory, bytes);
        mapping_close(&mapping);
    } else {
        output_write_at(output, memory, bytes, pages->begin + offset);
    }
}

void pages_close(struct pages *pages, uint64_t bytes)
{
    if (pages->threaded) {
        __atomic_store_n(&pages->ends, true, __ATOMIC_RELEASE);
        pthread_mutex_lock(&pages->lock); /* so that it waits, or has seen it */
        pthread_cond_signal(&pages->changed);
        pthread_mutex_unlock(&pages->lock);
        pthread_join(pages->thread, NULL);
    }
    output_skip(pages->output, bytes);
    pthread_cond_destroy(&pages->changed);
    pthread_mutex_destroy(&pages->growing);
    pthread_mutex_destroy(&pages->lock);
    free(pages);
}
