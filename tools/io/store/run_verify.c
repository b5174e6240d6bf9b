/* run_verify.c - are the blocks of a run's file as they were written? */
#include <stdlib.h>
#include <unistd.h>

#include "run_file.h"

static bool is_good(const struct run_file *file, size_t block, char *memory)
{
    struct block_place place = run_index_place(&file->index, block);
    for (size_t done = 0; done < place.packed;) {
        ssize_t got = pread(file->descriptor, memory + done, place.packed - done, (off_t)(place.offset + done));
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return block_checksum(memory, place.packed) == file->index.checksums[block];
}

bool run_file_is_whole(const struct run_file *file)
{
    char *memory = direct_memory(BLOCK_BYTES);
    size_t block = 0;
    while (block < file->index.blocks && is_good(file, block, memory))
        block++;
    free(memory);
    return block == file->index.blocks;
}
