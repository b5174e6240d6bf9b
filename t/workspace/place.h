/* place.h - the arrays that calls of workspace tests work on. */
#ifndef WORKSPACE_PLACE_H
#define WORKSPACE_PLACE_H

#include <stdint.h>

#include "support/data.h"
#include "support/device.h"

/* Bytes of an element that is too long for a tile. */
#define LONG_ELEMENT ((size_t)33 << 10)

typedef struct place {
    scankit_context *context; /* the one that makes the call */
    scankit_type type;
    size_t size, n;    /* of elements of the type */
    void *in;          /* n elements */
    void *sorted;      /* the same, each third of them sorted */
    void *values;      /* 8 bytes an element, the type's first */
    uint8_t *flags;    /* n */
    uint64_t *offsets; /* of segments */
    uint64_t *counts;  /* of runs, n / 4 of them */
    size_t segments;
    void *out, *more; /* room for 16 bytes an element, each */
    size_t used[2];   /* bytes of out and of more that the call defines */
    uint64_t host[8]; /* results in host memory */
    scankit_predicate *predicate;
    scankit_context *owner; /* of the arrays */
} place;

#define PLACE_ROOM(n) (16 * (n) + 4096)

/* Makes the arrays, on the owner's device. */
void place_open(place *p, scankit_context *owner, scankit_type type, size_t n);
void place_close(place *p);

/* Fills the inputs. */
void place_fill(place *p, data_shape shape, uint64_t seed);

/* Says which results the call has. */
scankit_error place_has(place *p, size_t out, size_t more, scankit_error error);

/* ---- results (place-results.c) ---- */

typedef struct place_result {
    char *array[2];
    size_t used[2];
    uint64_t host[8];
} place_result;

/* Waits for the call, and fails the current case if it failed. */
bool place_did(const place *p, scankit_error error);

/* Zeros everywhere, before a call. */
void place_clear_results(place *p);

place_result place_results(const place *p);
void place_free_results(place_result *r);
void place_expect_same(const place_result *a, const place_result *b);

/* SCANKIT_SUM for integers. The sum of floats depends on the order of additions. */
scankit_operator place_operator(const place *p);

#endif
