/* stream.h - moving elements between files and a device; a thread reads or writes the file. */
#ifndef STREAM_H
#define STREAM_H

#include "common/buffer.h"
#include "common/device.h"
#include "input.h"
#include "output.h"

/* ---- a block at a time ---- */

struct reader;

/* Starts to read inputs, in order, in blocks of block_bytes, a multiple of the element. Each has `before` bytes of room
 * in front. All but the last are full, even across the end of an input. */
struct reader *reader_start(struct input *inputs, size_t count, size_t block_bytes, size_t before);

/* Returns the next block of whole elements, or NULL at the end. The previous block is no longer valid. */
char *reader_next(struct reader *reader, size_t *bytes);
void reader_finish(struct reader *reader);

/* A good block size for elements of this size. */
size_t good_block_bytes(size_t element);

struct writer;

/* Starts a thread that passes blocks of up to block_bytes to write(). */
struct writer *writer_start(write_function *write, void *sink, size_t block_bytes);

/* Returns room for the next block; then passes the block on. With 0 bytes nothing is passed on, and the room stays
 * claimed. */
char *writer_claim(struct writer *writer);
void writer_publish(struct writer *writer, size_t bytes);

/* Waits until all has been written. */
void writer_finish(struct writer *writer);

/* ---- all of it ---- */

/* Several inputs, read in order. Calls go on where the last one stopped. */
struct source {
    struct input *inputs;
    size_t count, current;
};

/* Reads into a host buffer. Returns false if it is full, true at the end of the inputs. */
bool load_host(struct buffer *buffer, struct source *source);

/* Reads the rest of the inputs into a buffer of a device that has begun, behind the bytes of the host buffer `first`,
 * which is freed. bytes: of all inputs, or SIZE_UNKNOWN. allow() is called before input is kept, and fails if that is
 * too much. */
void load_device(struct buffer *buffer, struct source *source, struct buffer *first, uint64_t bytes,
                 struct device *device, void (*allow)(void *state, uint64_t bytes), void *state);

/* Writes the first `bytes` bytes of a buffer. */
void store(struct output *output, const struct buffer *buffer, size_t bytes);

#endif
