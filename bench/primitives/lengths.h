/* lengths.h - segments of n elements, of random lengths. */
#ifndef BENCH_LENGTHS_H
#define BENCH_LENGTHS_H

#include "measure/state.h"

/* even: from half of the mean to three halves of it. Zipf: the r-th longest segment is proportional to 1/r, in any
 * order. giant: one segment has half of all elements, and the others have 1 to 2 * mean elements. */
typedef enum lengths_shape { LENGTHS_EVEN, LENGTHS_ZIPF, LENGTHS_GIANT } lengths_shape;

/* Segment s has the elements from offset s up to offset s + 1. The first begins at 0, and the last ends at n. */
typedef struct segment_offsets {
    size_t count;
    uint64_t *host, *device; /* count + 1 offsets each */
} segment_offsets;

segment_offsets lengths_load(const bench_state *bench, lengths_shape shape, size_t n, size_t mean);
void lengths_free(const bench_state *bench, segment_offsets *segments);

#endif
