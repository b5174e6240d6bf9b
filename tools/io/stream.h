/* stream.h - moving all elements between files and the memory of a device. */
#ifndef STREAM_H
#define STREAM_H

#include "common/buffer.h"
#include "common/device.h"
#include "reader.h"
#include "writer.h"

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
