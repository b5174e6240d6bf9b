/* contest.h - several ways to do the same work on the same data, measured by turns. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "state.h"

typedef struct contestant {
    const char *series, *name; /* as figures call them: "scan", "kogge-stone" */
    const bench_state *bench;  /* the device that it runs on, and its clock */
    scankit_error (*run)(struct contestant *contestant);
    rival_run rival; /* instead, of someone else's code */
    bench_job job;
    uint32_t result; /* of a reduction */
    size_t kept;     /* by a compaction */
    bool left_out;
    double seconds; /* the median; 0 where it was left out */
} contestant;

/* Runs each once, asks whether the result is right, then measures all by turns: `repeats` times, or until `patience`
 * ends. A line of the table each, and of the figures' data. Whoever does not do this work is left out. A compaction's
 * count is asked for in the first run alone, as a GPU's host must wait for it. All are of one device, with one clock: a
 * GPU that rests between is slower after that, which is why its first turn is not counted. */
void contest(bench_state *bench, contestant *all, size_t count, bool (*right)(const contestant *contestant));

/* The head of the figures' data: devices, date, names of columns. host: the CPU's state. */
void contest_header(const bench_state *bench, const bench_state *host);

#endif
