/* tally.h - what the search found: each case with its ratio, and their distribution. */
#ifndef BENCH_TALLY_H
#define BENCH_TALLY_H

#include "case.h"

typedef struct found_case {
    search_case drawn;
    double ratio, seconds; /* speed relative to the rival's; of the library */
    const char *algorithm;
} found_case;

typedef struct search_tally {
    found_case *found;
    size_t count, room;
} search_tally;

/* Keeps a case. Exits if memory is short. */
void tally_add(search_tally *tally, found_case found);

/* One of the worst cases, a worse one more likely. The tally has at least one. */
const search_case *tally_pick_bad(search_tally *tally, uint64_t random);

/* Prints the distribution of the ratios, by type and by size, and the worst cases. */
void tally_print(search_tally *tally);

#endif
