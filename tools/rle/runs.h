/* runs.h - runs of equal elements, found block by block, and joined across blocks. */
#ifndef RUNS_H
#define RUNS_H

#include "common/buffer.h"
#include "common/schema.h"

/* The counts that are wanted. COUNTS_BUT_ONES: none where all runs have one element. */
enum run_counts { COUNTS_NONE, COUNTS_ALL, COUNTS_BUT_ONES };

/* A block in the memory of a device that is not the host, and its runs there. */
struct block_runs {
    scankit_context *context;
    const char *block; /* of the host */
    size_t found;
    struct buffer in, out, lengths;
};

struct runs {
    scankit_context *context;    /* of the block added last */
    size_t size;                 /* bytes of an element */
    scankit_run_options options; /* what is compared */
    char *values, *first;        /* of the host; first: room for one element */
    uint64_t *counts;            /* NULL: not wanted */
    enum run_counts wanted;      /* of the counts */
    bool distinct;               /* no element of the last block equalled the one before it */
    size_t held;                 /* runs; the next block may lengthen the last */
    const char *block;           /* the elements added last */
    uint64_t before;             /* elements of the first run held that come before that block; not COUNTS_NONE */
    const char *ones;            /* runs of one element each that follow those held, in the caller's block */
    size_t one_count;
    uint64_t found;        /* complete runs taken so far */
    struct block_runs own; /* if the context is not the host's */
};

/* Takes complete runs; `last`: no more follow. counts is NULL if they are not wanted; with COUNTS_BUT_ONES, if each
 * is 1. */
typedef void take_function(void *state, const char *values, const uint64_t *counts, size_t runs, bool last);

/* Prepares for blocks of up to `block` elements. Compares the schema's
 * keys, or all bytes if it has none. The caller sets the context before the first block. */
void runs_start(struct runs *runs, const struct schema *schema, size_t block, enum run_counts wanted);

/* Adds the runs of n >= 1 elements of the host, which stay as they are until runs_pass(). */
void runs_add(struct runs *runs, const char *block, size_t n);

/* The same for one of several devices, whose context is set: they find the runs of their blocks, perhaps at the same
 * time; then these are added in the order of the blocks. */
void runs_find(const struct runs *runs, struct block_runs *there, const char *block, size_t n);
void runs_add_found(struct runs *runs, struct block_runs *there, size_t n);

/* Passes the complete runs to take(); with `last` the open one too. Follows each runs_add(). */
void runs_pass(struct runs *runs, take_function *take, void *state, bool last);

void runs_free(struct runs *runs);
void block_runs_free(struct block_runs *there);

#endif
