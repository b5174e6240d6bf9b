/* fold.h - an operator on single elements in host memory. */
#ifndef SK_GROUP_FOLD_H
#define SK_GROUP_FOLD_H

#include "scankit.h"

#define SK_ELEMENT_MAX 8 /* bytes of an element of any type */

/* *total = *total op *next. The type has the operator. */
void sk_combine(scankit_type type, scankit_operator op, void *total, const void *next);

#endif
