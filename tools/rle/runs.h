/* runs.h - runs of equal elements, found block by block, and joined across blocks. */
#ifndef RUNS_H
#define RUNS_H

#include "common/buffer.h"
#include "common/schema.h"

struct runs {
    scankit_context *context;
    size_t size;                    /* bytes of an element */
    scankit_run_options options;    /* what is compared */
    char *values, *first;           /* of the host; first: room for one element */
    uint64_t *counts;               /* NULL: not wanted */
    size_t begin, end, room;        /* of the runs held; the next block may lengthen the last */
    uint64_t found;                 /* complete runs taken so far */
    struct buffer in, out, lengths; /* blocks on a device that is not the host */
};

/* Takes complete runs, and returns how many. With `last` it must take all; else it is offered the rest again. counts is
 * NULL if they are not wanted. */
typedef size_t take_function(void *state, const char *values, const uint64_t *counts, size_t runs, bool last);

/* Prepares for blocks of up to `block` elements, and a take() that leaves up to `held` runs. Compares the schema's
 * keys, or all bytes if it has none. The caller sets the context before the first block. */
void runs_start(struct runs *runs, const struct schema *schema, size_t block, size_t held, bool counted);

/* Adds the runs of n >= 1 elements of the host. */
void runs_add(struct runs *runs, const char *block, size_t n);

/* Offers the complete runs to take(); with `last` the open one too. */
void runs_offer(struct runs *runs, take_function *take, void *state, bool last);

void runs_free(struct runs *runs);

#endif
