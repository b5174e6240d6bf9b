/* drawer.h - what the functions that draw a random predicate share; see draw-predicate.h */
#ifndef DRAWER_H
#define DRAWER_H

#include "draw-predicate.h"

typedef struct drawer {
    random_state *random;
    const subject *subject;
    const unsigned char *samples;
    size_t n;
    uint64_t first;
    bool position; /* no field hides it */
} drawer;

static inline size_t below(drawer *d, size_t limit)
{
    return (size_t)random_below(d->random, limit);
}

static inline bool once_in(drawer *d, size_t times)
{
    return below(d, times) == 0;
}

/* A random field: of opaque bytes, or of numbers that are floats or not. NULL if there is none. */
typedef enum wanted_field { WANT_INTEGER, WANT_FLOAT, WANT_BYTES } wanted_field;
const scankit_field *some_field(drawer *d, wanted_field wanted);

const unsigned char *some_sample(drawer *d, uint64_t *position);

/* Numbers that are likely in predicates: small ones, samples, neighbours of powers of two, any. */
uint64_t some_integer(drawer *d);
double some_float(drawer *d); /* finite, without a sign */

/* Writes an unsigned number in a random notation. */
void spell_unsigned(drawer *d, char *text, uint64_t v);
void spell_float(drawer *d, char *text, double v);
expression *unsigned_literal(drawer *d, uint64_t v);
expression *float_literal(drawer *d, double v);

/* The value as a literal, with a minus if it needs one. NULL if no literal has this value. */
expression *literal_of(drawer *d, value v);

#endif
