/* bgzf.c - see bgzf.h. The format is section 4.1 of the SAM/BAM specification: gzip members (RFC 1952) with an extra
 * field "BC" that holds the member's length minus 1. */
#include "bgzf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cli.h"

#define PART_BYTES 65280 /* data in a member. Stored, the member still fits into 64 KiB. */
#define MEMBER_BYTES 65536
#define HEADER_BYTES 18
#define TRAILER_BYTES 8
#define STORED_BYTES 5   /* in front of a stored block */
#define WINDOW_RAW (-15) /* zlib: no header or trailer */

struct bgzf {
    z_stream stream;
    int level;
    write_function *write;
    void *sink;
    size_t used;
    unsigned char part[PART_BYTES], member[MEMBER_BYTES];
};

static void start_deflate(struct bgzf *bgzf, int level)
{
    bgzf->stream = (z_stream){0};
    if (deflateInit2(&bgzf->stream, level, Z_DEFLATED, WINDOW_RAW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail(NULL, "out of memory");
}

struct bgzf *bgzf_open(int level, write_function *write, void *sink)
{
    struct bgzf *bgzf = get_memory(sizeof *bgzf);
    bgzf->level = level;
    bgzf->write = write;
    bgzf->sink = sink;
    bgzf->used = 0;
    start_deflate(bgzf, level);
    return bgzf;
}

static void put_number(unsigned char *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

/* Deflates the part. Returns its size, or 0 if it does not fit. */
static size_t deflate_part(struct bgzf *bgzf)
{
    z_stream *stream = &bgzf->stream;
    stream->next_in = bgzf->part;
    stream->avail_in = (uInt)bgzf->used;
    stream->next_out = bgzf->member + HEADER_BYTES;
    stream->avail_out = MEMBER_BYTES - HEADER_BYTES - TRAILER_BYTES;
    int result = deflate(stream, Z_FINISH);
    size_t bytes = MEMBER_BYTES - HEADER_BYTES - TRAILER_BYTES - stream->avail_out;
    deflateReset(stream);
    return result == Z_STREAM_END ? bytes : 0;
}

/* Stores a part that deflate cannot shrink. */
static size_t store_part(struct bgzf *bgzf)
{
    deflateEnd(&bgzf->stream);
    start_deflate(bgzf, 0);
    size_t bytes = deflate_part(bgzf);
    deflateEnd(&bgzf->stream);
    start_deflate(bgzf, bgzf->level);
    return bytes;
}

/* Puts header and trailer around the deflated part. Returns the length of the member. */
static size_t frame(unsigned char *member, size_t deflated, const void *part, size_t part_bytes)
{
    static const unsigned char header[HEADER_BYTES - 2] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0};
    size_t bytes = HEADER_BYTES + deflated + TRAILER_BYTES;
    memcpy(member, header, sizeof header);
    put_number(member + sizeof header, (uint32_t)bytes - 1, 2);
    unsigned char *trailer = member + HEADER_BYTES + deflated;
    put_number(trailer, (uint32_t)crc32(0, part, (uInt)part_bytes), 4);
    put_number(trailer + 4, (uint32_t)part_bytes, 4);
    return bytes;
}

static void put_member(struct bgzf *bgzf)
{
    size_t deflated = deflate_part(bgzf);
    if (deflated == 0)
        deflated = store_part(bgzf);
    bgzf->write(bgzf->sink, bgzf->member, frame(bgzf->member, deflated, bgzf->part, bgzf->used));
    bgzf->used = 0;
}

void bgzf_flush(struct bgzf *bgzf)
{
    if (bgzf->used > 0)
        put_member(bgzf);
}

/* A deflate stream of one stored block (RFC 1951, section 3.2.4). */
void bgzf_store(const void *memory, size_t bytes, write_function *write, void *sink)
{
    unsigned char member[MEMBER_BYTES], *deflated = member + HEADER_BYTES;
    for (const char *from = memory; bytes > 0;) {
        size_t part = bytes < PART_BYTES ? bytes : PART_BYTES;
        deflated[0] = 1; /* the last block, and stored */
        put_number(deflated + 1, (uint32_t)part, 2);
        put_number(deflated + 3, ~(uint32_t)part, 2);
        memcpy(deflated + STORED_BYTES, from, part);
        write(sink, member, frame(member, STORED_BYTES + part, from, part));
        from += part;
        bytes -= part;
    }
}

void bgzf_write(struct bgzf *bgzf, const void *memory, size_t bytes)
{
    for (const unsigned char *from = memory; bytes > 0;) {
        size_t part = PART_BYTES - bgzf->used < bytes ? PART_BYTES - bgzf->used : bytes;
        memcpy(bgzf->part + bgzf->used, from, part);
        bgzf->used += part;
        from += part;
        bytes -= part;
        if (bgzf->used == PART_BYTES)
            put_member(bgzf);
    }
}

void bgzf_close(struct bgzf *bgzf)
{
    bgzf_flush(bgzf);
    put_member(bgzf);
    deflateEnd(&bgzf->stream);
    free(bgzf);
}
