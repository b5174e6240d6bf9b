/* merging.h - merges range after range on the device: one is loaded and one handed on while another is merged. */
#ifndef MERGING_H
#define MERGING_H

#include "range.h"
#include "worker.h"

struct merging {
    struct worker *worker;
    struct range_source source;
    uint64_t most;      /* items wanted of the result */
    const char *before; /* the item in front of the result: a unique merge leaves out what equals it; or NULL */

    /* Takes the result's items in order, on a thread of its own. It may change the memory. */
    void (*take)(void *state, char *memory, size_t n);
    void *state;
};

/* Buffers of a range's size in use: being loaded, being merged, its result, the result being handed on. */
#define RANGES_IN_FLIGHT 4

/* Returns the items of the result. */
uint64_t merge_ranges(struct merging *merging);

#endif
