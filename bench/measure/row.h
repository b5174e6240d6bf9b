/* row.h - a row of the table: a primitive and its variant, its data, and the functions that run it. */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stddef.h>

#include "data/shapes.h"
#include "state.h"
#include "traffic.h"

typedef struct bench_row {
    const char *primitive, *variant;
    shape_id shape; /* of the data */
    scankit_error (*run)(scankit_context *context, const bench_job *job);
    rival_run rival;     /* or NULL */
    bench_traffic moved; /* at least, for the column "of copy"; nothing: leave that column empty */
    bool aside;          /* not in the primitive's mean: the rival does different work */
} bench_row;

/* Medians: seconds, and ratios of the times of the same turn. A ratio of a virtual machine, whose speed changes, is
 * truer than the ratio of two medians. Negative: not measured. */
typedef struct row_times {
    double ours, rival, copy;
    double of_rival, of_copy; /* speed relative to theirs */
} row_times;

/* Returns a job on the benchmark's arrays `in` and `out`. */
bench_job job_for(const bench_state *bench, scankit_type type, size_t n);

/* Copies the input to `out` for a job that works in place. */
void job_restore(const bench_state *bench, const bench_job *job);

/* Runs the row's job once, for its result. */
void run_once(const bench_state *bench, const bench_row *row, const bench_job *job);

/* Returns the rival's function at an offset of struct rivals, or NULL. With --alone there is none. */
rival_run rival_for(const bench_state *bench, size_t offset);
#define RIVAL(bench, primitive) rival_for(bench, offsetof(rivals, primitive))

#endif
