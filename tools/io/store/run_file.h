/* run_file.h - a file of blocks, each with a checksum: written from its start to its end, then read at any place. */
#ifndef RUN_FILE_H
#define RUN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run_block.h"

struct run_file {
    int descriptor;
    const char *name; /* for messages: the file's, or its folder's if it has none */
    unsigned threads;
    uint64_t bytes;       /* of data */
    uint32_t *checksums;  /* of each block */
    size_t blocks, room;  /* that are written; that checksums[] has room for */
    char *tail;           /* the block that is not full */
    uint64_t discarded;   /* bytes from the start on that are not read again */
};

void run_file_open(struct run_file *file, int descriptor, const char *name, unsigned threads);
void run_file_append(struct run_file *file, const void *memory, size_t bytes);

/* Writes the last block. */
void run_file_complete(struct run_file *file);

/* Reads bytes of data, from an offset in the data on. */
void run_file_read(const struct run_file *file, uint64_t offset, size_t bytes, void *memory);

void run_file_close(struct run_file *file);

#endif
