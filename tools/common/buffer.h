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

/* Memory of the host, which costs nothing until it is written to. bytes or, where exactly is false, as much up to that
 * as can be had. */
void buffer_reserve(struct buffer *buffer, size_t bytes, bool exactly);

/* Gives back what is reserved beyond the bytes used. */
void buffer_trim(struct buffer *buffer);

/* Memory of the context's device, for at least this much in all; what is used stays. */
void buffer_grow(struct buffer *buffer, scankit_context *context, size_t bytes);

/* The same room, where it is, for what the buffer held before does not count any more; and filled from the host. */
char *buffer_room(struct buffer *buffer, scankit_context *context, size_t bytes);
char *buffer_upload(struct buffer *buffer, scankit_context *context, const void *memory, size_t bytes);

/* Its first bytes, to the host; nothing where `to` is NULL. */
void buffer_download(const struct buffer *buffer, void *to, size_t bytes);

/* A buffer of the host with the same bytes instead; as it is if it is the host's. */
void buffer_to_host(struct buffer *buffer);

void buffer_free(struct buffer *buffer);

#endif
