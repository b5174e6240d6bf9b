/* splitters.h - exact splitters: multi-sequence selection over sorted lists (Varman et al. 1991). The items of rank
 * 0 to R-1 are a prefix of each list; equal items are ranked by list, then by place. */
#ifndef SPLITTERS_H
#define SPLITTERS_H

#include <stdint.h>

#include "scankit.h"

/* A sorted list of n items, of which every `every`-th one is here: entry i is item i * every. */
struct sample {
    const char *entries;
    size_t stride, count;
    uint64_t every, n;
};

struct splitter {
    const scankit_key *keys; /* of the entries */
    size_t key_count;
    const struct sample *lists;
    size_t k;
};

/* Sets low[i] <= prefix of list i <= high[i] for the first `rank` items. The gaps high[i] - low[i] add up to at most
 * 4 k times the largest `every`. */
void splitter_bracket(const struct splitter *splitter, uint64_t rank, uint64_t *low, uint64_t *high);

/* The prefixes themselves, if all items are here: every is 1. */
void splitter_exact(const struct splitter *splitter, uint64_t rank, uint64_t *prefix);

#endif
