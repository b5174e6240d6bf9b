/* runs.h - whether runs are what they should be, found without the library. */
#ifndef BENCH_RUNS_H
#define BENCH_RUNS_H

#include "measure/state.h"

/* What was made of the runs of job->n elements; arrays of the device, each NULL where it was not asked for. */
typedef struct runs_found {
    const void *elements; /* the elements themselves, or what they were decoded to */
    const void *values;
    const uint64_t *counts;
    const uint32_t *sums, *summed; /* of each run, and of what */
    size_t runs;
} runs_found;

/* Whether each run of the elements has its value, its count and its sum, and there are no more of them. */
bool runs_are_right(const bench_state *bench, const bench_job *job, const runs_found *found);

#endif
