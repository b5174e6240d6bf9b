/* text_writer.h - a stream of elements as lines of text. */
#ifndef TEXT_WRITER_H
#define TEXT_WRITER_H

#include "codec/codec.h"
#include "text_format.h"

struct text_writer;

/* Writes the header, unless it is NULL, as the first line. write() is called by the thread that calls the writer. */
struct text_writer *text_writer_open(const scankit_layout *layout, const struct common *common, unsigned threads,
                                     const char *header, write_function *write, void *sink);

/* Writes elements, which may be cut anywhere. */
void text_writer_write(struct text_writer *writer, const void *memory, size_t bytes);

/* Writes the rest, which is nothing if the last element was whole, and frees the writer. */
void text_writer_close(struct text_writer *writer);

/* Bytes of memory for each thread, about. */
#define TEXT_WRITER_BYTES ((uint64_t)4 << 20)

#endif
