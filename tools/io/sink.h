/* sink.h - an output of elements, written by a thread of its own, whose number is known only at the end. Then a .npy
 * header is rewritten with it. In a pipe that cannot be done, and the elements are held until then. */
#ifndef SINK_H
#define SINK_H

#include "hold.h"
#include "input.h"
#include "writer.h"

struct sink {
    struct output output;
    struct writer *writer;
    char *header; /* of a .npy file, or NULL */
    size_t header_bytes;
    bool holds;
    struct hold *hold; /* from sinks_start() on, if it holds */
};

/* As output_open(). The second replaces an input, is compressed like it, and begins with the input's skipped bytes. */
void sink_open(struct sink *sink, const char *path, enum codec codec, const struct common *common);
void sink_open_in_place(struct sink *sink, const struct input *input, const struct common *common);

/* Writes a .npy header, for at most `most` elements, or for exactly `count`. */
void sink_npy(struct sink *sink, const char *descr, int version, uint64_t most);
void sink_npy_counted(struct sink *sink, const char *descr, int version, uint64_t count);

/* How many of two sinks hold their elements. Either may be NULL. */
unsigned sinks_holding(struct sink *const sinks[2]);

/* Starts both. Held elements may take the memory that is allowed, minus `used` bytes. */
void sinks_start(struct sink *const sinks[2], const size_t block_bytes[2], const struct common *common, uint64_t used);

/* Makes downloads to their blocks fast. */
void sinks_pin(struct sink *const sinks[2], scankit_context *context);

/* Returns room for a block; then adds the block, which may be shorter. Both do nothing if the sink is NULL. */
char *sink_room(struct sink *sink);
void sink_add(struct sink *sink, size_t bytes);

/* Completes both outputs, of elements[i] elements, and puts them in their places. Returns the bytes of both. */
uint64_t sinks_finish(struct sink *const sinks[2], const uint64_t elements[2]);

#endif
