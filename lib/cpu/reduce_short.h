/* reduce_short.h - runs and segments reduced, many of them by a call. */
#ifndef SK_REDUCE_SHORT_H
#define SK_REDUCE_SHORT_H

#include "cpu.h"

typedef struct sk_reducer {
    const sk_fold *fold;          /* NULL: the type has no such operator */
    sk_running_function *running; /* a segmented scan; NULL: none gives partial results */
    bool scans;                   /* short runs: by that, or by the fold's scan, which adds up integers */
} sk_reducer;

sk_reducer sk_reducer_of(const sk_kernels *kernels, scankit_type type, scankit_operator op);

/* As of sk_fold, but that sums of floats are added in another order. */
void sk_reduce_runs(const sk_reducer *by, const void *in, const uint32_t *begin, size_t n, void *partials);
void sk_reduce_segments(const sk_reducer *by, const void *in, const uint64_t *offsets, size_t n, void *results);

#endif
