/* contest.h - several algorithms for the same work on the same data, measured by turns. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "row.h"

typedef struct contestant {
    const char *series, *name; /* as the figures call them: "scan", "kogge-stone" */
    const bench_state *bench;  /* its device and clock */
    scankit_error (*run)(struct contestant *contestant);
    rival_run rival; /* if not NULL, replaces run */
    bench_job job;
    uint32_t result; /* of a reduction */
    size_t kept;     /* by a compaction */
    bool left_out;   /* not measured; set before the contest, or by it if the algorithm cannot do this work */
    double seconds;  /* the median; 0 if left out */
} contestant;

/* Runs each contestant once and checks its result, then measures all by turns: `repeats` times, or until `patience`
 * ends. Prints a line for each, and writes it to the figures' data.
 *
 * All contestants must share one device and one clock. The first turn on a GPU is not counted: the GPU rested before,
 * and its clock rate fell. A compaction gets its count in the first run only, because the host must wait for it. */
void contest(bench_state *bench, contestant *all, size_t count, bool (*right)(const contestant *contestant));

/* Writes the head of the figures' data: devices, date, names of columns. host: the state of the CPU. */
void contest_header(const bench_state *bench, const bench_state *host, const char *primitive);

#endif
