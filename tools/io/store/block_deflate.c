/* block_deflate.c - see run_block.h. */
#include <stdlib.h>
#include <zlib.h>

#include "codec/deflate.h"
#include "common/cli.h"
#include "run_block.h"

#define LEVEL 1
#define WINDOW_RAW (-15) /* zlib: no header or trailer; the block has its own checksum */

struct block_packer {
    struct deflater *deflater;
};

struct block_unpacker {
    z_stream stream;
};

const char *block_codec(void)
{
    return "deflate";
}

struct block_packer *block_packer_create(void)
{
    struct block_packer *packer = get_memory(sizeof *packer);
    packer->deflater = deflater_create(LEVEL);
    return packer;
}

void block_packer_destroy(struct block_packer *packer)
{
    if (packer == NULL)
        return;
    deflater_destroy(packer->deflater);
    free(packer);
}

size_t block_pack(struct block_packer *packer, const void *from, size_t bytes, void *to)
{
    size_t packed = deflater_run(packer->deflater, from, bytes, to, bytes);
    return packed == 0 ? bytes : packed;
}

struct block_unpacker *block_unpacker_create(void)
{
    struct block_unpacker *unpacker = get_memory(sizeof *unpacker);
    unpacker->stream = (z_stream){0};
    if (inflateInit2(&unpacker->stream, WINDOW_RAW) != Z_OK)
        fail(NULL, "out of memory");
    return unpacker;
}

void block_unpacker_destroy(struct block_unpacker *unpacker)
{
    if (unpacker == NULL)
        return;
    inflateEnd(&unpacker->stream);
    free(unpacker);
}

bool block_unpack(struct block_unpacker *unpacker, const void *from, size_t packed, void *to, size_t bytes)
{
    z_stream *stream = &unpacker->stream;
    inflateReset(stream);
    stream->next_in = (unsigned char *)from; /* zlib does not write there */
    stream->avail_in = (uInt)packed;
    stream->next_out = to;
    stream->avail_out = (uInt)bytes;
    return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->avail_out == 0 && stream->avail_in == 0;
}
