/* run_file.h - a file of blocks, each with a checksum: written from its start to its end, then read at any place. */
#ifndef RUN_FILE_H
#define RUN_FILE_H

#include "page_cache.h"
#include "run_index.h"

/* What O_DIRECT needs of memory, offsets and lengths. Compressed batches begin at such offsets. */
#define DIRECT_ALIGN ((size_t)4096)

static inline uint64_t direct_round_up(uint64_t bytes)
{
    return (bytes + DIRECT_ALIGN - 1) & ~(uint64_t)(DIRECT_ALIGN - 1);
}

static inline bool direct_aligned(const void *memory)
{
    return (uintptr_t)memory % DIRECT_ALIGN == 0;
}

/* Memory for it, with free() left to the caller. */
char *direct_memory(size_t bytes);

struct run_file {
    int descriptor;
    int direct;       /* the same file, past the page cache, or -1 */
    const char *name; /* for messages: the file's, or its folder's if it has none */
    const char *path; /* of a file that is removed if it is damaged, or NULL */
    const char *remedy; /* what to do if it is damaged, for messages, or NULL */
    unsigned threads; /* that compress and write */
    struct page_cache *cache;
    struct run_index index;
    atomic_ullong end;       /* bytes in the file */
    char *tail;              /* the block that is not full */
    atomic_ullong discarded; /* bytes of data from the start on that are not read again */
};

/* ---- run_write.c ---- */

/* A new file. */
void run_file_open(struct run_file *file, int descriptor, bool packed);
void run_file_append(struct run_file *file, const void *memory, size_t bytes);

/* Writes the last block. */
void run_file_complete(struct run_file *file);

/* Writes the index behind the blocks, and syncs the file. Returns the checksum of the index; *size gets the bytes of
 * the file. */
uint32_t run_file_keep(struct run_file *file, uint64_t *size);

void run_file_close(struct run_file *file);

/* ---- run_read.c ---- */

/* Reopens what run_file_keep() wrote. Returns false if the file's size or its index is not as it was then. */
bool run_file_reopen(struct run_file *file, int descriptor, bool packed, uint64_t bytes, uint64_t size,
                     uint32_t checksum);

/* True if all blocks are as they were written. */
bool run_file_is_whole(const struct run_file *file);

/* Reads data from an offset in the data on. Any number of threads may read at once. */
void run_file_read(struct run_file *file, uint64_t offset, size_t bytes, void *memory);

/* Frees the disk space of blocks that are not read again. */
void run_file_discard(struct run_file *file, uint64_t offset, uint64_t bytes);

#endif
