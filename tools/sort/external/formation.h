/* formation.h - run formation: the inputs are read, sorted and spilled chunk by chunk, the three overlapped. */
#ifndef FORMATION_H
#define FORMATION_H

#include "intake.h"
#include "run_set.h"
#include "worker.h"

struct formation {
    struct intake *intake;
    struct worker *worker;
    struct run_set *set;
    size_t chunk;     /* items in one */
    size_t residents; /* most runs that stay in memory; 0: all are spilled, unless there is only one */
    uint64_t top;     /* items of a run that matter */
    bool keep_best;   /* one run holds the best `top` items, at most chunk / 2, and nothing is spilled */

    /* Opens the set's run store, if it is not open when the first run is spilled. */
    struct run_store *(*open_store)(void *state);
    void *state;
};

/* Chunks in use besides the resident runs: being read, being sorted, room for the result, being spilled. */
#define CHUNKS_IN_FLIGHT 4

/* Adds the runs of the intake's items to the set. */
void form_runs(struct formation *formation);

#endif
