/* run_block.h - a block of a run: its checksum, and its form in the file. */
#ifndef RUN_BLOCK_H
#define RUN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_BYTES ((size_t)64 << 10)

/* CRC-32 as in gzip. */
uint32_t block_checksum(const void *memory, size_t bytes);

#endif
