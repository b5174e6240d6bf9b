/* sweep.h - a sweep of a GPU's primitives over types, sizes and kinds of data, beside CUB. It looks for rows in which
 * CUB is the better choice; the benchmark has few rows, which it measures with care. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The groups of rows: X(name). sweep_NAME() measures and prints one. */
#define SWEEP_GROUPS(X) \
    X(scans)            \
    X(segments)         \
    X(choices)          \
    X(runs)             \
    X(sorts)            \
    X(merges)           \
    X(histograms)

#define X(name) void sweep_##name(void);
SWEEP_GROUPS(X)
#undef X

/* Opens the first GPU and takes its memory. most: elements of an array, at most. below: rows are printed if CUB takes
 * less than this times as long. Returns NULL, or what is wrong. */
const char *sweep_open(size_t most, double below);

/* Rows measured, and those in which CUB takes less than 0.95 times as long. */
void sweep_tally(size_t *rows, size_t *behind);

#ifdef __cplusplus
}
#endif

#endif
