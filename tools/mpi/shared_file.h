/* shared_file.h - files that all ranks read or write by MPI-IO, each its own part. The first two functions are
 * collective; a part may be empty. All fail naming the file. */
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

/* ---- a file that each rank writes in pieces, when it likes ---- */

struct shared_stream;

/* Opens a file, which exists, to write from an offset on. Collective. name: for messages. */
struct shared_stream *shared_stream_open(const char *path, const char *name, uint64_t offset);

/* Writes host memory behind what this rank wrote before. Not collective. It is a write_function. */
void shared_stream_put(void *stream, const void *memory, size_t bytes);

/* What all ranks wrote is on disk then. Collective. */
void shared_stream_close(struct shared_stream *stream);

#endif
