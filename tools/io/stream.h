/* stream.h - moving blocks of elements between files and a device, with a thread at the file's end. */
#ifndef STREAM_H
#define STREAM_H

#include "common/buffer.h"
#include "common/device.h"
#include "input.h"
#include "output.h"

/* ---- a block at a time ---- */

struct reader;

/* Starts to read inputs, one behind the other, in blocks of block_bytes, whole elements, with room for `before` bytes
 * in front of each. All but the last are full, wherever an input ends and however it arrives. */
struct reader *reader_start(struct input *inputs, size_t count, size_t block_bytes, size_t before);

/* The next block, of whole elements; the one before is gone. NULL at the end. */
char *reader_next(struct reader *reader, size_t *bytes);
void reader_finish(struct reader *reader);

/* A good size of blocks of these elements. */
size_t good_block_bytes(size_t element);

struct writer;

/* Starts to hand blocks of up to block_bytes on to write(), which another thread calls. */
struct writer *writer_start(write_function *write, void *sink, size_t block_bytes);

/* Room for the next block, and the block on its way; 0 bytes are no block, and the room stays. */
char *writer_claim(struct writer *writer);
void writer_publish(struct writer *writer, size_t bytes);

/* Waits until all has been written. */
void writer_finish(struct writer *writer);

/* ---- all of it ---- */

/* Several inputs, one behind the other; what has been read of them stays read. */
struct source {
    struct input *inputs;
    size_t count, current;
};

/* Reads into a buffer of the host until it is full (answers false) or the inputs end (true). */
bool load_host(struct buffer *buffer, struct source *source);

/* Reads the rest of the inputs into a buffer of a device that has begun, behind what the host's buffer `first` holds,
 * which is freed. bytes: of all inputs, or SIZE_UNKNOWN. allow() fails where that many bytes of input are too many; it
 * is called before they are kept. */
void load_device(struct buffer *buffer, struct source *source, struct buffer *first, uint64_t bytes,
                 struct device *device, void (*allow)(void *state, uint64_t bytes), void *state);

/* Writes the first `bytes` bytes of a buffer. */
void store(struct output *output, const struct buffer *buffer, size_t bytes);

#endif
