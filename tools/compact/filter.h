/* filter.h - filtering blocks of host elements on any device. */
#ifndef FILTER_H
#define FILTER_H

#include "common/buffer.h"

struct filter {
    scankit_context *context;
    scankit_predicate *predicate;
    scankit_compact_options options; /* `first` advances with each block */
    bool positions;                  /* keep positions instead of elements */
    struct buffer in, kept, others;  /* blocks on a device that is not the host */
};

/* Bytes of a kept element or position. */
size_t filter_kept_size(const struct filter *filter);

/* Copies the matching elements of the next host block to kept, and the rest to others. Each has room for n, or is NULL.
 * Returns how many match. */
size_t filter_block(struct filter *filter, const char *block, size_t n, char *kept, char *others);

/* The same in two steps, for a block from element `first` on: the device chooses, and keeps what is wanted; then that
 * is copied to the host. */
size_t filter_choose(struct filter *filter, const char *block, size_t n, uint64_t first, bool keeps, bool rejects);
void filter_give(const struct filter *filter, size_t n, size_t count, char *kept, char *others);

/* The index of match number `match`, from 0, in the block that was filtered last. */
size_t filter_find(const struct filter *filter, const char *block, size_t n, size_t match);

void filter_free(struct filter *filter);

#endif
