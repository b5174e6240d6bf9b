/* intake.h - reads the elements of all inputs as items. */
#ifndef INTAKE_H
#define INTAKE_H

#include "io/input.h"
#include "items/items.h"

/* Gives the next bytes; fewer only at the end. */
typedef size_t intake_source(void *state, char *memory, size_t bytes);

struct intake {
    struct input *inputs; /* not read yet, and how many */
    size_t count;
    intake_source *source; /* where elements come from instead; or NULL */
    void *state;           /* of the source */
    const struct schema *schema;
    const struct items *items;
    uint64_t position; /* of the next element */
    uint64_t left;     /* no more elements than this are read; the opener may lessen it */
    char *stage;       /* elements on their way to items, or NULL */
    size_t stage_room; /* in elements */
    char *last;        /* each input must be sorted: its last element so far; else NULL */
    uint64_t checked;  /* elements of the current input */
};

/* No call will ask for more than `most` items. */
void intake_open(struct intake *intake, struct input *inputs, size_t count, const struct schema *schema,
                 const struct items *items, size_t most);
void intake_close(struct intake *intake);

/* The elements of the inputs come from there. */
void intake_take_from(struct intake *intake, intake_source *source, void *state);

/* Makes later calls check that each input is sorted. */
void intake_check_order(struct intake *intake);

/* Fails with a message for an element that is out of order. */
NO_RETURN void refuse_order(const struct input *input, uint64_t element);

/* Reads up to n items; fewer only at the end. */
size_t intake_fill(struct intake *intake, char *memory, size_t n);

/* Passes over n elements, which the inputs must have. */
void intake_skip(struct intake *intake, uint64_t n);

#endif
