/* peers.h - other libraries' sorts of keys on a CPU, for the primitive "peers". */
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

#ifdef __cplusplus
}
#endif

#endif
