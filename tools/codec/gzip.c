/* gzip.c - see gzip.h. The format is RFC 1952; zlib inflates a member and checks its CRC and length. */
#include "gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cli.h"

#define INPUT_BYTES ((size_t)256 << 10)
#define WINDOW_GZIP (15 + 16) /* zlib: the largest window, and a gzip header and trailer around it */

struct gzip {
    const char *name;
    read_function *read;
    void *source;
    z_stream stream;
    uint64_t consumed; /* file offset of the first byte of `input` */
    bool in_member, ended;
    unsigned char input[INPUT_BYTES];
};

bool gzip_magic(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && (head[3] & 0xe0) == 0;
}

struct gzip *gzip_open(const char *name, read_function *read, void *source, const unsigned char *head, size_t bytes)
{
    struct gzip *gzip = get_memory(sizeof *gzip);
    *gzip = (struct gzip){.name = name, .read = read, .source = source, .in_member = true};
    memcpy(gzip->input, head, bytes);
    gzip->stream.next_in = gzip->input;
    gzip->stream.avail_in = (uInt)bytes;
    if (inflateInit2(&gzip->stream, WINDOW_GZIP) != Z_OK)
        fail(name, "out of memory");
    return gzip;
}

/* File offset of the next byte to be inflated. */
static unsigned long long offset(const struct gzip *gzip)
{
    return gzip->consumed + (uint64_t)(gzip->stream.next_in - gzip->input);
}

/* Reads more behind the remaining input. Returns false at the end of the file. */
static bool refill(struct gzip *gzip)
{
    size_t left = gzip->stream.avail_in;
    gzip->consumed = offset(gzip);
    memmove(gzip->input, gzip->stream.next_in, left);
    size_t got = gzip->read(gzip->source, gzip->input + left, INPUT_BYTES - left);
    gzip->stream.next_in = gzip->input;
    gzip->stream.avail_in = (uInt)(left + got);
    return got > 0;
}

/* A member may be followed by another one, by zeros up to the end of the file, or by nothing. */
static void next_member(struct gzip *gzip)
{
    z_stream *stream = &gzip->stream;
    while (stream->avail_in < GZIP_MAGIC_BYTES && refill(gzip))
        ;
    if (gzip_magic(stream->next_in, stream->avail_in)) {
        inflateReset(stream);
        gzip->in_member = true;
        return;
    }
    do {
        for (; stream->avail_in > 0; stream->avail_in--, stream->next_in++)
            if (*stream->next_in != 0)
                fail(gzip->name, "garbage behind the gzip data, at byte %llu", offset(gzip));
    } while (refill(gzip));
    gzip->ended = true;
}

static void inflate_some(struct gzip *gzip)
{
    z_stream *stream = &gzip->stream;
    if (stream->avail_in == 0 && !refill(gzip))
        fail(gzip->name, "the gzip data ends too early, at byte %llu", offset(gzip));
    int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
        gzip->in_member = false;
    else if (result == Z_MEM_ERROR)
        fail(gzip->name, "out of memory");
    else if (result != Z_OK && result != Z_BUF_ERROR)
        fail(gzip->name, "damaged gzip data before byte %llu: %s", offset(gzip),
             stream->msg == NULL ? "not readable" : stream->msg);
}

size_t gzip_read(struct gzip *gzip, void *memory, size_t bytes)
{
    size_t done = 0;
    while (done < bytes && !gzip->ended) {
        if (!gzip->in_member) {
            next_member(gzip);
            continue;
        }
        size_t part = bytes - done < ((size_t)1 << 30) ? bytes - done : (size_t)1 << 30;
        gzip->stream.next_out = (unsigned char *)memory + done;
        gzip->stream.avail_out = (uInt)part;
        inflate_some(gzip);
        done += part - gzip->stream.avail_out;
    }
    return done;
}

void gzip_close(struct gzip *gzip)
{
    if (gzip == NULL)
        return;
    inflateEnd(&gzip->stream);
    free(gzip);
}
