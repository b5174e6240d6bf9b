/* expander.h - expanding runs of the host on any device. */
#ifndef EXPANDER_H
#define EXPANDER_H

#include "common/buffer.h"

struct expander {
    scankit_context *context;
    struct buffer values, counts, out; /* on a device that is not the host */
};

/* Writes values[r], of `size` bytes, counts[r] times, for each run r: n elements in all. */
void expander_run(struct expander *expander, size_t size, const char *values, const uint64_t *counts, size_t runs,
                  char *out, size_t n);

void expander_free(struct expander *expander);

#endif
