/* peers.h - other libraries' sorts on a CPU, for the primitives "peers" and "pairpeers". */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "rivals.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sort_peer {
    const char *name;
    bool is_parallel; /* it uses job->threads; others use one */
    rival_run run;    /* sorts job->arrays arrays of the same length */
} sort_peer;

/* Those that the benchmark was built with. Ends with a NULL name. */
const sort_peer *sort_peers(void);

/* Sorts of pairs of job->in and job->values_in, which are of one type. */
const sort_peer *pair_peers(void);

/* Sorts of the positions of job->in, to job->out: by comparing the keys that they stand for, or as pairs. */
const sort_peer *position_peers(void);

#ifdef __cplusplus
}
#endif

#endif
