/* inflate_zlib.c - inflate.h by zlib. */
#include <stdlib.h>
#include <zlib.h>

#include "common/cli.h"
#include "inflate.h"
#include "isal.h"
#include "little.h"

#define WINDOW_RAW (-15) /* zlib: no header or trailer */
#define CALL_BYTES ((size_t)1 << 30)

struct inflater {
    z_stream stream;
    uint32_t crc, length; /* of the member's content so far */
    bool in_trailer;
    size_t trailer_bytes; /* collected so far */
    unsigned char trailer[TRAILER_BYTES];
};

struct inflater *inflater_create(void)
{
    struct inflater *inflater = get_memory(sizeof *inflater);
    *inflater = (struct inflater){.in_trailer = false};
    if (inflateInit2(&inflater->stream, WINDOW_RAW) != Z_OK)
        fail(NULL, "out of memory");
    return inflater;
}

void inflater_destroy(struct inflater *inflater)
{
    if (inflater == NULL)
        return;
    inflateEnd(&inflater->stream);
    free(inflater);
}

void inflater_start(struct inflater *inflater)
{
    inflateReset(&inflater->stream);
    inflater->crc = inflater->length = 0;
    inflater->in_trailer = false;
    inflater->trailer_bytes = 0;
}

/* Inflates, and notes CRC and length. */
static const char *inflate_some(struct inflater *inflater, struct inflate_span *span)
{
    z_stream *stream = &inflater->stream;
    size_t in = span->in_bytes < CALL_BYTES ? span->in_bytes : CALL_BYTES;
    size_t out = span->out_bytes < CALL_BYTES ? span->out_bytes : CALL_BYTES;
    stream->next_in = (unsigned char *)span->in; /* zlib does not write there */
    stream->avail_in = (uInt)in;
    stream->next_out = span->out;
    stream->avail_out = (uInt)out;
    int result = inflate(stream, Z_NO_FLUSH);
    size_t made = out - stream->avail_out;
    inflater->crc = gzip_crc(inflater->crc, span->out, made);
    inflater->length += (uint32_t)made;
    inflater->in_trailer = result == Z_STREAM_END;
    *span = (struct inflate_span){stream->next_in, span->in_bytes - (in - stream->avail_in), stream->next_out,
                                  span->out_bytes - made};
    if (result == Z_MEM_ERROR)
        return "out of memory";
    if (result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END)
        return NULL;
    return stream->msg == NULL ? "not readable" : stream->msg;
}

static const char *check(const struct inflater *inflater)
{
    if (little_u32(inflater->trailer) != inflater->crc)
        return INFLATE_WRONG_CRC;
    return little_u32(inflater->trailer + 4) == inflater->length ? NULL : INFLATE_WRONG_LENGTH;
}

const char *inflater_run(struct inflater *inflater, struct inflate_span *span, bool *ended)
{
    const char *wrong = inflater->in_trailer ? NULL : inflate_some(inflater, span);
    *ended = false;
    if (wrong != NULL || !inflater->in_trailer)
        return wrong;
    for (; span->in_bytes > 0 && inflater->trailer_bytes < TRAILER_BYTES; span->in_bytes--)
        inflater->trailer[inflater->trailer_bytes++] = *span->in++;
    *ended = inflater->trailer_bytes == TRAILER_BYTES;
    return *ended ? check(inflater) : NULL;
}

const char *inflater_member(struct inflater *inflater, const unsigned char *in, size_t in_bytes, unsigned char *out,
                            size_t *bytes)
{
    struct inflate_span span = {in, in_bytes, out, *bytes};
    bool ended;
    inflater_start(inflater);
    const char *wrong = inflater_run(inflater, &span, &ended);
    bool full = span.out_bytes == 0;
    *bytes -= span.out_bytes;
    if (wrong != NULL)
        return wrong;
    if (!ended)
        return full && span.in_bytes > TRAILER_BYTES ? INFLATE_WRONG_LENGTH : INFLATE_WRONG_END;
    return span.in_bytes == 0 ? NULL : INFLATE_WRONG_END;
}
