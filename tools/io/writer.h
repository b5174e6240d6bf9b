/* writer.h - a sink: threads that write blocks behind the work. */
#ifndef WRITER_H
#define WRITER_H

#include "output.h"
#include "scankit.h"

struct writer;

/* Starts a thread that passes blocks of up to block_bytes to write(). */
struct writer *writer_start(write_function *write, void *sink, size_t block_bytes);

/* Starts threads that write blocks to an output in the fastest way that it has. Nothing else may write to it from the
 * first block until writer_finish(). seal() works on each block before that, on any thread, or is NULL. */
typedef void seal_function(char *block, size_t bytes);
struct writer *writer_start_output(struct output *output, size_t block_bytes, seal_function *seal,
                                   const struct common *common);

/* Says how many bytes will come, so that the file system can provide their pages beforehand. */
void writer_expect(struct writer *writer, uint64_t bytes);

/* Makes downloads to blocks fast. */
void writer_pin(struct writer *writer, scankit_context *context);

/* Returns room for the next block; then passes the block on. With 0 bytes nothing is passed on, and the room stays
 * claimed. */
char *writer_claim(struct writer *writer);
void writer_publish(struct writer *writer, size_t bytes);

/* Exchanges the claimed room for other room. The old one keeps its bytes until the next exchange. */
char *writer_exchange(struct writer *writer);

/* Waits until all has been written. */
void writer_finish(struct writer *writer);

#endif
