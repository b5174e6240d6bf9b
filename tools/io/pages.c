/* pages.c - see pages.h. Segments of the file are mapped when the first of their bytes comes, and unmapped after the
 * last. Pages past the end of the file can be provided, but not written to. So the file grows with the bytes, and if
 * the tool is killed, few bytes in it are not yet written. */
#include "pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "file/mapping.h"

/* Bytes that the file system provides in advance, at most: as many as it has provided so far. */
#define AHEAD_BYTES ((uint64_t)64 << 20)

/* Mapping fewer bytes at a time costs more: all threads wait for each mapping. */
#define SEGMENT_BYTES ((uint64_t)1 << 30)

struct segment {
    struct mapping mapping;
    uint64_t filled; /* bytes that came, or do not belong to the output */
};

struct pages {
    struct output *output;
    pthread_mutex_t lock;
    bool begun;
    uint64_t begin;           /* offset in the file */
    uint64_t provided;        /* bytes from there on that have pages; read without the lock too */
    uint64_t length;          /* bytes from there on that the file has at least */
    struct segment *segments; /* from the one with the first byte on */
    size_t segment_count;
    bool threaded; /* there is a thread that provides the expected bytes */
    bool ends;     /* it stops */
    uint64_t expected;
    pthread_t thread;
    pthread_cond_t changed;
};

struct pages *pages_open(struct output *output)
{
    struct pages *pages = get_memory(sizeof *pages);
    *pages = (struct pages){.output = output};
    pthread_mutex_init(&pages->lock, NULL);
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
    if (!output_provide(pages->output, pages->begin + pages->provided, more))
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
    while (goes_on && !pages->ends) {
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

/* ---- segments ---- */

/* Makes the file end at `end` or later. The lock is held. */
static void grow_to(struct pages *pages, uint64_t end)
{
    if (end <= pages->length)
        return;
    output_grow_to(pages->output, pages->begin + end);
    pages->length = end;
}

static size_t segment_of(const struct pages *pages, uint64_t offset)
{
    return (size_t)((pages->begin + offset) / SEGMENT_BYTES - pages->begin / SEGMENT_BYTES);
}

/* The lock is held. */
static struct segment *get_segment(struct pages *pages, size_t number)
{
    if (number >= pages->segment_count) {
        size_t count = number + 1;
        struct segment *grown = reallocarray(pages->segments, count, sizeof *grown);
        if (grown == NULL)
            fail(NULL, "out of memory");
        memset(grown + pages->segment_count, 0, (count - pages->segment_count) * sizeof *grown);
        pages->segments = grown;
        if (pages->segment_count == 0)
            grown[0].filled = pages->begin % SEGMENT_BYTES;
        pages->segment_count = count;
    }
    return &pages->segments[number];
}

/* Returns where the segment is mapped, or NULL if that is not possible. */
static char *enter_segment(struct pages *pages, size_t number, uint64_t end)
{
    const struct output *output = pages->output;
    pthread_mutex_lock(&pages->lock);
    struct segment *segment = get_segment(pages, number);
    uint64_t first = (pages->begin / SEGMENT_BYTES + number) * SEGMENT_BYTES;
    grow_to(pages, end);
    if (segment->mapping.data == NULL)
        mapping_open(&segment->mapping, output->name, output->shared, first, SEGMENT_BYTES);
    char *data = segment->mapping.data;
    pthread_mutex_unlock(&pages->lock);
    return data;
}

static void leave_segment(struct pages *pages, size_t number, size_t bytes)
{
    pthread_mutex_lock(&pages->lock);
    struct segment *segment = &pages->segments[number];
    segment->filled += bytes;
    if (segment->filled == SEGMENT_BYTES)
        mapping_close(&segment->mapping);
    pthread_mutex_unlock(&pages->lock);
}

static void put_in_segment(struct pages *pages, size_t number, const char *from, size_t bytes, uint64_t offset)
{
    uint64_t place = pages->begin + offset;
    char *data = enter_segment(pages, number, offset + bytes);
    if (data != NULL)
        memcpy(data + place % SEGMENT_BYTES, from, bytes);
    else
        output_write_at(pages->output, from, bytes, place);
    leave_segment(pages, number, bytes);
}

void pages_put(struct pages *pages, const void *memory, size_t bytes, uint64_t offset)
{
    begin(pages);
    provide_up_to(pages, offset + bytes);
    for (const char *from = memory; bytes > 0;) {
        uint64_t room = SEGMENT_BYTES - (pages->begin + offset) % SEGMENT_BYTES;
        size_t part = bytes < room ? bytes : (size_t)room;
        put_in_segment(pages, segment_of(pages, offset), from, part, offset);
        from += part;
        bytes -= part;
        offset += part;
    }
}

void pages_close(struct pages *pages, uint64_t bytes)
{
    if (pages->threaded) {
        pthread_mutex_lock(&pages->lock);
        pages->ends = true;
        pthread_cond_signal(&pages->changed);
        pthread_mutex_unlock(&pages->lock);
        pthread_join(pages->thread, NULL);
    }
    for (size_t i = 0; i < pages->segment_count; i++)
        mapping_close(&pages->segments[i].mapping);
    output_skip(pages->output, bytes);
    free(pages->segments);
    pthread_cond_destroy(&pages->changed);
    pthread_mutex_destroy(&pages->lock);
    free(pages);
}
