/* chunks.h - copying of a few bytes. */
#ifndef SK_CHUNKS_H
#define SK_CHUNKS_H

#include <string.h>

#include "order.h"

/* Whole chunks, the last of which may overlap the one before. */
SK_INLINE void sk_copy_chunks(char *to, const char *from, size_t size, size_t chunk)
{
    for (size_t at = 0; at + chunk < size; at += chunk)
        memcpy(to + at, from + at, chunk);
    memcpy(to + (size - chunk), from + (size - chunk), chunk);
}

#endif
