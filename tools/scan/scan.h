/* scan.h - what gpuscan is asked to do, and the parts that do it. */
#ifndef SCAN_H
#define SCAN_H

#include "io/input.h"
#include "common/options.h"
#include "scanner.h"
#include "segments.h"
#include "common/stats.h"
#include "value.h"

struct scan {
    struct common common;
    scankit_operator op;
    bool exclusive, inclusive, reduce, in_place, deterministic, list;
    const char *segments, *value, *algorithm; /* NULL where not given */
};

/* Each for all inputs, one behind the other: scans them into one output, or in place of the only input; writes a
 * reduction for each segment; prints one of all. */
void scan_files(const struct scan *scan, char *const *paths, size_t count, struct stats *stats);
void reduce_segments(const struct scan *scan, char *const *paths, size_t count, struct stats *stats);
void reduce_files(const struct scan *scan, char *const *paths, size_t count, struct stats *stats);

/* ---- the gallery ---- */

/* Prints the table. */
void gallery_list(void);

/* Takes --algorithm's device for --device=auto; fails where there is no such algorithm for what is asked, before
 * anything is read; and then where it does not do this operator of this type. */
void gallery_choose(struct scan *scan);
void gallery_check(const struct scan *scan, scankit_type type);

/* ---- the pass over the inputs: a thread reads blocks, and with the values of each and where segments begin they go
 * on ---- */

struct pass {
    const struct scan *scan;
    struct stats *stats;
    struct input *inputs;
    size_t count;
    struct schema schema;
    struct value value;
    struct segments segments; /* with --segments */
    struct scanner scanner;
    size_t block; /* elements in one */
    char *values; /* room for those of a block, where they must be gathered */
    uint64_t elements;
};

/* Takes a block: its n elements, 1 or more, their values, which it may change where they are gathered, and flags where
 * segments begin, or NULL. */
typedef void take_block(void *state, const char *block, char *values, const uint8_t *heads, size_t n);

void pass_open(struct pass *pass, const struct scan *scan, char *const *paths, size_t count, struct stats *stats);

/* How many elements a block has, where take() uses `each` bytes for each, in one of `shares` of the memory. */
void pass_measure(struct pass *pass, size_t each, unsigned shares);
void pass_run(struct pass *pass, take_block *take, void *state);
void pass_close(struct pass *pass);

#endif
