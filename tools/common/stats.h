/* stats.h - what a run did and how long its phases took. */
#ifndef STATS_H
#define STATS_H

#include "options.h"

/* Phases: X(name, verb). Each tool has some of them. */
#define PHASES(X)                   \
    X(start, "starting the device") \
    X(read, "reading")              \
    X(sort, "sorting")              \
    X(filter, "filtering")          \
    X(scan, "scanning")             \
    X(encode, "encoding")           \
    X(decode, "decoding")           \
    X(write, "writing")

enum phase {
#define X(name, verb) PHASE_##name,
    PHASES(X)
#undef X
        PHASE_COUNT
};

struct stats {
    uint64_t elements, bytes_in, bytes_out;
    char device[160], algorithm[32];
    char before[48]; /* what --verbose says before the number of elements */
    double begin, phase_begin, seconds[PHASE_COUNT];
    int phase; /* that runs, or -1 */
};

double seconds_now(void);

void stats_start(struct stats *stats);

/* Ends the phase that runs and begins another one of `total` bytes, also on the progress line. */
void stats_phase(struct stats *stats, enum phase phase, uint64_t total);
void stats_end(struct stats *stats);

/* What the device is, how long its start took, and what it ran last. */
struct device;
void stats_device(struct stats *stats, const struct device *device);

/* Ends the process, after one JSON object where --stats asks for it. The device goes with the process, sooner than by
 * closing it. */
NO_RETURN void stats_exit(const struct stats *stats, const struct common *common, int status);

#endif
