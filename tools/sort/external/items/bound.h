/* bound.h - merges sorted sequences of which only the first items are in memory. */
#ifndef BOUND_H
#define BOUND_H

#include "items.h"

struct sequence_head {
    const char *items;
    size_t n;
    bool ended; /* these are all items of the sequence; else n > 0 */
};

/* Sets counts[i] to the items of head i that come before all items that are not in memory. Unless all heads are empty,
 * one of them is counted whole. */
void count_in_bound(const struct items *items, const struct sequence_head *heads, size_t k, size_t *counts);

#endif
