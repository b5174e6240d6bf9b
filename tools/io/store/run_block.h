/* run_block.h - a block of a run: its checksum, and its compressed form: block_zstd.c, or block_deflate.c in a build
 * without zstd. */
#ifndef RUN_BLOCK_H
#define RUN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_BYTES ((size_t)64 << 10)

/* CRC-32 as in gzip. ISA-L computes it at the speed of memory, zlib at 2 to 3 GB/s. */
uint32_t block_checksum(const void *memory, size_t bytes);

/* The name of the codec. */
const char *block_codec(void);

struct block_packer *block_packer_create(void);
void block_packer_destroy(struct block_packer *packer);

/* Compresses a block of up to BLOCK_BYTES to `to`, which has room for as many. Returns the bytes there, or `bytes` if
 * the block does not get smaller; `to` is then undefined. */
size_t block_pack(struct block_packer *packer, const void *from, size_t bytes, void *to);

struct block_unpacker *block_unpacker_create(void);
void block_unpacker_destroy(struct block_unpacker *unpacker);

/* Restores a block of `bytes` bytes from its compressed form. Returns false if that is damaged. */
bool block_unpack(struct block_unpacker *unpacker, const void *from, size_t packed, void *to, size_t bytes);

#endif
