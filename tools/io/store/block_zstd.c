/* block_zstd.c - see run_block.h. */
#include <stdlib.h>
#include <zstd.h>

#include "common/cli.h"
#include "run_block.h"

/* Sorted time stamps and text get as small as by level 1. Random keys, which do not, are passed over at 6 GB/s a
 * thread, not at 0.8. */
#define LEVEL (-1)

struct block_packer {
    ZSTD_CCtx *context;
};

struct block_unpacker {
    ZSTD_DCtx *context;
};

const char *block_codec(void)
{
    return "zstd";
}

struct block_packer *block_packer_create(void)
{
    struct block_packer *packer = get_memory(sizeof *packer);
    packer->context = ZSTD_createCCtx();
    if (packer->context == NULL)
        fail(NULL, "out of memory");
    return packer;
}

void block_packer_destroy(struct block_packer *packer)
{
    if (packer == NULL)
        return;
    ZSTD_freeCCtx(packer->context);
    free(packer);
}

size_t block_pack(struct block_packer *packer, const void *from, size_t bytes, void *to)
{
    size_t packed = ZSTD_compressCCtx(packer->context, to, bytes, from, bytes, LEVEL);
    return ZSTD_isError(packed) || packed > bytes ? bytes : packed;
}

struct block_unpacker *block_unpacker_create(void)
{
    struct block_unpacker *unpacker = get_memory(sizeof *unpacker);
    unpacker->context = ZSTD_createDCtx();
    if (unpacker->context == NULL)
        fail(NULL, "out of memory");
    return unpacker;
}

void block_unpacker_destroy(struct block_unpacker *unpacker)
{
    if (unpacker == NULL)
        return;
    ZSTD_freeDCtx(unpacker->context);
    free(unpacker);
}

bool block_unpack(struct block_unpacker *unpacker, const void *from, size_t packed, void *to, size_t bytes)
{
    return ZSTD_decompressDCtx(unpacker->context, to, bytes, from, packed) == bytes;
}
