/* set.h - the sets of `in`: the parser adds the members, then asks for an element. */
#ifndef SK_PREDICATE_SET_H
#define SK_PREDICATE_SET_H

#include "value.h"

/* Both ends are included; as floats too, if there are floats in the set or the element is one. */
typedef struct sk_member {
    sk_wide low, high;
    double from, to;
} sk_member;

typedef struct sk_set {
    sk_member *members;
    size_t count, room;
    bool has_float;
    unsigned matches; /* a B8 node: the element is one of the texts that were compared byte by byte */
} sk_set;

void sk_set_open(sk_set *set, sk_graph *g);
void sk_set_close(sk_set *set);

/* Adds the constant numbers from low to high; `at` is where the range would be wrong. */
void sk_set_add_numbers(sk_set *set, sk_graph *g, sk_value low, sk_value high, size_t at);

/* Adds a constant text; `element` is the one that will be asked for. */
void sk_set_add_text(sk_set *set, sk_graph *g, const sk_value *element, const sk_value *text);

/* True if the element is in the set. The set's members are not valid afterwards. */
sk_value sk_set_holds(sk_set *set, sk_graph *g, sk_value element);

#endif
