/* sink.h - an output of elements whose number is known only at its end, written by a thread of its own. Where a .npy
 * header stands in front of them, it is rewritten then; where that cannot be, as in a pipe, they are held in memory
 * until then. */
#ifndef SINK_H
#define SINK_H

#include "output.h"
#include "stream.h"

struct sink {
    struct output output;
    struct writer *writer;
    char *header; /* of a .npy file, or NULL */
    size_t header_bytes;
    bool holds;
    char *held;
    size_t held_bytes, held_room, held_most;
};

/* As output_open(); or what takes the place of an input, compressed like it, which begins with what --skip passed over.
 */
void sink_open(struct sink *sink, const char *path, bool gzip, const struct common *common);
void sink_open_in_place(struct sink *sink, const struct input *input, const struct common *common);

/* Then, where it is to be a .npy file, its header, for the most elements that may come, or for as many as will. */
void sink_npy(struct sink *sink, const char *descr, int version, uint64_t most);
void sink_npy_counted(struct sink *sink, const char *descr, int version, uint64_t count);

/* How many of two sinks, NULL or not, hold their elements. */
unsigned sinks_holding(struct sink *const sinks[2]);

/* Starts both. What they hold takes the memory that may be used less these bytes. */
void sinks_start(struct sink *const sinks[2], const size_t block_bytes[2], const struct common *common, uint64_t used);

/* Room for a block; then the block, of any number of bytes up to that. Nothing where the sink is NULL. */
char *sink_room(struct sink *sink);
void sink_add(struct sink *sink, size_t bytes);

/* Completes both outputs, of this many elements each, and puts them in their places. Answers the bytes of both. */
uint64_t sinks_finish(struct sink *const sinks[2], const uint64_t elements[2]);

#endif
