/* compare.c - comparisons of values, by their mathematical value. */
#include <string.h>

#include "bytes.h"
#include "compare.h"
#include "integer.h"

static bool is_equality(sk_operation op)
{
    return op == SK_OP_EQ || op == SK_OP_NE;
}

static unsigned negated(sk_graph *g, unsigned truth)
{
    return sk_emit(g, SK_STEP_NOT_B8, truth, 0);
}

/* ---- integers ---- */

/* The result if the ranges decide it, else -1. */
static int decided(sk_operation op, sk_interval a, sk_interval b)
{
    switch (op) {
    case SK_OP_LT: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case SK_OP_LE: return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    default: break;
    }
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    return apart ? op == SK_OP_NE : same ? op == SK_OP_EQ : -1;
}

/* Compares an integer that may be negative with one that may be above INT64_MAX. */
static unsigned mixed_comparison(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    sk_value *signed_one = a.range.low < 0 ? &a : &b;
    unsigned negative = sk_emit(g, SK_STEP_LT_I64, sk_as_bits(g, *signed_one, 64), sk_emit_constant(g, SK_U64, 0));
    unsigned node_a = sk_as_bits(g, a, 64), node_b = sk_as_bits(g, b, 64);
    if (is_equality(op)) {
        unsigned differ = sk_emit(g, SK_STEP_OR_B8, negative, sk_emit(g, SK_STEP_NE_U64, node_a, node_b));
        return op == SK_OP_NE ? differ : negated(g, differ);
    }
    unsigned compared = sk_emit(g, op == SK_OP_LT ? SK_STEP_LT_U64 : SK_STEP_LE_U64, node_a, node_b);
    if (signed_one == &a)
        return sk_emit(g, SK_STEP_OR_B8, negative, compared);
    return sk_emit(g, SK_STEP_AND_B8, negated(g, negative), compared);
}

static unsigned compare_integers(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    int known = decided(op, a.range, b.range);
    if (known >= 0)
        return sk_emit_truth(g, known);
    unsigned node;
    if (sk_emit_integer(g, op, a, b, (sk_interval){0, 1}, &node))
        return node;
    return mixed_comparison(g, op, a, b);
}

/* ---- floats ---- */

static unsigned compare_f64(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    static const uint16_t steps[] = {SK_STEP_LT_F64, SK_STEP_LE_F64, SK_STEP_EQ_F64, SK_STEP_NE_F64};
    unsigned node_a = sk_as_f64(g, a);
    return sk_emit(g, steps[op - SK_OP_LT], node_a, sk_as_f64(g, b));
}

static unsigned compare_f32(sk_graph *g, sk_operation op, unsigned a, unsigned b)
{
    static const uint16_t steps[] = {SK_STEP_LT_F32, SK_STEP_LE_F32, SK_STEP_EQ_F32, SK_STEP_NE_F32};
    return sk_emit(g, steps[op - SK_OP_LT], a, b);
}

/* The F32 next to a number that no F32 holds: the one above it or the one below. */
static unsigned next_f32(sk_graph *g, double number, bool above)
{
    float nearest = (float)number;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    if (((double)nearest > number) != above) {
        bool grows = above == ((bits >> 31) == 0); /* away from 0 */
        if (nearest == 0)
            bits = above ? 1 : UINT32_C(1) << 31 | 1;
        else
            bits = grows ? bits + 1 : bits - 1;
    }
    return sk_emit_constant(g, SK_F32, bits);
}

/* Compares an F32 with a constant that no F32 holds. They are never equal, and x < c is x <= the F32 below c. */
static unsigned compare_with_inexact(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    if (is_equality(op))
        return sk_emit_truth(g, op == SK_OP_NE);
    if (sk_is_constant(g, &b))
        return compare_f32(g, SK_OP_LE, a.node, next_f32(g, sk_constant_float(g, sk_as_f64(g, b)), false));
    return compare_f32(g, SK_OP_LE, next_f32(g, sk_constant_float(g, sk_as_f64(g, a)), true), b.node);
}

/* True if one is a computed F32 and the other a constant. */
static bool is_f32_with_constant(const sk_graph *g, const sk_value *a, const sk_value *b)
{
    if (sk_is_constant(g, a))
        return !sk_is_constant(g, b) && g->nodes[b->node].type == SK_F32;
    return sk_is_constant(g, b) && g->nodes[a->node].type == SK_F32;
}

static unsigned compare_floats(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    unsigned node_a, node_b;
    if (sk_as_f32(g, a, b, &node_a, &node_b))
        return compare_f32(g, op, node_a, node_b);
    if (is_f32_with_constant(g, &a, &b))
        return compare_with_inexact(g, op, a, b);
    return compare_f64(g, op, a, b);
}

/* ---- integers with floats ---- */

/* Beyond all integers of is_exact_beside(). */
static const double far_away = (double)((uint64_t)1 << 60);

/* The greatest integer up to a number. Of a number that is far away only the sign counts. */
static sk_wide floor_of(double number)
{
    if (number >= far_away || number <= -far_away)
        return number > 0 ? (sk_wide)far_away : -(sk_wide)far_away;
    sk_wide cut = (sk_wide)number;
    return (double)cut > number ? cut - 1 : cut;
}

/* True if `number` is a constant float, and a float holds every number of the integer's range exactly. */
static bool is_exact_beside(const sk_graph *g, const sk_value *integer, const sk_value *number)
{
    sk_wide limit = (sk_wide)1 << 53;
    return sk_is_integer(integer) && integer->range.low >= -limit && integer->range.high <= limit &&
           number->kind == SK_FLOAT && sk_is_constant(g, number);
}

/* Compares such an integer with such a float as integers: n < 2.5 is n <= 2. */
static unsigned compare_as_integers(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    sk_value *number = a.kind == SK_FLOAT ? &a : &b;
    double constant = sk_constant_float(g, number->node);
    if (constant != constant)
        return sk_emit_truth(g, op == SK_OP_NE);
    sk_wide below = floor_of(constant);
    bool whole = (double)below == constant;
    bool beyond = constant >= far_away || constant <= -far_away;
    if (!whole && !beyond && is_equality(op))
        return sk_emit_truth(g, op == SK_OP_NE);
    if (!whole && !beyond) {
        op = SK_OP_LE;
        below += number == &a;
    }
    *number = sk_integer_value(g, below, SK_SIGNED, number->at);
    return compare_integers(g, op, a, b);
}

unsigned sk_compare(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at)
{
    if ((a.kind == SK_OPAQUE) != (b.kind == SK_OPAQUE)) {
        sk_wrong(g->fault, at, "bytes compare only with bytes");
        return 0;
    }
    if (a.kind == SK_OPAQUE)
        return sk_compare_bytes(g, op, &a, &b);
    a = sk_as_number(g, a);
    b = sk_as_number(g, b);
    if (sk_is_integer(&a) && sk_is_integer(&b))
        return compare_integers(g, op, a, b);
    if (is_exact_beside(g, &a, &b) || is_exact_beside(g, &b, &a))
        return compare_as_integers(g, op, a, b);
    return compare_floats(g, op, a, b);
}

unsigned sk_as_truth(sk_graph *g, sk_value v)
{
    if (v.kind == SK_TRUTH)
        return v.node;
    v = sk_as_number(g, v);
    sk_value zero =
        v.kind == SK_FLOAT ? sk_float_value(sk_emit_f64(g, 0), v.at) : sk_integer_value(g, 0, SK_SIGNED, v.at);
    return sk_compare(g, SK_OP_NE, v, zero, v.at);
}
