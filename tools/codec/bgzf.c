/* bgzf.c - see bgzf.h. The format is section 4.1 of the SAM/BAM specification: gzip members (RFC 1952) with an extra
 * field "BC" that holds the member's length minus 1. */
#include "bgzf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "deflate.h"
#include "isal.h"
#include "little.h"
#include "ring.h"

#define PART_BYTES ((size_t)65280) /* data in a member. Stored, the member still fits into 64 KiB. */
#define TRAILER_BYTES 8
#define STORED_BYTES 5 /* in front of a stored block */
#define PARTS 4        /* in a batch, which one worker deflates */
#define BATCH_BYTES (PARTS * PART_BYTES)

struct batch {
    const unsigned char *data; /* the caller's memory, or own */
    unsigned char *own;        /* room for BATCH_BYTES, once it is needed */
    size_t bytes;
    unsigned char *members; /* room for the members, once it is needed */
    size_t member_bytes;
};

struct bgzf {
    int level;
    unsigned threads;
    write_function *write;
    void *sink;
    struct ring *ring;
    struct batch *batches;
    size_t count;
    struct batch *current; /* the batch that is being filled by copies, or NULL */
    bool started, writing; /* the workers; the thread that writes */
    pthread_t writer;
    struct deflater **deflaters; /* of the workers, each made at its first use */
};

/* ---- members ---- */

/* Puts header and trailer around the deflated part. Returns the length of the member. */
static size_t frame(unsigned char *member, size_t deflated, const void *part, size_t part_bytes)
{
    static const unsigned char header[BGZF_HEADER_BYTES - 2] = {0x1f, 0x8b, 8, 4, 0,   0,   0, 0,
                                                                0,    0xff, 6, 0, 'B', 'C', 2, 0};
    size_t bytes = BGZF_HEADER_BYTES + deflated + TRAILER_BYTES;
    memcpy(member, header, sizeof header);
    little_put(member + sizeof header, (uint32_t)bytes - 1, 2);
    unsigned char *trailer = member + BGZF_HEADER_BYTES + deflated;
    little_put(trailer, gzip_crc(0, part, part_bytes), 4);
    little_put(trailer + 4, (uint32_t)part_bytes, 4);
    return bytes;
}

/* Of the fields of the header, only time, extra flags and system may differ. */
size_t bgzf_length(const unsigned char header[BGZF_HEADER_BYTES])
{
    static const unsigned char field[] = {6, 0, 'B', 'C', 2, 0};
    size_t length = little_u16(header + 16) + 1;
    bool good = header[0] == 0x1f && header[1] == 0x8b && header[2] == 8 && header[3] == 4 &&
                memcmp(header + 10, field, sizeof field) == 0 && length > BGZF_HEADER_BYTES + TRAILER_BYTES;
    return good ? length : 0;
}

/* Makes a deflate stream of one stored block (RFC 1951, section 3.2.4). */
static size_t store_part(unsigned char *deflated, const void *part, size_t bytes)
{
    deflated[0] = 1; /* the last block, and stored */
    little_put(deflated + 1, (uint32_t)bytes, 2);
    little_put(deflated + 3, ~(uint32_t)bytes, 2);
    memcpy(deflated + STORED_BYTES, part, bytes);
    return STORED_BYTES + bytes;
}

/* deflater: NULL to store the part. */
static size_t make_member(struct deflater *deflater, unsigned char *member, const void *part, size_t bytes)
{
    const size_t room = BGZF_MEMBER_BYTES - BGZF_HEADER_BYTES - TRAILER_BYTES;
    unsigned char *to = member + BGZF_HEADER_BYTES;
    size_t deflated = deflater == NULL ? 0 : deflater_run(deflater, part, bytes, to, room);
    if (deflated == 0)
        deflated = store_part(to, part, bytes);
    return frame(member, deflated, part, bytes);
}

void bgzf_store(const void *memory, size_t bytes, write_function *write, void *sink)
{
    unsigned char member[BGZF_MEMBER_BYTES];
    for (const char *from = memory; bytes > 0;) {
        size_t part = bytes < PART_BYTES ? bytes : PART_BYTES;
        write(sink, member, make_member(NULL, member, from, part));
        from += part;
        bytes -= part;
    }
}

/* ---- batches ---- */

static void deflate_batch(void *state, size_t slot, unsigned worker)
{
    struct bgzf *bgzf = state;
    struct batch *batch = &bgzf->batches[slot];
    if (bgzf->level > 0 && bgzf->deflaters[worker] == NULL)
        bgzf->deflaters[worker] = deflater_create(bgzf->level);
    if (batch->members == NULL)
        batch->members = get_memory(PARTS * BGZF_MEMBER_BYTES);
    batch->member_bytes = 0;
    for (size_t at = 0; at < batch->bytes; at += PART_BYTES) {
        size_t part = batch->bytes - at < PART_BYTES ? batch->bytes - at : PART_BYTES;
        batch->member_bytes +=
            make_member(bgzf->deflaters[worker], batch->members + batch->member_bytes, batch->data + at, part);
    }
}

static bool write_batch(struct bgzf *bgzf)
{
    size_t slot = ring_take(bgzf->ring);
    if (slot == RING_STOPPED)
        return false;
    bgzf->write(bgzf->sink, bgzf->batches[slot].members, bgzf->batches[slot].member_bytes);
    ring_release(bgzf->ring);
    return true;
}

static void *write_batches(void *state)
{
    while (write_batch(state))
        ;
    return NULL;
}

/* The first batch is deflated without threads: the data may be no more than that. */
static void start(struct bgzf *bgzf)
{
    bgzf->started = true;
    if (bgzf->threads < 2)
        return;
    bgzf->writing = pthread_create(&bgzf->writer, NULL, write_batches, bgzf) == 0;
    if (bgzf->writing)
        ring_start(bgzf->ring, bgzf->threads);
}

/* Returns how many batches were submitted before and with this one. */
static size_t submit(struct bgzf *bgzf)
{
    size_t submitted = ring_submit(bgzf->ring, true);
    if (!bgzf->writing)
        write_batch(bgzf);
    if (!bgzf->started)
        start(bgzf);
    return submitted;
}

struct bgzf *bgzf_open(int level, unsigned threads, write_function *write, void *sink)
{
    struct bgzf *bgzf = get_memory(sizeof *bgzf);
    *bgzf = (struct bgzf){.level = level, .threads = threads, .write = write, .sink = sink};
    bgzf->count = threads < 2 ? 1 : 3 * (size_t)threads + 2;
    bgzf->ring = ring_create(bgzf->count, deflate_batch, bgzf);
    bgzf->batches = get_memory(bgzf->count * sizeof *bgzf->batches);
    for (size_t i = 0; i < bgzf->count; i++)
        bgzf->batches[i] = (struct batch){.bytes = 0};
    bgzf->deflaters = get_memory((threads + 1) * sizeof(struct deflater *));
    for (unsigned i = 0; i <= threads; i++)
        bgzf->deflaters[i] = NULL;
    return bgzf;
}

static struct batch *claim(struct bgzf *bgzf)
{
    struct batch *batch = &bgzf->batches[ring_claim(bgzf->ring)];
    batch->bytes = 0;
    return batch;
}

static void submit_current(struct bgzf *bgzf)
{
    bgzf->current = NULL;
    submit(bgzf);
}

/* Copies bytes into the current batch. Returns how many found room. */
static size_t copy(struct bgzf *bgzf, const unsigned char *from, size_t bytes)
{
    if (bgzf->current == NULL)
        bgzf->current = claim(bgzf);
    struct batch *batch = bgzf->current;
    size_t part = BATCH_BYTES - batch->bytes < bytes ? BATCH_BYTES - batch->bytes : bytes;
    if (batch->own == NULL)
        batch->own = get_memory(BATCH_BYTES);
    batch->data = batch->own;
    memcpy(batch->own + batch->bytes, from, part);
    batch->bytes += part;
    if (batch->bytes == BATCH_BYTES)
        submit_current(bgzf);
    return part;
}

/* Whole batches are deflated from the caller's memory. The last batches are copied, so that the workers go on while the
 * caller makes the next block. */
void bgzf_write(struct bgzf *bgzf, const void *memory, size_t bytes)
{
    const unsigned char *from = memory;
    size_t last = bgzf->threads * BATCH_BYTES, borrowed = 0;
    while (bytes > 0) {
        size_t part = BATCH_BYTES;
        if (bgzf->current != NULL || bytes < part || (bgzf->writing && bytes < last + part)) {
            part = copy(bgzf, from, bytes);
        } else {
            struct batch *batch = claim(bgzf);
            batch->data = from;
            batch->bytes = part;
            borrowed = submit(bgzf);
        }
        from += part;
        bytes -= part;
    }
    ring_wait_worked(bgzf->ring, borrowed);
}

void bgzf_flush(struct bgzf *bgzf)
{
    if (bgzf->current != NULL)
        submit_current(bgzf);
    ring_wait_empty(bgzf->ring);
}

void bgzf_close(struct bgzf *bgzf)
{
    static const unsigned char end[] = {0x1f, 0x8b, 8,  4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C',
                                        2,    0,    27, 0, 3, 0, 0, 0, 0, 0,    0, 0, 0,   0};
    bgzf_flush(bgzf);
    bgzf->write(bgzf->sink, end, sizeof end);
    ring_stop(bgzf->ring);
    if (bgzf->writing)
        pthread_join(bgzf->writer, NULL);
    ring_destroy(bgzf->ring);
    for (size_t i = 0; i < bgzf->count; i++) {
        free(bgzf->batches[i].own);
        free(bgzf->batches[i].members);
    }
    for (unsigned i = 0; i <= bgzf->threads; i++)
        deflater_destroy(bgzf->deflaters[i]);
    free(bgzf->deflaters);
    free(bgzf->batches);
    free(bgzf);
}
