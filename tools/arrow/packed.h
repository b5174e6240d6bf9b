/* packed.h - a compressed buffer of a record batch, as a stream of bytes. */
#ifndef PACKED_H
#define PACKED_H

#include "message.h"

struct packed;

/* Opens a zstd frame of `bytes` bytes, which come next. */
struct packed *packed_open(struct messages *messages, uint64_t bytes);
size_t packed_read(struct packed *packed, void *memory, size_t bytes);

/* Returns the bytes of the frame that were not read. */
uint64_t packed_close(struct packed *packed);

#endif
