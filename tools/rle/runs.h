/* runs.h - runs of equal elements: found by the device block by block, and joined over the borders of blocks. */
#ifndef RUNS_H
#define RUNS_H

#include "common/buffer.h"
#include "common/schema.h"

struct runs {
    scankit_context *context;
    size_t size;                    /* bytes of an element */
    scankit_run_options options;    /* what of it is compared */
    char *values, *first;           /* of the host; room for one element more */
    uint64_t *counts;               /* or NULL, where they are not wanted */
    size_t begin, end, room;        /* of those that are held; the last is open: the next block may lengthen it */
    uint64_t found;                 /* complete ones that were taken */
    struct buffer in, out, lengths; /* blocks of the device, unless that is the host */
};

/* Takes complete runs: all of them with `last`, else as many as it likes, to be offered the others again. Answers how
 * many. counts is NULL where they are not wanted. */
typedef size_t take_function(void *state, const char *values, const uint64_t *counts, size_t runs, bool last);

/* For blocks of up to `block` elements, where take() leaves up to `held` runs. The schema's keys are what is compared,
 * or all bytes where it has none. The context is set by the time of the first block. */
void runs_start(struct runs *runs, const struct schema *schema, size_t block, size_t held, bool counted);

/* Adds the runs of n elements of the host, 1 or more. */
void runs_add(struct runs *runs, const char *block, size_t n);

/* Offers the runs that are complete: with `last` the open one too. */
void runs_offer(struct runs *runs, take_function *take, void *state, bool last);

void runs_free(struct runs *runs);

#endif
