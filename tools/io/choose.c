/* choose.c - see choose.h.
 *
 * Measured, in GB/s. 2 processors, tmpfs: write() of new pages 2.5; posix_fallocate() 4, then a first write to a mapped
 * page 1.7 and another one 15; pread() 10; the first read of a mapped page 14, and unmapping 25. 16 processors, tmpfs:
 * write() 2.8 to 4.7 by any number of threads, for it locks the inode; posix_fallocate() 10; pread() by 1, 4 and 16
 * threads 5, 14 and 40.
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
    bool pages = target->tmpfs && target->hidden && !target->compressed;
    return pages && processors >= PAGES_PROCESSORS ? WAY_PAGES : WAY_WRITE;
}

/* One thread is enough for each four processors: these cannot do more with what it reads. One block is being emptied.
 */
unsigned choose_readers(unsigned processors)
{
    unsigned readers = processors / 4;
    return readers < 1 ? 1 : readers < QUEUE_BLOCKS - 1 ? readers : QUEUE_BLOCKS - 1;
}

/* Of two threads that seal, one can while the other one writes. One block is being filled. */
unsigned choose_writers(enum way way, bool sealed, unsigned processors)
{
    unsigned most = QUEUE_BLOCKS - 1;
    if (way == WAY_WRITE)
        return sealed ? 2 : 1;
    return processors < most ? processors : most;
}
