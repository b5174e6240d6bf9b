/* check-predicate.h - asks the library and the oracle which elements match a predicate. */
#ifndef CHECK_PREDICATE_H
#define CHECK_PREDICATE_H

#include "draw-predicate.h"
#include "support/device.h"

typedef struct predicate_case {
    const subject *subject;
    const void *elements;
    size_t n;
    uint64_t first;
    const expression *tree;
    scankit_evaluation evaluation;
} predicate_case;

/* Checks both spellings of the tree against the oracle: positions and elements, plain and inverted. Differences fail
 * the current property and show the smallest part of the tree that is wrong. Returns false if this machine does not
 * have the evaluation. */
bool check_predicate(device *d, const predicate_case *c, random_state *random);

/* Checks that every copy of the element matches the text, or none, as expected. */
void check_fact(device *d, const subject *s, const void *element, const char *text, bool expected);

/* The text on one line, cut to the room. */
const char *predicate_one_line(const char *text, char *line, size_t room);

#endif
