/* rivals.h - other libraries' code for the same work, measured in the same run on the same data. */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include <stdbool.h>
#include <stddef.h>

#include "predicates.h"
#include "scankit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One call to measure. Arrays are in device memory. out holds n elements, values_out n values. */
typedef struct bench_job {
    scankit_type type;
    scankit_scan_kind kind;            /* scan */
    scankit_algorithm algorithm;       /* sort, pairs */
    size_t value_size;                 /* pairs: 4, u32; segmented sort: 0 without values */
    size_t n;                          /* elements of in */
    size_t na;                         /* merge: elements of the first sorted array in `in`, the rest is the second;
                                          copy: elements to copy; top-k: k; histogram: bins */
    size_t arrays;                     /* of equal length in `in`, one behind the other: sorted for merge-many, to be
                                          sorted for peers */
    unsigned threads;                  /* peers: threads that a peer may use */
    predicate_id predicate;            /* compact, positions, split by a predicate: for the rivals */
    const scankit_predicate *compiled; /* the same predicate for the library */
    scankit_evaluation evaluation;
    bool in_place;      /* compact, unique: work in `out`, which holds a copy of `in` at the start */
    size_t *count;      /* gets the number of matching elements or of runs; NULL: not needed */
    size_t runs;        /* decode: number of runs; segmented sort: of segments */
    uint64_t *counts;   /* encode: output; decode: input; segmented sort: offsets of the segments, and the end */
    bool narrow_counts; /* encode: the rival writes counts of 32 bits */
    const void *in;
    const void *values_in; /* compact by flags: the flags */
    void *out;             /* reduce by key: the keys */
    void *values_out;      /* split by a predicate: elements that do not match; reduce by key: the sums */
} bench_job;

/* Runs the job `calls` times in a row. Returns seconds per call, or a negative number if the rival cannot do the job.
 * Restoring the input of a job in place is not counted. */
typedef double (*rival_run)(const bench_job *job, unsigned calls);

/* The device's clock, for the library and the rivals: times the work queued on its stream between start() and stop().
 * stop() waits for that work and returns seconds, or a negative number on failure. */
typedef struct rivals_clock {
    void *(*stream)(void); /* returns NULL if it cannot be created */
    void (*start)(void);
    double (*stop)(void);
} rivals_clock;

/* Pins host memory, so that the device copies from and to it directly. Returns false on failure. */
typedef struct rivals_pinning {
    bool (*pin)(void *memory, size_t bytes);
    void (*unpin)(void *memory);
} rivals_pinning;

/* A function is NULL if the rival has none for that primitive. clock, pinning: NULL on a CPU. */
typedef struct rivals {
    const char *name;
    const rivals_clock *clock;
    const rivals_pinning *pinning;
    rival_run copy, scan, scan_thrust, reduce, split, compact, compact_flags, positions, split_predicate, encode,
        decode, unique, reduce_by_key, sort, sort_thrust, pairs, segmented_sort, histogram, merge, merge_many;
} rivals;

/* The digit of the split: its lowest bit and its number of bits. */
#define RIVALS_SPLIT_BIT 8
#define RIVALS_SPLIT_BITS 8

/* Return NULL if not built. */
const rivals *rivals_cpu(void);
const rivals *rivals_cuda(void);

#ifdef __cplusplus
}
#endif

#endif
