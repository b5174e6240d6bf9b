/* pages.c - see pages.h. */
#include "pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that the file system provides in advance, at most: as many as it has provided so far. */
#define AHEAD_BYTES ((uint64_t)64 << 20)

struct pages {
    struct output *output;
    pthread_mutex_t lock;
    bool begun;
    uint64_t begin;    /* offset in the file */
    uint64_t provided; /* bytes from there on that have pages */
};

struct pages *pages_open(struct output *output)
{
    struct pages *pages = get_memory(sizeof *pages);
    *pages = (struct pages){.output = output};
    pthread_mutex_init(&pages->lock, NULL);
    return pages;
}

static uint64_t begin_of(struct pages *pages)
{
    pthread_mutex_lock(&pages->lock);
    if (!pages->begun)
        pages->begin = pages->output->bytes;
    pages->begun = true;
    pthread_mutex_unlock(&pages->lock);
    return pages->begin;
}

/* If the file system has no pages for what may come, it may still have enough for what has. */
static void provide_up_to(struct pages *pages, uint64_t end)
{
    pthread_mutex_lock(&pages->lock);
    if (end > pages->provided) {
        uint64_t from = pages->begin + pages->provided, needed = end - pages->provided;
        uint64_t more = needed + (pages->provided < AHEAD_BYTES ? pages->provided : AHEAD_BYTES);
        if (!output_provide(pages->output, from, more)) {
            more = needed;
            if (!output_provide(pages->output, from, more))
                fail(pages->output->name, "cannot write: %s", strerror(errno));
        }
        pages->provided += more;
    }
    pthread_mutex_unlock(&pages->lock);
}

void pages_put(struct pages *pages, const void *memory, size_t bytes, uint64_t offset)
{
    struct mapping mapping;
    struct output *output = pages->output;
    uint64_t begin = begin_of(pages);
    provide_up_to(pages, offset + bytes);
    if (mapping_open(&mapping, output->name, output->descriptor, begin + offset, bytes, true)) {
        memcpy(mapping.data, memory, bytes);
        mapping_close(&mapping);
    } else {
        output_write_at(output, memory, bytes, begin + offset);
    }
}

void pages_close(struct pages *pages, uint64_t bytes)
{
    output_extend(pages->output, bytes);
    pthread_mutex_destroy(&pages->lock);
    free(pages);
}
