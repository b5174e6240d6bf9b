/* merge_cuts.h - where to cut k sorted arrays, so that the pieces before the cuts are the first `rank` elements of
 * their merge. */
#ifndef SK_MERGE_CUTS_H
#define SK_MERGE_CUTS_H

#include "cpu/cpu.h"

/* Sorted arrays of any elements in host memory. */
typedef struct sk_sequences {
    size_t k, stride;
    const char *const *in;
    const size_t *n;
    /* Negative, 0 or positive. */
    int (*compare)(const void *context, const void *x, const void *y);
    const void *context;
} sk_sequences;

/* Cuts the arrays for each of parts + 1 ranks: cuts[p * k + i] is the cut of array i for rank `ranks[p]`. parts is a
 * power of two, ranks rise from 0 to the number of elements. Of equal elements the earlier array's come first. Cuts
 * never fall, even if arrays are not sorted. cuts has room for SK_CUTS_ROOM(parts) * k. */
#define SK_CUTS_ROOM(parts) (3 * (parts) + 1)
void sk_merge_cut(sk_device *device, const sk_sequences *sequences, size_t parts, const size_t *ranks, size_t *cuts);

#endif
