/* clock.h - seconds by the device's clock where it has one, else by the host's. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include "seconds.h"
#include "state.h"

/* Starts the clock. One measurement at a time. */
void clock_start(const bench_state *bench);

/* Waits for the device and returns seconds since clock_start(). what: names the call in error messages. */
double clock_stop(const bench_state *bench, const char *what);

#endif
