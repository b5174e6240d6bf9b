/* shared_file.h - files that all ranks read or write by MPI-IO, each its own part. Both functions are collective; a
 * part may be empty. They fail naming the file. */
#ifndef SHARED_FILE_H
#define SHARED_FILE_H

#include "scankit.h"

/* A part of a file, and memory of the context's device. */
struct shared_part {
    const char *path, *name; /* the name is for messages */
    uint64_t offset;
    scankit_context *context;
    char *memory;
    size_t bytes;
};

void shared_read(const struct shared_part *part);

/* The file exists. sync: what was written is on disk when this returns. */
void shared_write(const struct shared_part *part, int sync);

#endif
