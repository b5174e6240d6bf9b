/* tested.h - the set of numbers that a test is true for. */
#ifndef SK_PREDICATE_TESTED_H
#define SK_PREDICATE_TESTED_H

#include "key_set.h"
#include "predicate/graph/node.h"

/* The keys of the numbers that `test` is true for, and the node of these numbers; of == 0 where it is no test of one
 * number with a constant. */
sk_key_set sk_tested_keys(const sk_graph *g, const sk_node *test);

#endif
