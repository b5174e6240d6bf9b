/* buffer.h - a growing array in the memory of a device, or of the host. */
#ifndef BUFFER_H
#define BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

struct buffer {
    scankit_context *context; /* NULL: memory of the host */
    char *data;
    size_t used, room;
};

/* Reserves host memory, which the system provides only when it is written to. With exactly, fails if `bytes` are not
 * available; else takes as much of them as is. */
void buffer_reserve(struct buffer *buffer, size_t bytes, bool exactly);

/* Makes room for at least `bytes` bytes in the device's memory, and keeps the bytes used. */
void buffer_grow(struct buffer *buffer, scankit_context *context, size_t bytes);

/* Empties the buffer and makes room for `bytes` bytes. Returns the room. The second also fills it from the host. */
char *buffer_room(struct buffer *buffer, scankit_context *context, size_t bytes);
char *buffer_upload(struct buffer *buffer, scankit_context *context, const void *memory, size_t bytes);

/* Copies the first bytes to the host. Does nothing if `to` is NULL. */
void buffer_download(const struct buffer *buffer, void *to, size_t bytes);

/* Moves the bytes into host memory, unless they are there already. */
void buffer_to_host(struct buffer *buffer);

void buffer_free(struct buffer *buffer);

#endif
