/* range.h - a range of the output: what each of k sorted arrays adds to it. */
#ifndef RANGE_H
#define RANGE_H

#include <stdbool.h>

#include "common/buffer.h"

struct range {
    const void **arrays;
    size_t *counts;       /* items of each */
    struct buffer memory; /* of the arrays that are not elsewhere in memory */
};

/* Where ranges come from, in order. */
struct range_source {
    size_t k;
    size_t range;                                   /* items of a range, at most */
    size_t memory;                                  /* bytes that a range's buffer needs */
    bool (*next)(void *state, struct range *range); /* false: there is no other range */
    void *state;
};

#endif
