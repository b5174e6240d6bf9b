/* cuts.h - cuts through the sorted runs of all ranks. */
#ifndef CUTS_H
#define CUTS_H

#include "run_set.h"

/* Where the parts of the result begin in this rank's runs: cut r is at places[r * set->count], for r up to the number
 * of ranks. */
struct cuts {
    uint64_t all;     /* items of the runs of all ranks */
    uint64_t end;     /* items of the result, or more if duplicates are removed yet */
    uint64_t *places; /* of the cuts */
    char *before;     /* the item in front of this rank's part, or NULL */
};

/* Divides the first `most` items of the merge evenly. Collective. */
void cuts_find(struct cuts *cuts, const struct run_set *set, uint64_t most, unsigned threads);
void cuts_free(struct cuts *cuts);

#endif
