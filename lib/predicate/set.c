/* set.c - in {...}: members become ranges that rise and do not touch; few of them are compared one by one, a dense set
 * of small integers is a mask of bits, and for many there is a step. */
#include <stdlib.h>
#include <string.h>

#include "predicate.h"

#define SHORT_CHAIN 8 /* ranges */

/* Both ends belong to it; as floats too, where integers and floats meet. */
typedef struct sk_member {
    sk_wide low, high;
    double from, to;
} sk_member;

typedef struct sk_set {
    sk_member *members;
    size_t count, room;
    bool has_float;
} sk_set;

static void add_member(sk_compiler *c, sk_set *set, sk_member member)
{
    if (set->count == set->room) {
        size_t room = set->room == 0 ? 16 : 2 * set->room;
        sk_member *members = realloc(set->members, room * sizeof *members);
        if (members == NULL) {
            sk_fail(c, SCANKIT_E_MEMORY, 0, NULL);
            return;
        }
        set->members = members;
        set->room = room;
    }
    set->members[set->count++] = member;
}

/* ---- reading ---- */

static sk_value parse_end(sk_compiler *c, sk_set *set)
{
    sk_value value = sk_as_number(c, sk_parse_constant(c));
    set->has_float |= value.kind == SK_FLOAT;
    return value;
}

static double float_of(sk_compiler *c, sk_value value)
{
    return c->error == SCANKIT_OK ? sk_constant_float(c, sk_as_f64(c, value)) : 0;
}

/* A number, or two with .. between them. Nothing remains of them but the member: sets may be long. */
static void parse_numbers(sk_compiler *c, sk_set *set)
{
    unsigned nodes = c->node_count;
    sk_value low = parse_end(c, set), high = low;
    size_t at = c->token.at;
    if (c->token.kind == SK_TOKEN_RANGE) {
        sk_next_token(c);
        high = parse_end(c, set);
    }
    sk_member member = {low.range.low, high.range.high, float_of(c, low), float_of(c, high)};
    bool falls = low.kind == SK_FLOAT || high.kind == SK_FLOAT ? member.from > member.to : member.low > member.high;
    if (falls)
        sk_wrong(c, at, "the range ends below its beginning");
    sk_forget_nodes(c, nodes);
    add_member(c, set, member);
}

/* A text, of a field that is one word: as a number. Longer texts than the field are not in it. */
static void parse_text(sk_compiler *c, sk_set *set, sk_value field, unsigned *truth)
{
    size_t at = c->token.at;
    sk_value text = sk_parse_constant(c), number;
    if (text.kind != SK_OPAQUE || c->token.kind == SK_TOKEN_RANGE) {
        sk_wrong(c, text.kind != SK_OPAQUE ? at : c->token.at, "a set for bytes holds texts, without ranges");
        return;
    }
    if (c->error != SCANKIT_OK)
        return;
    uint64_t word;
    if (!sk_bytes_word(c, &field, &number))
        *truth = sk_emit(c, SK_STEP_OR_B8, *truth, sk_compare_bytes(c, SK_OP_EQ, &field, &text));
    else if (sk_text_word(&text, field.size, &word))
        add_member(c, set, (sk_member){.low = word, .high = word});
}

/* ---- ranges ---- */

static int compare_integers(const void *a, const void *b)
{
    sk_wide x = ((const sk_member *)a)->low, y = ((const sk_member *)b)->low;
    return (x > y) - (x < y);
}

static int compare_floats(const void *a, const void *b)
{
    double x = ((const sk_member *)a)->from, y = ((const sk_member *)b)->from;
    return (x > y) - (x < y);
}

/* Cuts members to what the element can be, sorts and joins them. */
static void order_integers(sk_set *set, sk_interval range)
{
    size_t kept = 0, joined = 0;
    for (size_t i = 0; i < set->count; i++) {
        sk_member member = set->members[i];
        member.low = member.low < range.low ? range.low : member.low;
        member.high = member.high > range.high ? range.high : member.high;
        if (member.low <= member.high)
            set->members[kept++] = member;
    }
    if (kept > 0)
        qsort(set->members, kept, sizeof *set->members, compare_integers);
    for (size_t i = 0; i < kept; i++) {
        const sk_member *member = &set->members[i];
        if (joined == 0 || member->low > set->members[joined - 1].high + 1)
            set->members[joined++] = *member;
        else if (member->high > set->members[joined - 1].high)
            set->members[joined - 1].high = member->high;
    }
    set->count = joined;
}

/* The same; what has a NaN at an end holds nothing. */
static void order_floats(sk_set *set)
{
    size_t kept = 0, joined = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->members[i].from <= set->members[i].to)
            set->members[kept++] = set->members[i];
    if (kept > 0)
        qsort(set->members, kept, sizeof *set->members, compare_floats);
    for (size_t i = 0; i < kept; i++) {
        const sk_member *member = &set->members[i];
        if (joined == 0 || member->from > set->members[joined - 1].to)
            set->members[joined++] = *member;
        else if (member->to > set->members[joined - 1].to)
            set->members[joined - 1].to = member->to;
    }
    set->count = joined;
}

/* ---- steps ---- */

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The step for any number of ranges, on an element of 64 bits. */
static unsigned search(sk_compiler *c, const sk_set *set, unsigned code, unsigned node)
{
    size_t first = c->range_count, count = first + set->count;
    sk_set_range *ranges = realloc(c->ranges, count * sizeof *ranges);
    if (ranges == NULL) {
        sk_fail(c, SCANKIT_E_MEMORY, 0, NULL);
        return 0;
    }
    c->ranges = ranges;
    c->range_count = count;
    for (size_t i = 0; i < set->count; i++) {
        const sk_member *member = &set->members[i];
        ranges[first + i] = code == SK_STEP_IN_F64 ? (sk_set_range){bits_of(member->from), bits_of(member->to)}
                                                   : (sk_set_range){(uint64_t)member->low, (uint64_t)member->high};
    }
    return sk_emit_in(c, code, node, first, set->count);
}

/* Whether an integer is in a range that is not all it can be. One comparison is enough, as what is below the range is
 * far above it when counted from its beginning. */
static unsigned in_range(sk_compiler *c, sk_value element, const sk_member *member)
{
    sk_value low = sk_integer_value(c, member->low, SK_SIGNED, 0),
             high = sk_integer_value(c, member->high, SK_SIGNED, 0);
    if (member->low == member->high)
        return sk_compare(c, SK_OP_EQ, element, low, 0);
    if (member->low == element.range.low)
        return sk_compare(c, SK_OP_LE, element, high, 0);
    if (member->high == element.range.high)
        return sk_compare(c, SK_OP_LE, low, element, 0);
    bool narrow = sk_is_narrow(c, element.node);
    unsigned from =
        sk_emit(c, narrow ? SK_STEP_SUB_U32 : SK_STEP_SUB_U64, element.node, sk_as_bits(c, low, narrow ? 32 : 64));
    sk_value size = sk_integer_value(c, member->high - member->low, SK_UNSIGNED, 0);
    return sk_emit(c, narrow ? SK_STEP_LE_U32 : SK_STEP_LE_U64, from, sk_as_bits(c, size, narrow ? 32 : 64));
}

/* Ranges close together, as bits of a word: those of the word that the element shifts to its end. */
static unsigned in_mask(sk_compiler *c, sk_value element, const sk_set *set)
{
    bool narrow = sk_is_narrow(c, element.node);
    unsigned bits = narrow ? 32 : 64;
    sk_wide base = set->members[0].low;
    unsigned place = element.node;
    if (base >= 0 && set->members[set->count - 1].high < bits)
        base = 0;
    else
        place = sk_emit(c, narrow ? SK_STEP_SUB_U32 : SK_STEP_SUB_U64, place,
                        sk_as_bits(c, sk_integer_value(c, base, SK_SIGNED, 0), bits));
    uint64_t mask = 0;
    for (size_t i = 0; i < set->count; i++)
        for (sk_wide j = set->members[i].low; j <= set->members[i].high; j++)
            mask |= (uint64_t)1 << (j - base);
    sk_value_type type = narrow ? SK_U32 : SK_U64;
    unsigned shifted = sk_emit(c, narrow ? SK_STEP_SHR_U32 : SK_STEP_SHR_U64, sk_emit_constant(c, type, mask), place);
    unsigned bit =
        sk_emit(c, narrow ? SK_STEP_BIT_AND_U32 : SK_STEP_BIT_AND_U64, shifted, sk_emit_constant(c, type, 1));
    return sk_emit(c, narrow ? SK_STEP_NE_U32 : SK_STEP_NE_U64, bit, sk_emit_constant(c, type, 0));
}

static unsigned in_integers(sk_compiler *c, sk_value element, const sk_set *set)
{
    if (set->count == 0)
        return sk_emit_truth(c, false);
    const sk_member *first = &set->members[0], *last = &set->members[set->count - 1];
    if (first->low == element.range.low && first->high == element.range.high)
        return sk_emit_truth(c, true);
    if (set->count > 2 && last->high - first->low < (sk_is_narrow(c, element.node) ? 32 : 64))
        return in_mask(c, element, set);
    if (set->count > SHORT_CHAIN) {
        unsigned code = element.range.low < 0 ? SK_STEP_IN_I64 : SK_STEP_IN_U64;
        return search(c, set, code, sk_as_bits(c, element, 64));
    }
    unsigned truth = sk_emit_truth(c, false);
    for (size_t i = 0; i < set->count; i++)
        truth = sk_emit(c, SK_STEP_OR_B8, truth, in_range(c, element, &set->members[i]));
    return truth;
}

static bool holds(const sk_set *set, double number)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->members[i].from <= number && number <= set->members[i].to)
            return true;
    return false;
}

static unsigned in_floats(sk_compiler *c, sk_value element, const sk_set *set)
{
    if (sk_is_constant(c, &element))
        return sk_emit_truth(c, holds(set, float_of(c, element)));
    if (set->count > SHORT_CHAIN)
        return search(c, set, SK_STEP_IN_F64, sk_as_f64(c, element));
    unsigned truth = sk_emit_truth(c, false);
    for (size_t i = 0; i < set->count; i++) {
        sk_value from = sk_float_value(sk_emit_f64(c, set->members[i].from), 0);
        sk_value to = sk_float_value(sk_emit_f64(c, set->members[i].to), 0);
        unsigned in = sk_compare(c, SK_OP_EQ, element, from, 0);
        if (set->members[i].from != set->members[i].to) {
            unsigned above = sk_compare(c, SK_OP_LE, from, element, 0);
            in = sk_emit(c, SK_STEP_AND_B8, above, sk_compare(c, SK_OP_LE, element, to, 0));
        }
        truth = sk_emit(c, SK_STEP_OR_B8, truth, in);
    }
    return truth;
}

static unsigned in_set(sk_compiler *c, sk_value element, sk_set *set)
{
    if (element.kind == SK_FLOAT || set->has_float) {
        order_floats(set);
        return in_floats(c, element, set);
    }
    order_integers(set, element.range);
    return in_integers(c, element, set);
}

sk_value sk_parse_set(sk_compiler *c, sk_value element)
{
    sk_set set = {0};
    unsigned truth = sk_emit_truth(c, false);
    bool is_opaque = element.kind == SK_OPAQUE;
    sk_expect(c, SK_TOKEN_OPEN_SET, "expected the { of a set");
    for (;;) {
        if (is_opaque)
            parse_text(c, &set, element, &truth);
        else
            parse_numbers(c, &set);
        if (c->token.kind != SK_TOKEN_COMMA)
            break;
        sk_next_token(c);
    }
    sk_expect(c, SK_TOKEN_CLOSE_SET, "expected , or the } of a set");
    if (is_opaque && c->error == SCANKIT_OK)
        is_opaque = !sk_bytes_word(c, &element, &element);
    if (!is_opaque && c->error == SCANKIT_OK)
        truth = in_set(c, sk_as_number(c, element), &set);
    free(set.members);
    return sk_truth_value(c, truth, element.at);
}
