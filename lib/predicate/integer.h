/* integer.h - arithmetic of integers: two values to a value and its range. */
#ifndef SK_PREDICATE_INTEGER_H
#define SK_PREDICATE_INTEGER_H

#include "value.h"

/* SK_OP_ADD to SK_OP_SHR. If the kinds differ, both count as unsigned; a shift has its first operand's kind. */
sk_value sk_integer_arithmetic(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at);

sk_value sk_integer_negate(sk_graph *g, sk_value a, size_t at);
sk_value sk_integer_invert(sk_graph *g, sk_value a, size_t at);
sk_value sk_integer_abs(sk_graph *g, sk_value a, size_t at);

/* The step of any operation, on the narrowest type that holds the operands and the result. Returns false if there is
 * none: for MIN to NE of an integer that may be negative and one that may be above INT64_MAX. */
bool sk_emit_integer(sk_graph *g, sk_operation op, sk_value a, sk_value b, sk_interval result, unsigned *node);

#endif
