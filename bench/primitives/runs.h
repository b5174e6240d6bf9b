/* runs.h - checks of runs by a sequential walk, without the library. */
#ifndef BENCH_RUNS_H
#define BENCH_RUNS_H

#include "measure/state.h"

/* Results for the runs of job->n elements, in device memory. NULL: not computed. */
typedef struct runs_found {
    const void *elements; /* the input of an encoding, the output of a decoding */
    const void *values;
    const uint64_t *counts;
    const uint32_t *summed; /* one value for each element */
    const uint32_t *sums;   /* their sum over each run */
    size_t runs;
} runs_found;

/* True if each run has its value, count and sum, and there are no more runs. */
bool runs_are_right(const bench_state *bench, const bench_job *job, const runs_found *found);

#endif
