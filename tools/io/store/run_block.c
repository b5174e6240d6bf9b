/* run_block.c - see run_block.h. */
#include "run_block.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cli.h"

#define WINDOW_RAW (-15) /* zlib: no header or trailer; the block has its own checksum */

struct block_packer {
    z_stream stream;
};

struct block_unpacker {
    z_stream stream;
};

uint32_t block_checksum(const void *memory, size_t bytes)
{
    return (uint32_t)crc32_z(0, memory, bytes);
}

const char *block_codec(void)
{
    return "deflate";
}

struct block_packer *block_packer_create(void)
{
    struct block_packer *packer = get_memory(sizeof *packer);
    packer->stream = (z_stream){0};
    if (deflateInit2(&packer->stream, 1, Z_DEFLATED, WINDOW_RAW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail(NULL, "out of memory");
    return packer;
}

void block_packer_destroy(struct block_packer *packer)
{
    if (packer == NULL)
        return;
    deflateEnd(&packer->stream);
    free(packer);
}

size_t block_pack(struct block_packer *packer, const void *from, size_t bytes, void *to)
{
    z_stream *stream = &packer->stream;
    deflateReset(stream);
    stream->next_in = (unsigned char *)from; /* zlib does not write there */
    stream->avail_in = (uInt)bytes;
    stream->next_out = to;
    stream->avail_out = (uInt)bytes;
    if (deflate(stream, Z_FINISH) == Z_STREAM_END && stream->avail_out > 0)
        return bytes - stream->avail_out;
    memcpy(to, from, bytes);
    return bytes;
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
    if (packed == bytes) {
        memcpy(to, from, bytes);
        return true;
    }
    inflateReset(stream);
    stream->next_in = (unsigned char *)from;
    stream->avail_in = (uInt)packed;
    stream->next_out = to;
    stream->avail_out = (uInt)bytes;
    return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->avail_out == 0 && stream->avail_in == 0;
}
