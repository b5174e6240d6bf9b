/* filter.h - a block of elements through a predicate, wherever the device is. */
#ifndef FILTER_H
#define FILTER_H

#include "common/buffer.h"

struct filter {
    scankit_context *context;
    scankit_predicate *predicate;
    scankit_compact_options options; /* its `first` counts on, block by block */
    bool positions;                  /* what is kept are the positions */
    struct buffer in, kept, others;  /* blocks of the device, unless that is the host */
};

/* Bytes of what is kept of an element. */
size_t filter_kept_size(const struct filter *filter);

/* The n elements of a block of the host that match, to kept, the others to others, both with room for all and each NULL
 * where not wanted. Answers how many match. */
size_t filter_block(struct filter *filter, const char *block, size_t n, char *kept, char *others);

/* Which element of the block that was filtered last is its match number `match`, counting from 0, of that many at
 * least. */
size_t filter_find(const struct filter *filter, const char *block, size_t n, size_t match);

void filter_free(struct filter *filter);

#endif
