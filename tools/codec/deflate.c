/* deflate.c - see deflate.h. */
#include "deflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "common/cli.h"
#include "isal.h"

#define WINDOW_RAW (-15) /* zlib: no header or trailer */

struct deflater {
    struct isal_deflater *isal; /* or NULL: by zlib */
    z_stream stream;
};

struct deflater *deflater_create(int level)
{
    struct deflater *deflater = get_memory(sizeof *deflater);
    *deflater = (struct deflater){.isal = isal_deflater_create(level)};
    if (deflater->isal == NULL &&
        deflateInit2(&deflater->stream, level, Z_DEFLATED, WINDOW_RAW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail(NULL, "out of memory");
    return deflater;
}

size_t deflater_run(struct deflater *deflater, const void *from, size_t bytes, void *to, size_t room)
{
    if (deflater->isal != NULL)
        return isal_deflater_run(deflater->isal, from, bytes, to, room);
    z_stream *stream = &deflater->stream;
    stream->next_in = (unsigned char *)from; /* zlib does not write there */
    stream->avail_in = (uInt)bytes;
    stream->next_out = to;
    stream->avail_out = (uInt)room;
    int result = deflate(stream, Z_FINISH);
    size_t used = room - stream->avail_out;
    deflateReset(stream);
    return result == Z_STREAM_END ? used : 0;
}

void deflater_destroy(struct deflater *deflater)
{
    if (deflater == NULL)
        return;
    if (deflater->isal == NULL)
        deflateEnd(&deflater->stream);
    isal_deflater_destroy(deflater->isal);
    free(deflater);
}
