/* peer_row.h - one row of the library beside other libraries, by turns. */
#ifndef BENCH_PEER_ROW_H
#define BENCH_PEER_ROW_H

#include "data/shapes.h"
#include "measure/state.h"
#include "rivals/peers.h"

typedef struct peer_row {
    const char *name;
    shape_id shape;
    size_t n; /* elements of an array */
    double (*time_ours)(const bench_state *bench, const bench_job *job);
    const sort_peer *peers;
    bool correct; /* the library's result was right */
} peer_row;

/* Prints millions of elements a second of all, and the ratio to the best of the others. */
void measure_peers(bench_state *bench, const bench_job *job, const peer_row *row);

#endif
