/* arrow_writer.h - a stream of elements as an Arrow IPC file or stream. */
#ifndef ARROW_WRITER_H
#define ARROW_WRITER_H

#include "codec/codec.h"
#include "scankit.h"

struct arrow_writer;

struct arrow_target {
    const char *name; /* for messages; outlives the writer */
    bool file;        /* with a footer */
    write_function *write;
    void *sink;
};

/* A field of the layout is a column; fields without a name are left out. column: the name of the only column, or NULL
 * for the field's. Fails if a field is big-endian. */
struct arrow_writer *arrow_writer_open(const struct arrow_target *target, const scankit_layout *layout,
                                       const char *column);

/* Writes elements, which may be cut anywhere. */
void arrow_writer_write(struct arrow_writer *writer, const void *memory, size_t bytes);

/* Writes the rest, and frees the writer. */
void arrow_writer_close(struct arrow_writer *writer);

#endif
