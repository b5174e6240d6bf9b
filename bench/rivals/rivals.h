/* rivals.h - other people's code for the same work, measured in the same run on the same data. */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include <stdbool.h>
#include <stddef.h>

#include "predicates.h"
#include "scankit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thing to measure. Arrays are memory of the device; out holds n elements and values_out n values. */
typedef struct bench_job {
    scankit_type type;
    scankit_scan_kind kind;      /* scan */
    scankit_algorithm algorithm; /* sort, pairs */
    size_t value_size;           /* pairs: 4, u32 */
    size_t n, na;                /* merge: of the n elements of in, the first na are one sorted array, the rest another;
                                    copy: so many are copied */
    predicate_id predicate;      /* compact and its relatives, and the same for the library: */
    const scankit_predicate *compiled;
    scankit_evaluation evaluation;
    bool in_place;      /* compact, unique: in out, which has the elements of in when the work begins */
    size_t *count;      /* compact: how many match is asked for, or NULL; rle: how many runs */
    size_t runs;        /* decode: so many */
    uint64_t *counts;   /* encode: where they go; decode: where they are */
    bool narrow_counts; /* encode: the rival may have counts of 32 bits */
    const void *in;
    const void *values_in; /* compact by flags: those */
    void *out,
        *values_out; /* split by a predicate: the others go to values_out; reduce by key: keys to out, sums there */
} bench_job;

/* Does the job so many times in a row; the seconds that one took, or a negative number where the rival cannot do it.
 * What an in-place method needs to have its input back is not counted. */
typedef double (*rival_run)(const bench_job *job, unsigned calls);

/* A device's own clock, which times both sides alike: what is queued on its stream between start() and stop(), which
 * waits for it and answers seconds, or a negative number. */
typedef struct rivals_clock {
    void *(*stream)(void); /* NULL where there is none */
    void (*start)(void);
    double (*stop)(void);
} rivals_clock;

/* Locks memory of the host, so that the device reads and writes it by itself; false where it cannot be. */
typedef struct rivals_pinning {
    bool (*pin)(void *memory, size_t bytes);
    void (*unpin)(void *memory);
} rivals_pinning;

/* NULL functions: no rival for that. clock: NULL where the host's will do; pinning: NULL on a CPU. */
typedef struct rivals {
    const char *name;
    const rivals_clock *clock;
    const rivals_pinning *pinning;
    rival_run copy, scan, scan_thrust, reduce, split, compact, compact_flags, positions, split_predicate, encode,
        decode, unique, reduce_by_key, sort, pairs, merge;
} rivals;

/* The digit of a split: 8 bits from here. */
#define RIVALS_SPLIT_BIT 8
#define RIVALS_SPLIT_BITS 8

/* NULL where none was built. */
const rivals *rivals_cpu(void);
const rivals *rivals_cuda(void);

#ifdef __cplusplus
}
#endif

#endif
