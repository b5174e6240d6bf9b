/* clock.h - seconds by the device's clock where it has one, else by the host's. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include "state.h"

/* Seconds of the host's monotonic clock. */
double host_seconds(void);

/* Starts the clock. One measurement at a time. */
void clock_start(const bench_state *bench);

/* Waits for the device and returns seconds since clock_start(). what: names the call in error messages. */
double clock_stop(const bench_state *bench, const char *what);

/* Returns the median. Sorts the array. */
double median_of(double *seconds, unsigned count);

#endif
