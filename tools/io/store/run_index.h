/* run_index.h - where the blocks of a run's file are, and their checksums. */
#ifndef RUN_INDEX_H
#define RUN_INDEX_H

#include "run_block.h"

struct run_index {
    uint64_t bytes; /* of data, in all blocks */
    size_t blocks, room;
    uint32_t *checksums; /* of each block as it is in the file */
    uint64_t *places;    /* of packed blocks: offset and length in the file; NULL if block i is at i * BLOCK_BYTES */
};

struct block_place {
    uint64_t offset;
    size_t packed; /* bytes in the file; as many as `length` if the block is not compressed */
    size_t length; /* bytes of data */
};

void run_index_open(struct run_index *index, bool packed);
void run_index_close(struct run_index *index);

/* Makes room for more blocks. */
void run_index_reserve(struct run_index *index, size_t more);

/* Sets a block's entry. Threads may set different ones at once. */
void run_index_set(struct run_index *index, size_t block, uint64_t offset, size_t packed, uint32_t checksum);

struct block_place run_index_place(const struct run_index *index, size_t block);

/* The index as bytes, to be kept in the file. run_index_load() takes the bytes of data that the index is for. It fails
 * only if memory is short. */
size_t run_index_size(uint64_t bytes, bool packed);
void run_index_save(const struct run_index *index, char *to);
void run_index_load(struct run_index *index, const char *from, uint64_t bytes, bool packed);

#endif
