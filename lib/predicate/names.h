/* names.h - what the names of a predicate mean: fields, the position and functions. */
#ifndef SK_PREDICATE_NAMES_H
#define SK_PREDICATE_NAMES_H

#include "tokens.h"
#include "value.h"

/* The elements that a predicate is compiled for. */
typedef struct sk_scope {
    const scankit_layout *layout; /* NULL: elements of `type`, named x */
    scankit_type type;
} sk_scope;

/* Returns false if the scope has no field of that name. */
bool sk_find_field(const sk_scope *scope, const sk_token *name, scankit_field *field);

/* The value of a field or of the position, i. */
sk_value sk_named_value(sk_graph *g, const sk_scope *scope, const sk_token *name);

typedef struct sk_function {
    const char *name;
    unsigned arguments; /* 1 or 2 */
    sk_value (*one)(sk_graph *g, sk_value a, size_t at);
    sk_value (*two)(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at);
    sk_operation op; /* of two arguments */
} sk_function;

/* NULL if no function has that name. */
const sk_function *sk_find_function(const sk_token *name);

#endif
