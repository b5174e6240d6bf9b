/* stats.h - what a tool did, and how long its phases took. */
#ifndef STATS_H
#define STATS_H

#include "model/clock.h"
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
    int phase;        /* current one, or -1 */
    const char *more; /* further members of the JSON object, each with a comma behind it; or NULL */
};

void stats_start(struct stats *stats);

/* Ends the current phase and begins one of `total` bytes, on the progress line too. */
void stats_phase(struct stats *stats, enum phase phase, uint64_t total);
void stats_end(struct stats *stats);

/* Stores the device's name, its start time and its last algorithm. */
struct device;
void stats_device(struct stats *stats, const struct device *device);

/* Ends the process, after one JSON object if --stats asks for it. The device is not closed: that would take longer. */
NO_RETURN void stats_exit(const struct stats *stats, const struct common *common, int status);

#endif
