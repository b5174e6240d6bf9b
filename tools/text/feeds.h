/* feeds.h - counting line feeds, eight bytes at a time. */
#ifndef FEEDS_H
#define FEEDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FEEDS_ONES 0x0101010101010101U

/* 1 in each byte that is a line feed, 0 in others. A byte that is zero leaves its highest bit unset, whatever its
 * neighbours. */
static inline uint64_t feeds_in(const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    bytes ^= '\n' * FEEDS_ONES;
    return (~((bytes & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f) & ~bytes) >> 7 & FEEDS_ONES;
}

/* The sum of eight bytes, at most 31 each. */
static inline size_t feeds_sum(uint64_t bytes)
{
    return (size_t)(bytes * FEEDS_ONES >> 56);
}

static inline size_t count_feeds(const char *from, const char *to)
{
    size_t count = 0;
    for (; to - from >= 31 * 8; from += 31 * 8) {
        uint64_t sums = 0;
        for (int i = 0; i < 31; i++)
            sums += feeds_in(from + 8 * i);
        count += feeds_sum(sums);
    }
    for (; to - from >= 8; from += 8)
        count += feeds_sum(feeds_in(from));
    for (; from < to; from++)
        count += *from == '\n';
    return count;
}

#endif
