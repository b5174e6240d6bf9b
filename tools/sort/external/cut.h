/* cut.h - an exact splitter over runs in the store that have no indexes. */
#ifndef CUT_H
#define CUT_H

#include "run_set.h"

/* Sets prefix[i] to the number of run i's items among the first `rank` of the merge. run->length says how many items a
 * run has. Each run is read at some places only. */
void cut_runs(const struct run_set *set, uint64_t rank, unsigned threads, uint64_t *prefix);

/* Copies the last one of the items in front of a cut. There must be one. */
void cut_last_item(const struct run_set *set, const uint64_t *prefix, char *item);

#endif
