/* work.h - calls of all single-pass primitives and sorts on millions of elements, each with a digest of its
 * results. */
#ifndef WORK_H
#define WORK_H

#include "support/device.h"

/* A context with the arrays that every call works on. */
typedef struct work_place {
    scankit_context *context;
    const char *engine;
    scankit_predicate *predicate;
    uint32_t *in, *beside; /* keys in short runs; small numbers */
    void *out, *more;      /* room for 8 bytes an element, each */
    char *host;
    bool failed; /* a call did not return SCANKIT_OK */
} work_place;

void work_open(work_place *place, const char *name, const char *engine);
void work_close(work_place *place);

unsigned work_count(void);
const char *work_name(unsigned job);

/* Upper bound of its workspace on a GPU, in bytes, as stated in scankit.h. */
size_t work_space(unsigned job);

/* Makes each call once, so that the library has allocated its memory and loaded its code. */
void work_warm(work_place *place);

/* Returns the digest, or 0 if the call failed. */
uint64_t work_do(work_place *place, unsigned job);

#endif
