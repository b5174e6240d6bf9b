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

void sk_set_open(sk_graph *g, sk_set *set);
void sk_set_close(sk_set *set);

/* Adds the constant numbers from low to high. If low > high, the error is at `at`. */
void sk_set_add_numbers(sk_graph *g, sk_set *set, sk_value low, sk_value high, size_t at);

/* Adds a constant text. `element` is the one of sk_set_holds(). */
void sk_set_add_text(sk_graph *g, sk_set *set, const sk_value *element, const sk_value *text);

/* A truth: the element is in the set. Called once per set, as it sorts and joins the members. */
sk_value sk_set_holds(sk_graph *g, sk_set *set, sk_value element);

#endif
