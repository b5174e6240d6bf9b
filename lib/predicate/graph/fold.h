/* fold.h - steps on constants: a step and its operands' bits become the result's bits. */
#ifndef SK_PREDICATE_FOLD_H
#define SK_PREDICATE_FOLD_H

#include "program.h"

/* The type of a regular step's result. */
sk_value_type sk_result_type(unsigned code);

/* The result of a regular step, as in sk_constant.bits. */
uint64_t sk_fold(unsigned code, uint64_t a, uint64_t b);

#endif
