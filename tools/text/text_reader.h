/* text_reader.h - lines of text as a stream of elements. */
#ifndef TEXT_READER_H
#define TEXT_READER_H

#include "codec/codec.h"
#include "text_format.h"

/* A line is shorter than this, or it may be refused. */
#define LINE_MOST ((size_t)65536)

struct text_reader;

struct text_source {
    const char *name; /* for messages; outlives the reader */
    read_function *read;
    void *state;
    unsigned threads;
    size_t block; /* bytes of text per thread; 0: a good number */
};

/* format: outlives the reader. header: the first line is none of an element, and is read at once. */
struct text_reader *text_reader_open(const struct text_source *source, const struct text_format *format, bool header);

/* The header's columns of the format's fields, without a line feed; NULL if there is none. */
const char *text_reader_header(const struct text_reader *reader);

/* Reads up to `bytes` bytes of elements; fewer only at the end. Fails at a line that is no element, naming its place.
 */
size_t text_reader_read(struct text_reader *reader, void *memory, size_t bytes);

void text_reader_close(struct text_reader *reader);

/* Bytes of memory for each thread, about. */
#define TEXT_READER_BYTES ((uint64_t)6 << 20)

#endif
