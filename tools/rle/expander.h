/* expander.h - runs of the host to the elements that they stand for, wherever the device is. */
#ifndef EXPANDER_H
#define EXPANDER_H

#include "common/buffer.h"

struct expander {
    scankit_context *context;
    struct buffer values, counts, out; /* of the device, unless that is the host */
};

/* counts[r] times values[r], of `size` bytes, for one r after the other: n elements in all. */
void expander_run(struct expander *expander, size_t size, const char *values, const uint64_t *counts, size_t runs,
                  char *out, size_t n);

void expander_free(struct expander *expander);

#endif
