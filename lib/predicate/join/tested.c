/* tested.c - see tested.h. A set of what is computed of a number becomes a set of the number itself. */
#include "tested.h"

#include "predicate/graph/fold.h"

/* ---- sets of computed numbers ---- */

/* A set of differences from a constant is one of the numbers that it is subtracted from. */
static sk_key_set set_of_difference(const sk_graph *g, const sk_key_set *s)
{
    const sk_node *node = &g->nodes[s->of];
    sk_value_type type = (sk_value_type)g->nodes[node->a].type;
    bool is_difference =
        (s->type == SK_U32 && node->code == SK_STEP_SUB_U32) || (s->type == SK_U64 && node->code == SK_STEP_SUB_U64);
    if (!is_difference || !sk_is_constant_node(g, node->b))
        return *s;
    sk_key_set result = sk_keys_moved(s, type, sk_key_of(type, g->nodes[node->b].bits));
    result.tests = 2;
    result.of = node->a;
    return result;
}

/* The f64 of an integer, as a key. `conversion` is one of the steps TO_F64. */
static uint64_t converted(unsigned conversion, sk_value_type type, uint64_t key)
{
    return sk_key_of(SK_F64, sk_fold(conversion, sk_key_bits(type, key), 0));
}

/* The least integer whose f64 is not below `bound`; false if there is none. A conversion keeps the order. */
static bool first_converted(unsigned conversion, sk_value_type type, uint64_t bound, uint64_t *first)
{
    uint64_t low = 0, high = sk_last_key(type);
    if (converted(conversion, type, high) < bound)
        return false;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (converted(conversion, type, middle) < bound)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    return true;
}

static bool integer_of_conversion(unsigned conversion, sk_value_type *type)
{
    switch (conversion) {
    case SK_STEP_TO_F64_U32: *type = SK_U32; return true;
    case SK_STEP_TO_F64_I32: *type = SK_I32; return true;
    case SK_STEP_TO_F64_U64: *type = SK_U64; return true;
    case SK_STEP_TO_F64_I64: *type = SK_I64; return true;
    default: return false;
    }
}

/* A set of floats that integers are converted to is one of the integers. */
static sk_key_set set_of_integers(const sk_graph *g, const sk_key_set *s)
{
    const sk_node *node = &g->nodes[s->of];
    sk_value_type type;
    if (s->type != SK_F64 || !integer_of_conversion(node->code, &type))
        return *s;
    sk_key_set result = {.of = node->a, .type = (uint8_t)type, .tests = 2};
    for (unsigned e = 0; e < s->count; e++) {
        uint64_t first;
        if (!first_converted(node->code, type, s->edge[e], &first))
            break;
        if (result.count > 0 && result.edge[result.count - 1] == first)
            result.count--; /* no integer lies between the two edges */
        else
            result.edge[result.count++] = first;
    }
    return result;
}

/* The places of the ones of a word of 32 or 64 bits. */
static sk_key_set places_of_ones(sk_value_type type, uint64_t word, uint16_t of)
{
    const unsigned bits = 8 * sk_value_size(type);
    sk_key_set ones = {.of = of, .type = (uint8_t)type};
    for (unsigned place = 0; place < bits && ones.of != 0; place++) {
        sk_key_set one = sk_key_range(type, place, place);
        if ((word >> place & 1) != 0)
            ones = sk_combined(&ones, &one, SK_EITHER);
    }
    return ones;
}

/* A set of bits that numbers select of a word is one of the numbers: of places in the word. */
static sk_key_set set_of_places(const sk_graph *g, const sk_key_set *s)
{
    const sk_node *bit = &g->nodes[s->of], *shifted = &g->nodes[bit->a];
    bool is_narrow = bit->code == SK_STEP_BIT_AND_U32 && shifted->code == SK_STEP_SHR_U32;
    bool is_wide = bit->code == SK_STEP_BIT_AND_U64 && shifted->code == SK_STEP_SHR_U64;
    bool is_bit = (is_narrow || is_wide) && sk_is_constant_node(g, bit->b) && g->nodes[bit->b].bits == 1;
    if (!is_bit || !sk_is_constant_node(g, shifted->a))
        return *s;
    const sk_value_type type = is_narrow ? SK_U32 : SK_U64;
    const bool has_zero = sk_holds_key(s, 0), has_one = sk_holds_key(s, 1);
    const sk_key_set ones = places_of_ones(type, g->nodes[shifted->a].bits, shifted->b);
    if (has_zero == has_one || ones.of == 0)
        return *s;
    sk_key_set result = has_one ? ones : sk_all_but(&ones);
    result.tests = 3;
    return result;
}

/* ---- tests ---- */

static sk_key_set different_from(sk_value_type type, uint64_t constant)
{
    const sk_key_set equal = sk_keys_equal_to(type, constant);
    return sk_all_but(&equal);
}

sk_key_set sk_tested_keys(const sk_graph *g, const sk_node *test)
{
    bool is_left = !sk_is_constant_node(g, test->a);
    unsigned number = is_left ? test->a : test->b;
    uint64_t constant = g->nodes[is_left ? test->b : test->a].bits;
    sk_value_type own = (sk_value_type)g->nodes[number].type;
    sk_key_set s = {0};
    if (test->b != 0 && is_left && !sk_is_constant_node(g, test->b))
        return s;
    switch (test->code) {
        /* clang-format off */
#define COMPARE(T)                                                              \
    case SK_STEP_LT_##T: s = sk_keys_compared(SK_##T, is_left, false, constant); break; \
    case SK_STEP_LE_##T: s = sk_keys_compared(SK_##T, is_left, true, constant); break;
    COMPARE(U32) COMPARE(I32) COMPARE(F32) COMPARE(U64) COMPARE(I64) COMPARE(F64)
#undef COMPARE
#define EQUAL(T)                                             \
    case SK_STEP_EQ_##T: s = sk_keys_equal_to(own, constant); break; \
    case SK_STEP_NE_##T: s = different_from(own, constant); break;
    EQUAL(U32) EQUAL(F32) EQUAL(U64) EQUAL(F64)
#undef EQUAL
            /* clang-format on */
            case SK_STEP_ISNAN_F32 : s = sk_no_number(SK_F32);
        break;
    case SK_STEP_ISNAN_F64: s = sk_no_number(SK_F64); break;
    default: return s;
    }
    s.tests = 1;
    s.of = (uint16_t)number;
    s = set_of_places(g, &s);
    s = set_of_integers(g, &s);
    return set_of_difference(g, &s);
}
