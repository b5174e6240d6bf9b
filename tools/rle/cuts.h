/* cuts.h - where the blocks of one container begin, in runs that several ranks have. */
#ifndef CUTS_H
#define CUTS_H

#include <stddef.h>
#include <stdint.h>

/* The block that is open between two runs. All zeros: none. */
struct open_block {
    uint64_t runs, bits; /* bits: the bitwise or of their counts */
};

/* What is known of the counts of a rank's runs, in host memory that must stay. */
struct survey;
struct survey *counts_survey(const uint64_t *counts, size_t n);
void counts_free(struct survey *survey);

/* Passes these runs: *block is the open block before them, and becomes the one behind them. Returns the first run where
 * a block begins, or n. element: bytes of one. */
size_t counts_cut(const struct survey *survey, size_t element, struct open_block *block);

#endif
