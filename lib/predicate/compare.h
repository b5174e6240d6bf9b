/* compare.h - comparisons: two values to a truth. Numbers of different kinds compare by their mathematical value. */
#ifndef SK_PREDICATE_COMPARE_H
#define SK_PREDICATE_COMPARE_H

#include "value.h"

/* SK_OP_LT to SK_OP_NE, as a B8 node. Opaque bytes compare only with opaque bytes. */
unsigned sk_compare(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at);

/* Any value as a B8 node: true if it is not 0. Opaque bytes are an error. */
unsigned sk_as_truth(sk_graph *g, sk_value v);

#endif
