/* join.c - see join.h. A test of a number with constants is a set of numbers. As a set is kept where it begins and
 * ends, AND, OR and NOT of two sets are one walk along both. Floats are ordered as integers here: then NaNs are beyond
 * the infinities, and a set holds them or not like all others. */
#include <stdlib.h>

#include "join.h"

#define EDGES (2 * SK_WITHIN_RANGES + 1)

/* A set of keys from 0 up: a key is in it if the number of edges up to the key is odd. */
typedef struct set {
    uint16_t of;   /* the number's node; 0: the node is no test of one number */
    uint8_t type;  /* what the number is taken for */
    uint8_t tests; /* that it is made of */
    uint8_t count;
    uint64_t edge[EDGES]; /* ascending */
} set;

typedef struct join {
    sk_graph *g;
    set *sets;     /* by node */
    uint16_t *now; /* by node: the one to take for it; 0 where that is yet to be found */
    unsigned result;
} join;

/* ---- keys: integers without sign, in the order of the numbers ---- */

static uint64_t sign_of(sk_value_type type)
{
    return (uint64_t)1 << (8 * sk_value_size(type) - 1);
}

static uint64_t last_of(sk_value_type type)
{
    return sign_of(type) | (sign_of(type) - 1);
}

static uint64_t key_of(sk_value_type type, uint64_t bits)
{
    uint64_t sign = sign_of(type);
    bits &= last_of(type);
    switch (type) {
    case SK_U32:
    case SK_U64: return bits;
    case SK_I32:
    case SK_I64: return bits ^ sign;
    default: return (bits & sign) != 0 ? bits ^ last_of(type) : bits ^ sign;
    }
}

/* The kernels' order of the key: integers as they are, floats as signed integers. */
static uint64_t bits_of(sk_value_type type, uint64_t key)
{
    return type == SK_U32 || type == SK_U64 ? key : key ^ sign_of(type);
}

/* The keys of numbers. NaNs are below and above. */
static sk_set_range numbers_of(sk_value_type type)
{
    switch (type) {
    case SK_F32: return (sk_set_range){key_of(type, 0xff800000), key_of(type, 0x7f800000)};
    case SK_F64: return (sk_set_range){key_of(type, UINT64_C(0xfff) << 52), key_of(type, UINT64_C(0x7ff) << 52)};
    default: return (sk_set_range){0, last_of(type)};
    }
}

/* The keys that equal a constant: two of a float that is zero. */
static sk_set_range equals_of(sk_value_type type, uint64_t bits)
{
    bool is_float = type == SK_F32 || type == SK_F64;
    uint64_t key = key_of(type, bits);
    if (is_float && (bits & ~sign_of(type)) == 0)
        return (sk_set_range){key_of(type, sign_of(type)), key_of(type, 0)};
    return (sk_set_range){key, key};
}

/* ---- sets ---- */

static bool begins_inside(const set *s)
{
    return s->count > 0 && s->edge[0] == 0;
}

static void add_edge(set *s, uint64_t key)
{
    s->edge[s->count++] = key;
}

/* The keys from low to high, or none if low > high. */
static set set_of_range(sk_value_type type, uint64_t low, uint64_t high)
{
    set s = {.type = (uint8_t)type, .tests = 1};
    if (low > high)
        return s;
    add_edge(&s, low);
    if (high < last_of(type))
        add_edge(&s, high + 1);
    return s;
}

typedef enum connective { BOTH, EITHER, ONE_OF_TWO } connective;

/* What is in a and b, in a or b, or in one of the two alone. The set has of == 0 where it has too many edges. */
static set combined(const set *a, const set *b, connective how)
{
    set s = {.type = a->type, .tests = (uint8_t)(a->tests + b->tests < UINT8_MAX ? a->tests + b->tests : UINT8_MAX)};
    bool inside = false;
    for (unsigned i = 0, j = 0; i < a->count || j < b->count;) {
        bool in_a = i < a->count, in_b = j < b->count;
        uint64_t key = in_a && (!in_b || a->edge[i] <= b->edge[j]) ? a->edge[i] : b->edge[j];
        i += in_a && a->edge[i] == key;
        j += in_b && b->edge[j] == key;
        bool now = how == BOTH ? (i & j & 1) : how == EITHER ? ((i | j) & 1) : ((i ^ j) & 1);
        if (now == inside)
            continue;
        if (s.count - begins_inside(&s) == 2 * SK_WITHIN_RANGES)
            return s;
        inside = now;
        add_edge(&s, key);
    }
    s.of = a->of;
    return s;
}

static set all_but(const set *a)
{
    const set all = {.count = 1};
    return combined(a, &all, ONE_OF_TWO);
}

static bool is_number(sk_value_type type, sk_set_range equal)
{
    const sk_set_range all = numbers_of(type);
    return equal.low >= all.low && equal.high <= all.high;
}

/* What a comparison is true for: of a number with a constant on its right (before), or on its left. */
static set compared(sk_value_type type, bool before, bool with_equal, uint64_t constant)
{
    const sk_set_range all = numbers_of(type), equal = equals_of(type, constant);
    bool none = !is_number(type, equal) || (!with_equal && (before ? equal.low == all.low : equal.high == all.high));
    sk_set_range within = all;
    if (before)
        within.high = with_equal ? equal.high : equal.low - 1;
    else
        within.low = with_equal ? equal.low : equal.high + 1;
    return none ? set_of_range(type, 1, 0) : set_of_range(type, within.low, within.high);
}

static set equal_to(sk_value_type type, uint64_t constant)
{
    const sk_set_range equal = equals_of(type, constant);
    return is_number(type, equal) ? set_of_range(type, equal.low, equal.high) : set_of_range(type, 1, 0);
}

static set different_from(sk_value_type type, uint64_t constant)
{
    const set equal = equal_to(type, constant);
    return all_but(&equal);
}

static set no_number(sk_value_type type)
{
    const set numbers = set_of_range(type, numbers_of(type).low, numbers_of(type).high);
    return all_but(&numbers);
}

/* The set of what s holds and `by` more, modulo 2^32 or 2^64. */
static set moved(const set *s, sk_value_type type, uint64_t by)
{
    set result = {.type = (uint8_t)type};
    for (unsigned e = 0; e < s->count; e += 2) {
        uint64_t low = (s->edge[e] + by) & last_of(type);
        uint64_t high = (e + 1 < s->count ? s->edge[e + 1] - 1 + by : last_of(type) + by) & last_of(type);
        set piece = low <= high ? set_of_range(type, low, high) : set_of_range(type, high + 1, low - 1);
        if (low > high)
            piece = all_but(&piece);
        result = combined(&result, &piece, EITHER);
    }
    return result;
}

/* A set of differences from a constant is one of the numbers that it is subtracted from. */
static set set_of_difference(const sk_graph *g, const set *s)
{
    const sk_node *node = &g->nodes[s->of];
    sk_value_type type = (sk_value_type)g->nodes[node->a].type;
    bool is_difference =
        (s->type == SK_U32 && node->code == SK_STEP_SUB_U32) || (s->type == SK_U64 && node->code == SK_STEP_SUB_U64);
    if (!is_difference || !sk_is_constant_node(g, node->b))
        return *s;
    set result = moved(s, type, key_of(type, g->nodes[node->b].bits));
    result.tests = 2;
    result.of = node->a;
    return result;
}

/* Which numbers a test is true for, and of which node; of == 0 where the node is no test of one with a constant. */
static set set_of_test(const sk_graph *g, const sk_node *node)
{
    bool is_left = !sk_is_constant_node(g, node->a);
    unsigned number = is_left ? node->a : node->b;
    uint64_t constant = g->nodes[is_left ? node->b : node->a].bits;
    sk_value_type own = (sk_value_type)g->nodes[number].type;
    set s = {0};
    if (node->b != 0 && is_left && !sk_is_constant_node(g, node->b))
        return s;
    switch (node->code) {
        /* clang-format off */
#define COMPARE(T)                                                              \
    case SK_STEP_LT_##T: s = compared(SK_##T, is_left, false, constant); break; \
    case SK_STEP_LE_##T: s = compared(SK_##T, is_left, true, constant); break;
    COMPARE(U32) COMPARE(I32) COMPARE(F32) COMPARE(U64) COMPARE(I64) COMPARE(F64)
#undef COMPARE
#define EQUAL(T)                                             \
    case SK_STEP_EQ_##T: s = equal_to(own, constant); break; \
    case SK_STEP_NE_##T: s = different_from(own, constant); break;
    EQUAL(U32) EQUAL(F32) EQUAL(U64) EQUAL(F64)
#undef EQUAL
            /* clang-format on */
            case SK_STEP_ISNAN_F32 : s = no_number(SK_F32);
        break;
    case SK_STEP_ISNAN_F64: s = no_number(SK_F64); break;
    default: return s;
    }
    s.tests = 1;
    s.of = (uint16_t)number;
    return set_of_difference(g, &s);
}

static bool are_joined(const set *a, const set *b)
{
    return a->of != 0 && a->of == b->of && a->type == b->type;
}

/* Operands precede the nodes that use them. */
static void find_sets(join *j, unsigned result)
{
    for (unsigned id = 1; id <= result; id++) {
        const sk_node *node = &j->g->nodes[id];
        const set *a = &j->sets[node->a], *b = &j->sets[node->b];
        if (node->code == SK_STEP_NOT_B8 && a->of != 0)
            j->sets[id] = all_but(a);
        else if ((node->code == SK_STEP_AND_B8 || node->code == SK_STEP_OR_B8) && are_joined(a, b))
            j->sets[id] = combined(a, b, node->code == SK_STEP_AND_B8 ? BOTH : EITHER);
        else if (!sk_is_constant_node(j->g, id))
            j->sets[id] = set_of_test(j->g, node);
    }
}

/* ---- nodes ---- */

static unsigned joined(join *j, unsigned id);

/* Ranges lie between the edges behind the first key: the number is outside of them where the first key is in the set.
 */
static unsigned emit_set(join *j, const set *s)
{
    const sk_value_type type = (sk_value_type)s->type;
    bool outside = begins_inside(s);
    size_t first = outside, count = (s->count - first + 1) / 2;
    if (count == 0)
        return sk_emit_truth(j->g, outside);
    unsigned of = joined(j, s->of);
    sk_set_range *ranges = sk_add_ranges(j->g, count);
    if (ranges == NULL)
        return 0;
    for (size_t r = 0, e = first; r < count; r++, e += 2) {
        uint64_t high = e + 1 < s->count ? s->edge[e + 1] - 1 : last_of(type);
        ranges[r] = (sk_set_range){bits_of(type, s->edge[e]), bits_of(type, high)};
    }
    return sk_emit_within(j->g, type, of, count, outside);
}

/* The node with which to go on in place of this one. */
static unsigned joined(join *j, unsigned id)
{
    const sk_node node = j->g->nodes[id];
    const set *s = &j->sets[id];
    if (id == 0 || j->now[id] != 0)
        return j->now[id];
    if (s->of != 0 && (s->tests > 1 || id == j->result))
        return j->now[id] = (uint16_t)emit_set(j, s);
    unsigned a = joined(j, node.a), b = joined(j, node.b), c = joined(j, node.c);
    return j->now[id] = (uint16_t)sk_emit_again(j->g, id, a, b, c);
}

unsigned sk_join_tests(sk_graph *g, unsigned result)
{
    join j = {
        .g = g, .result = result, .sets = calloc(result + 1, sizeof *j.sets), .now = calloc(result + 1, sizeof *j.now)};
    bool has_room = g->node_count <= SK_NODES / 2; /* a node becomes one more at most */
    if (j.sets == NULL || j.now == NULL) {
        sk_out_of_memory(g->fault);
    } else if (has_room) {
        find_sets(&j, result);
        result = joined(&j, result);
    }
    free(j.sets);
    free(j.now);
    return result;
}
