/* choose.c - see choose.h.
 *
 * Measured, in GB/s. 2 processors, tmpfs: write() of new pages 2.5; posix_fallocate() 4, then a first write to a mapped
 * page 1.7 and another one 15; pread() 10; the first read of a mapped page 14, and unmapping 25. 16 processors, tmpfs:
 * write() 2.8 to 4.7 by any number of threads, for it locks the inode; posix_fallocate() 6 to 8, and it locks the inode
 * too; copies by 16 threads into these pages 20; pread() by 1, 4 and 16 threads 5, 14 and 40. MADV_POPULATE_WRITE is
 * slower than the faults that it replaces.
 *
 * Inputs of a pipeline are not mapped: this saves 0.03 s per GiB at most, while writing takes 0.4 s. On a disk, write()
 * with sync_file_range() behind it reaches 2.5 GB/s and O_DIRECT 1.5.
 *
 * Pipes are written by write(): vmsplice() would hand over pages that must not be used again until they are read, and a
 * reader that passes them on, by splice() or tee(), does not tell. */
#include "choose.h"

#include "block_queue.h"

/* With fewer processors the faults of mapped pages cost more than the lock of write(). */
#define PAGES_PROCESSORS 8

enum way choose_way(const struct target *target, unsigned processors)
{
    return target->tmpfs && !target->compressed && processors >= PAGES_PROCESSORS ? WAY_PAGES : WAY_WRITE;
}

/* Half of the processors read as fast as any GPU's bus. */
#define READERS_MAX 8

unsigned choose_readers(unsigned processors)
{
    unsigned readers = processors / 2;
    return readers < 1 ? 1 : readers < READERS_MAX ? readers : READERS_MAX;
}

/* Of two threads that seal, one can while the other one writes. Copies into pages go on getting faster up to 16
 * threads: 8 GiB take 2.2 s with 4, 1.5 with 8, and 1.26 with 16. */
#define WRITERS_MAX 16

unsigned choose_writers(enum way way, bool sealed, unsigned processors)
{
    if (way != WAY_PAGES)
        return sealed ? 2 : 1;
    return processors < WRITERS_MAX ? processors : WRITERS_MAX;
}

/* Every thread has a block, one is with the stage, and one is ready for the next that asks. */
unsigned choose_blocks(unsigned threads, bool bounded)
{
    unsigned blocks = threads + 2;
    if (bounded || blocks < QUEUE_BLOCKS)
        return QUEUE_BLOCKS;
    return blocks < QUEUE_BLOCKS_MAX ? blocks : QUEUE_BLOCKS_MAX;
}
