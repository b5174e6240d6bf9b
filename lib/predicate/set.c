/* set.c - sets: members become ascending ranges that do not touch. A few ranges are compared one by one, integers close
 * together become a bit mask, and any other set is an IN step. */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "compare.h"
#include "set.h"

#define SHORT_CHAIN 8 /* ranges */

/* ---- members ---- */

static void add_member(sk_graph *g, sk_set *set, sk_member member)
{
    if (set->count == set->room) {
        size_t room = set->room == 0 ? 16 : 2 * set->room;
        sk_member *members = realloc(set->members, room * sizeof *members);
        if (members == NULL) {
            sk_out_of_memory(g->fault);
            return;
        }
        set->members = members;
        set->room = room;
    }
    set->members[set->count++] = member;
}

static double float_of(sk_graph *g, sk_value value)
{
    return sk_failed(g->fault) ? 0 : sk_constant_float(g, sk_as_f64(g, value));
}

void sk_set_open(sk_graph *g, sk_set *set)
{
    *set = (sk_set){.matches = sk_emit_truth(g, false)};
}

void sk_set_close(sk_set *set)
{
    free(set->members);
}

void sk_set_add_numbers(sk_graph *g, sk_set *set, sk_value low, sk_value high, size_t at)
{
    sk_member member = {low.range.low, high.range.high, float_of(g, low), float_of(g, high)};
    bool is_float = low.kind == SK_FLOAT || high.kind == SK_FLOAT;
    if (is_float ? member.from > member.to : member.low > member.high)
        sk_wrong(g->fault, at, "the range ends below its beginning");
    set->has_float |= is_float;
    add_member(g, set, member);
}

void sk_set_add_text(sk_graph *g, sk_set *set, const sk_value *element, const sk_value *text)
{
    sk_value number;
    uint64_t word;
    if (!sk_bytes_word(g, element, &number))
        set->matches = sk_emit(g, SK_STEP_OR_B8, set->matches, sk_compare_bytes(g, SK_OP_EQ, element, text));
    else if (sk_text_word(text, element->size, &word)) /* a longer text equals no element */
        add_member(g, set, (sk_member){.low = word, .high = word});
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

/* Cuts the members to the element's range, sorts them, and joins those that overlap or touch. */
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

/* Sorts the members and joins those that overlap. A range with a NaN at an end holds nothing. */
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

/* ---- steps: each function returns a B8 node that is true if the element is in the set ---- */

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Any number of ranges: an IN step on a node of 64 bits. */
static unsigned search(sk_graph *g, const sk_set *set, unsigned code, unsigned node)
{
    sk_set_range *ranges = sk_add_ranges(g, set->count);
    if (ranges == NULL)
        return 0;
    for (size_t i = 0; i < set->count; i++) {
        const sk_member *member = &set->members[i];
        ranges[i] = code == SK_STEP_IN_F64 ? (sk_set_range){bits_of(member->from), bits_of(member->to)}
                                           : (sk_set_range){(uint64_t)member->low, (uint64_t)member->high};
    }
    return sk_emit_in(g, code, node, set->count);
}

/* A range that is smaller than the element's. One unsigned comparison is enough: element - low <= high - low. Below the
 * range the difference wraps and is greater. */
static unsigned in_range(sk_graph *g, sk_value element, const sk_member *member)
{
    sk_value low = sk_integer_value(g, member->low, SK_SIGNED, 0),
             high = sk_integer_value(g, member->high, SK_SIGNED, 0);
    if (member->low == member->high)
        return sk_compare(g, SK_OP_EQ, element, low, 0);
    if (member->low == element.range.low)
        return sk_compare(g, SK_OP_LE, element, high, 0);
    if (member->high == element.range.high)
        return sk_compare(g, SK_OP_LE, low, element, 0);
    bool narrow = sk_is_narrow(g, element.node);
    unsigned from =
        sk_emit(g, narrow ? SK_STEP_SUB_U32 : SK_STEP_SUB_U64, element.node, sk_as_bits(g, low, narrow ? 32 : 64));
    sk_value size = sk_integer_value(g, member->high - member->low, SK_UNSIGNED, 0);
    return sk_emit(g, narrow ? SK_STEP_LE_U32 : SK_STEP_LE_U64, from, sk_as_bits(g, size, narrow ? 32 : 64));
}

/* Ranges that span at most 32 or 64 integers, the bits of a word: the element selects its bit of a mask. */
static unsigned in_mask(sk_graph *g, sk_value element, const sk_set *set)
{
    bool narrow = sk_is_narrow(g, element.node);
    unsigned bits = narrow ? 32 : 64;
    sk_wide base = set->members[0].low;
    unsigned place = element.node;
    if (base >= 0 && set->members[set->count - 1].high < bits)
        base = 0;
    else
        place = sk_emit(g, narrow ? SK_STEP_SUB_U32 : SK_STEP_SUB_U64, place,
                        sk_as_bits(g, sk_integer_value(g, base, SK_SIGNED, 0), bits));
    uint64_t mask = 0;
    for (size_t i = 0; i < set->count; i++)
        for (sk_wide j = set->members[i].low; j <= set->members[i].high; j++)
            mask |= (uint64_t)1 << (j - base);
    sk_value_type type = narrow ? SK_U32 : SK_U64;
    unsigned shifted = sk_emit(g, narrow ? SK_STEP_SHR_U32 : SK_STEP_SHR_U64, sk_emit_constant(g, type, mask), place);
    unsigned bit =
        sk_emit(g, narrow ? SK_STEP_BIT_AND_U32 : SK_STEP_BIT_AND_U64, shifted, sk_emit_constant(g, type, 1));
    return sk_emit(g, narrow ? SK_STEP_NE_U32 : SK_STEP_NE_U64, bit, sk_emit_constant(g, type, 0));
}

static unsigned in_integers(sk_graph *g, sk_value element, const sk_set *set)
{
    if (set->count == 0)
        return sk_emit_truth(g, false);
    const sk_member *first = &set->members[0], *last = &set->members[set->count - 1];
    if (first->low == element.range.low && first->high == element.range.high)
        return sk_emit_truth(g, true);
    if (set->count > 2 && last->high - first->low < (sk_is_narrow(g, element.node) ? 32 : 64))
        return in_mask(g, element, set);
    if (set->count > SHORT_CHAIN) {
        unsigned code = element.range.low < 0 ? SK_STEP_IN_I64 : SK_STEP_IN_U64;
        return search(g, set, code, sk_as_bits(g, element, 64));
    }
    unsigned truth = sk_emit_truth(g, false);
    for (size_t i = 0; i < set->count; i++)
        truth = sk_emit(g, SK_STEP_OR_B8, truth, in_range(g, element, &set->members[i]));
    return truth;
}

static bool holds(const sk_set *set, double number)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->members[i].from <= number && number <= set->members[i].to)
            return true;
    return false;
}

static unsigned in_floats(sk_graph *g, sk_value element, const sk_set *set)
{
    if (sk_is_constant(g, &element))
        return sk_emit_truth(g, holds(set, float_of(g, element)));
    if (set->count > SHORT_CHAIN)
        return search(g, set, SK_STEP_IN_F64, sk_as_f64(g, element));
    unsigned truth = sk_emit_truth(g, false);
    for (size_t i = 0; i < set->count; i++) {
        sk_value from = sk_float_value(sk_emit_f64(g, set->members[i].from), 0);
        sk_value to = sk_float_value(sk_emit_f64(g, set->members[i].to), 0);
        unsigned in = sk_compare(g, SK_OP_EQ, element, from, 0);
        if (set->members[i].from != set->members[i].to) {
            unsigned above = sk_compare(g, SK_OP_LE, from, element, 0);
            in = sk_emit(g, SK_STEP_AND_B8, above, sk_compare(g, SK_OP_LE, element, to, 0));
        }
        truth = sk_emit(g, SK_STEP_OR_B8, truth, in);
    }
    return truth;
}

static unsigned in_numbers(sk_graph *g, sk_value element, sk_set *set)
{
    if (element.kind == SK_FLOAT || set->has_float) {
        order_floats(set);
        return in_floats(g, element, set);
    }
    order_integers(set, element.range);
    return in_integers(g, element, set);
}

sk_value sk_set_holds(sk_graph *g, sk_set *set, sk_value element)
{
    unsigned truth = set->matches;
    sk_value number = element;
    bool is_number = element.kind != SK_OPAQUE || sk_bytes_word(g, &element, &number);
    if (is_number && !sk_failed(g->fault))
        truth = in_numbers(g, sk_as_number(g, number), set);
    return sk_truth_value(g, truth, element.at);
}
