/* seconds.h - seconds by the host's clock, and their median. */
#ifndef BENCH_SECONDS_H
#define BENCH_SECONDS_H

/* Seconds of the host's monotonic clock. */
double host_seconds(void);

/* Returns the median. Sorts the array. */
double median_of(double *seconds, unsigned count);

#endif
