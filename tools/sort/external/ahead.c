/* ahead.c - see ahead.h. */
#include "ahead.h"

#include <string.h>

bool ahead_is_empty(const struct ahead *ahead)
{
    return ahead->buffer.data == NULL && ahead->block == NULL && ahead->reader == NULL;
}

static size_t take_from_buffer(struct ahead *ahead, char *memory, size_t bytes)
{
    size_t left = ahead->buffer.used - ahead->used, part = left < bytes ? left : bytes;
    memcpy(memory, ahead->buffer.data + ahead->used, part);
    ahead->used += part;
    if (part == left)
        buffer_free(&ahead->buffer);
    return part;
}

static size_t take_from_block(struct ahead *ahead, char *memory, size_t bytes)
{
    size_t part = ahead->block_bytes < bytes ? ahead->block_bytes : bytes;
    memcpy(memory, ahead->block, part);
    ahead->block_bytes -= part;
    ahead->block = ahead->block_bytes > 0 ? ahead->block + part : NULL;
    return part;
}

static void next_block(struct ahead *ahead)
{
    ahead->block = reader_next(ahead->reader, &ahead->block_bytes);
    if (ahead->block == NULL) {
        reader_finish(ahead->reader);
        ahead->reader = NULL;
    }
}

size_t ahead_take(void *state, char *memory, size_t bytes)
{
    struct ahead *ahead = state;
    size_t done = 0;
    while (done < bytes && !ahead_is_empty(ahead)) {
        if (ahead->buffer.data != NULL)
            done += take_from_buffer(ahead, memory + done, bytes - done);
        else if (ahead->block != NULL)
            done += take_from_block(ahead, memory + done, bytes - done);
        else
            next_block(ahead);
    }
    return done;
}
