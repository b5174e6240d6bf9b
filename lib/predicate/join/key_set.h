/* key_set.h - a set of numbers, kept where it begins and ends. So AND, OR and NOT of two sets are one walk along both.
 * Floats are ordered as integers here: then NaNs are beyond the infinities, and a set holds them or not like all
 * others. */
#ifndef SK_PREDICATE_KEY_SET_H
#define SK_PREDICATE_KEY_SET_H

#include "program.h"

#define SK_KEY_SET_EDGES (2 * SK_WITHIN_RANGES + 1)

/* Keys are integers without sign, in the order of the numbers. A key is in the set if the number of edges up to the key
 * is odd. */
typedef struct sk_key_set {
    uint16_t of;   /* the number's node; 0: the set is no test of one number */
    uint8_t type;  /* what the number is taken for */
    uint8_t tests; /* that it is made of */
    uint8_t count;
    uint64_t edge[SK_KEY_SET_EDGES]; /* ascending */
} sk_key_set;

typedef enum sk_connective { SK_BOTH, SK_EITHER, SK_ONE_OF_TWO } sk_connective;

uint64_t sk_last_key(sk_value_type type);
uint64_t sk_key_of(sk_value_type type, uint64_t bits);

/* The bits of an integer's key. The order that WITHIN steps have for floats is this of signed integers. */
uint64_t sk_key_bits(sk_value_type type, uint64_t key);

static inline bool sk_begins_inside(const sk_key_set *s)
{
    return s->count > 0 && s->edge[0] == 0;
}

static inline bool sk_holds_key(const sk_key_set *s, uint64_t key)
{
    unsigned edges = 0;
    while (edges < s->count && s->edge[edges] <= key)
        edges++;
    return edges % 2 == 1;
}

/* The keys from low to high, or none if low > high. */
sk_key_set sk_key_range(sk_value_type type, uint64_t low, uint64_t high);

/* What is in a and b, in a or b, or in one of the two alone. The set has of == 0 where it has too many edges. */
sk_key_set sk_combined(const sk_key_set *a, const sk_key_set *b, sk_connective how);
sk_key_set sk_all_but(const sk_key_set *a);

/* What a comparison is true for: of a number with a constant on its right (before), or on its left. */
sk_key_set sk_keys_compared(sk_value_type type, bool before, bool with_equal, uint64_t constant);
sk_key_set sk_keys_equal_to(sk_value_type type, uint64_t constant);
sk_key_set sk_no_number(sk_value_type type);

/* The set of what s holds and `by` more, modulo 2^32 or 2^64. */
sk_key_set sk_keys_moved(const sk_key_set *s, sk_value_type type, uint64_t by);

#endif
