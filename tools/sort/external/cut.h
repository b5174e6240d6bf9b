/* cut.h - an exact splitter over runs in the store that have no indexes. */
#ifndef CUT_H
#define CUT_H

#include "run_set.h"

/* Sets prefix[i] to the number of run i's items among the first `rank` of the merge. run->length says how many items a
 * run has. Each run is read at some places only. */
void cut_runs(const struct run_set *set, uint64_t rank, unsigned threads, uint64_t *prefix);

/* Processes that cut the runs of all of them together, each reading its own. */
struct cut_peers {
    size_t k, first;         /* runs of all; those before the set's */
    const uint64_t *lengths; /* items of all runs */

    /* Sets the entries of the other processes' samples, with free() left to the caller; or NULL if there are none. */
    void (*share)(void *state, scankit_sequence *samples);
    void *state;
};

/* The same over the runs of all processes. All of them call it with the same rank. */
void cut_all_runs(const struct run_set *set, const struct cut_peers *peers, uint64_t rank, unsigned threads,
                  uint64_t *prefix);

/* Copies the last one of the items in front of a cut. There must be one. */
void cut_last_item(const struct run_set *set, const uint64_t *prefix, char *item);

#endif
