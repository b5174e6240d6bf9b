/* scan.h - places from sizes. */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>

/* The exclusive sum of sizes[0] to sizes[n - 1]: each becomes the sum of those before it. Returns the sum of all.
 * Pieces whose sizes are known can so be written at the same time, each at its place. There are a few pieces a thread,
 * too few to be worth more than this loop. */
static inline size_t scan_sizes(size_t *sizes, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t size = sizes[i];
        sizes[i] = sum;
        sum += size;
    }
    return sum;
}

#endif
