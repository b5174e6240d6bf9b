/* traffic.h - the yardstick on a CPU. It reads and writes the same bytes as a row, in the fastest way. */
#ifndef BENCH_TRAFFIC_H
#define BENCH_TRAFFIC_H

#include <stddef.h>

/* Bytes that are read and written. */
typedef struct bench_traffic {
    size_t read, written;
} bench_traffic;

/* Seconds per call by that many threads: a copy, and then what one of the two has more. Both arrays have `room` bytes,
 * and are passed several times if the traffic is more. Writes around the caches if the output is larger than these. */
double traffic_seconds(bench_traffic traffic, const void *in, void *out, size_t room, unsigned threads, unsigned calls);

#endif
