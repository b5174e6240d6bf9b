/* check-predicate.h - asks the library and the oracle which elements match a predicate. */
#ifndef CHECK_PREDICATE_H
#define CHECK_PREDICATE_H

#include "support/device.h"
#include "draw-predicate.h"

typedef struct predicate_case {
    const subject *subject;
    const void *elements;
    size_t n;
    uint64_t first;
    const expression *tree;
    scankit_evaluation evaluation;
} predicate_case;

/* Both spellings of the tree, each against the oracle: positions and elements, as they are and inverted. Differences
 * fail the current property; of a wrong answer, the smallest part of the tree that is wrong is shown. False where the
 * evaluation is one that this machine does not have. */
bool check_predicate(device *d, const predicate_case *c, random_state *random);

/* Whether every copy of the element matches the text, or none does, as expected. */
void check_fact(device *d, const subject *s, const void *element, const char *text, bool expected);

/* The text on one line, cut to what fits. */
const char *predicate_one_line(const char *text, char *line, size_t room);

#endif
