/* arrow_reader.h - a column of an Arrow IPC file or stream as a stream of elements. */
#ifndef ARROW_READER_H
#define ARROW_READER_H

#include "codec/codec.h"
#include "common/schema.h"

/* What a file or a stream begins with. A file has its magic and two bytes of padding. */
#define ARROW_HEAD_BYTES 8
#define ARROW_FILE_HEAD "ARROW1\0\0"
#define ARROW_STREAM_HEAD "\xff\xff\xff\xff"

struct arrow_reader;

/* The bytes of a stream from its head on, or of a file behind it. skip() passes over bytes, and returns false if there
 * are fewer. */
struct arrow_source {
    const char *name; /* for messages; outlives the reader */
    bool file;
    read_function *read;
    bool (*skip)(void *state, uint64_t bytes);
    void *state;
};

/* Opens the column of this name, or the only one if it is NULL, and sets the schema of its elements. Fails if there is
 * no such column, or if it holds no numbers of a fixed width. */
struct arrow_reader *arrow_reader_open(const struct arrow_source *source, const char *column, struct schema *schema);

/* Reads up to `bytes` bytes of elements; fewer only at the end. Fails at damage, and at a column with nulls. */
size_t arrow_reader_read(struct arrow_reader *reader, void *memory, size_t bytes);

/* Passes over all that is left, with the same checks of the structure. Returns the number of elements. */
uint64_t arrow_reader_count(struct arrow_reader *reader);

void arrow_reader_close(struct arrow_reader *reader);

#endif
