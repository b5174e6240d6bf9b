/* number.h - operators on numbers of any kind: a float operand selects floats. Truths count as 0 and 1; opaque bytes
 * are an error. */
#ifndef SK_PREDICATE_NUMBER_H
#define SK_PREDICATE_NUMBER_H

#include "value.h"

/* SK_OP_ADD to SK_OP_SHR. AND and OR of two truths are a truth. */
sk_value sk_arithmetic(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at);

/* SK_OP_MIN and SK_OP_MAX. */
sk_value sk_extreme(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at);

sk_value sk_negate(sk_graph *g, sk_value a, size_t at);
sk_value sk_invert(sk_graph *g, sk_value a, size_t at);
sk_value sk_abs(sk_graph *g, sk_value a, size_t at);
sk_value sk_is_nan(sk_graph *g, sk_value a, size_t at);
sk_value sk_is_infinite(sk_graph *g, sk_value a, size_t at);

/* condition ? yes : no, with a B8 node as condition. */
sk_value sk_choose(sk_graph *g, unsigned condition, sk_value yes, sk_value no, size_t at);

#endif
