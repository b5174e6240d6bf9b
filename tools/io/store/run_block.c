/* run_block.c - see run_block.h. */
#include "run_block.h"

#include <zlib.h>

uint32_t block_checksum(const void *memory, size_t bytes)
{
    return (uint32_t)crc32(0, memory, (uInt)bytes);
}
