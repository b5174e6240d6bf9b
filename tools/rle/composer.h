/* composer.h - makes the blocks of a container of runs. */
#ifndef COMPOSER_H
#define COMPOSER_H

#include "container.h"
#include "expander.h"
#include "io/writer.h"

/* The block that is being composed lies in room of the writer: its head, then its values. */
struct composer {
    struct writer *writer;    /* the caller's; gets whole blocks, with room for their CRC at the end */
    struct expander expander; /* the caller sets its context */
    const char *source;       /* elements of the next runs in the input's block; NULL: not known */
    uint64_t before;          /* elements of the next run that come before that block */
    struct container_totals totals;

    size_t size;    /* bytes of an element */
    char *values;   /* of the block */
    char *counts;   /* as narrow as `bits` allows; room for all that a block can have, at any width */
    uint64_t *wide; /* the same room */
    size_t runs;    /* in the block so far; the bitwise or and the sum of their counts */
    uint64_t bits, elements;
    size_t counted;      /* runs whose counts have been stored; the counts of the others are 1 */
    char *elements_kept; /* room for the elements of a plain block */
    size_t kept;         /* all of the block's elements if this is their number */
};

/* Runs that fit into a block if this is the bitwise or of their counts. A block takes runs while they fit, also one
 * whose count needs wider counts. */
size_t block_runs(size_t element, uint64_t bits);

void composer_open(struct composer *composer, size_t element);

/* The most bytes of a block, with its CRC. */
size_t composer_block(const struct composer *composer);

/* Adds runs; counts is NULL if each is 1. last: no more follow, and the block ends. */
void composer_add(struct composer *composer, const char *values, const uint64_t *counts, size_t runs, bool last);

/* The writer must be finished. */
void composer_close(struct composer *composer);

#endif
