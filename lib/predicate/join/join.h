/* join.h - tests of one number become one step: whether it lies within ranges. */
#ifndef SK_PREDICATE_JOIN_H
#define SK_PREDICATE_JOIN_H

#include "predicate/graph/node.h"

/* A node that is true where `result` is. In its steps, tests of one number with constants that AND, OR and NOT connect
 * are one WITHIN step, and so is a single test that is the result. It is `result` itself where there are none. */
unsigned sk_join_tests(sk_graph *g, unsigned result);

#endif
