/* intake.h - reads the elements of all inputs as items. */
#ifndef INTAKE_H
#define INTAKE_H

#include "ahead.h"
#include "io/input.h"
#include "items/items.h"

struct intake {
    struct input *inputs; /* not read yet, and how many */
    size_t count;
    size_t (*pull)(void *state, char *memory, size_t bytes); /* NULL, or where elements come from instead of inputs */
    void *state;                                             /* its first argument */
    struct ahead *ahead; /* what was read of them already; it holds all of the rest, if it is not empty at first */
    const struct schema *schema;
    const struct items *items;
    uint64_t position; /* of the next element */
    uint64_t left;     /* no more elements than this are read; the opener may lessen it */
    char *stage;       /* elements on their way to items, or NULL */
    size_t stage_room; /* in elements */
    char *last;        /* each input must be sorted: its last element so far; else NULL */
    uint64_t checked;  /* elements of the current input */
};

/* ahead may be NULL. No call will ask for more than `most` items. */
void intake_open(struct intake *intake, struct input *inputs, size_t count, struct ahead *ahead,
                 const struct schema *schema, const struct items *items, size_t most);
void intake_close(struct intake *intake);

/* Makes later calls check that each input is sorted. */
void intake_check_order(struct intake *intake);

/* Fails with a message for an element that is out of order. */
NO_RETURN void refuse_order(const struct input *input, uint64_t element);

/* Reads up to n items; fewer only at the end. */
size_t intake_fill(struct intake *intake, char *memory, size_t n);

/* Passes over n elements, which the inputs must have. */
void intake_skip(struct intake *intake, uint64_t n);

#endif
