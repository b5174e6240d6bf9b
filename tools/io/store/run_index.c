/* run_index.c - see run_index.h. */
#include "run_index.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"

#define LENGTH_BITS 17 /* of a place, for lengths up to BLOCK_BYTES; the offset has the other 47 */

void run_index_open(struct run_index *index, bool packed)
{
    *index = (struct run_index){0};
    if (packed)
        index->places = get_memory(sizeof *index->places);
}

void run_index_close(struct run_index *index)
{
    free(index->checksums);
    free(index->places);
    *index = (struct run_index){0};
}

static void *resize(void *memory, size_t bytes)
{
    void *resized = realloc(memory, bytes);
    if (resized == NULL)
        fail(NULL, "out of memory");
    return resized;
}

void run_index_reserve(struct run_index *index, size_t more)
{
    size_t need = index->blocks + more;
    if (need <= index->room)
        return;
    index->room = need > 2 * index->room ? need : 2 * index->room;
    index->checksums = resize(index->checksums, index->room * sizeof *index->checksums);
    if (index->places != NULL)
        index->places = resize(index->places, index->room * sizeof *index->places);
}

void run_index_set(struct run_index *index, size_t block, uint64_t offset, size_t packed, uint32_t checksum)
{
    index->checksums[block] = checksum;
    if (index->places != NULL)
        index->places[block] = offset << LENGTH_BITS | packed;
}

struct block_place run_index_place(const struct run_index *index, size_t block)
{
    uint64_t offset = (uint64_t)block * BLOCK_BYTES, left = index->bytes - offset;
    size_t length = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
    if (index->places == NULL)
        return (struct block_place){offset, length, length};
    uint64_t place = index->places[block];
    return (struct block_place){place >> LENGTH_BITS, place & (((size_t)1 << LENGTH_BITS) - 1), length};
}

/* ---- as bytes ---- */

static size_t blocks_of(uint64_t bytes)
{
    return (size_t)(bytes / BLOCK_BYTES + (bytes % BLOCK_BYTES > 0));
}

size_t run_index_size(uint64_t bytes, bool packed)
{
    return blocks_of(bytes) * (sizeof(uint32_t) + (packed ? sizeof(uint64_t) : 0));
}

void run_index_save(const struct run_index *index, char *to)
{
    size_t checksums = index->blocks * sizeof *index->checksums;
    if (index->blocks == 0)
        return;
    memcpy(to, index->checksums, checksums);
    if (index->places != NULL)
        memcpy(to + checksums, index->places, index->blocks * sizeof *index->places);
}

void run_index_load(struct run_index *index, const char *from, uint64_t bytes, bool packed)
{
    run_index_open(index, packed);
    size_t blocks = blocks_of(bytes), checksums = blocks * sizeof *index->checksums;
    run_index_reserve(index, blocks);
    index->bytes = bytes;
    index->blocks = blocks;
    if (blocks == 0)
        return;
    memcpy(index->checksums, from, checksums);
    if (packed)
        memcpy(index->places, from + checksums, blocks * sizeof *index->places);
}
