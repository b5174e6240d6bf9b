/* ahead.h - elements of inputs of unknown size, read before it is known how they will be sorted. */
#ifndef AHEAD_H
#define AHEAD_H

#include "common/buffer.h"
#include "io/reader.h"

/* In this order: */
struct ahead {
    struct buffer buffer; /* elements in memory of the host */
    size_t used;          /* bytes of them that were taken */
    const char *block;    /* the rest of a block of the reader, or NULL */
    size_t block_bytes;
    struct reader *reader; /* what it has not returned yet; NULL: nothing was read ahead, or the inputs have ended */
};

bool ahead_is_empty(const struct ahead *ahead);

/* An intake_source: copies the next bytes, and frees what is not needed any more. */
size_t ahead_take(void *ahead, char *memory, size_t bytes);

#endif
