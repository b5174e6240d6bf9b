/* number.c - operators on any numbers: which of them count as floats. */
#include <string.h>

#include "predicate.h"

/* A constant that is an F32 by value, as a node; 0 where it is none. NaNs are. */
static unsigned constant_f32(sk_compiler *c, unsigned node)
{
    double number = sk_constant_float(c, node);
    float narrow = (float)number;
    if (number == number && (double)narrow != number)
        return 0;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return sk_emit_constant(c, SK_F32, bits);
}

/* The value as an F32 node; 0 where it may be more. */
static unsigned f32_node(sk_compiler *c, sk_value v)
{
    if (v.kind == SK_FLOAT && c->nodes[v.node].type == SK_F32)
        return v.node;
    return sk_is_constant(c, &v) ? constant_f32(c, sk_as_f64(c, v)) : 0;
}

bool sk_as_f32(sk_compiler *c, sk_value a, sk_value b, unsigned *node_a, unsigned *node_b)
{
    if (sk_is_constant(c, &a) && sk_is_constant(c, &b))
        return false;
    *node_a = f32_node(c, a);
    *node_b = f32_node(c, b);
    return *node_a != 0 && *node_b != 0;
}

sk_value sk_arithmetic(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at)
{
    static const uint16_t float_steps[] = {SK_STEP_ADD_F64, SK_STEP_SUB_F64, SK_STEP_MUL_F64, SK_STEP_DIV_F64};
    static const char *const reasons[] = {
        [SK_OP_REM] = "% takes integers", [SK_OP_AND] = "& takes integers",  [SK_OP_OR] = "| takes integers",
        [SK_OP_XOR] = "^ takes integers", [SK_OP_SHL] = "<< takes integers", [SK_OP_SHR] = ">> takes integers",
    };
    if ((op == SK_OP_AND || op == SK_OP_OR) && a.kind == SK_TRUTH && b.kind == SK_TRUTH)
        return sk_truth_value(c, sk_emit(c, op == SK_OP_AND ? SK_STEP_AND_B8 : SK_STEP_OR_B8, a.node, b.node), at);
    a = sk_as_number(c, a);
    b = sk_as_number(c, b);
    if (sk_is_integer(&a) && sk_is_integer(&b))
        return sk_integer_arithmetic(c, op, a, b, at);
    if (op > SK_OP_DIV) {
        sk_wrong(c, at, reasons[op]);
        return a;
    }
    unsigned node_a = sk_as_f64(c, a);
    return sk_float_value(sk_emit(c, float_steps[op], node_a, sk_as_f64(c, b)), at);
}

/* ---- min, max ---- */

/* Where no machine type holds both, one is a signed that may be negative and the other an unsigned that no signed
 * holds: the minimum is that of the signed and of the unsigned cut to what a signed holds, the maximum that of the
 * unsigned and of the signed cut at 0. */
static unsigned mixed_extreme(sk_compiler *c, sk_operation op, sk_value a, sk_value b)
{
    unsigned i = sk_as_bits(c, a.range.low < 0 ? a : b, 64), u = sk_as_bits(c, a.range.low < 0 ? b : a, 64);
    if (op == SK_OP_MIN)
        return sk_emit(c, SK_STEP_MIN_I64, i, sk_emit(c, SK_STEP_MIN_U64, u, sk_emit_constant(c, SK_U64, INT64_MAX)));
    return sk_emit(c, SK_STEP_MAX_U64, u, sk_emit(c, SK_STEP_MAX_I64, i, sk_emit_constant(c, SK_U64, 0)));
}

static sk_value integer_extreme(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at)
{
    bool is_min = op == SK_OP_MIN;
    sk_kind kind = a.kind == b.kind ? a.kind : is_min ? SK_SIGNED : SK_UNSIGNED;
    bool low = a.range.low < b.range.low, high = a.range.high < b.range.high; /* whether a's is the lesser */
    sk_interval range = {low == is_min ? a.range.low : b.range.low, high == is_min ? a.range.high : b.range.high};
    unsigned node;
    if (!sk_emit_integer(c, op, a, b, range, &node))
        node = mixed_extreme(c, op, a, b);
    return sk_computed_value(c, node, kind, range, at);
}

sk_value sk_extreme(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at)
{
    a = sk_as_number(c, a);
    b = sk_as_number(c, b);
    if (sk_is_integer(&a) && sk_is_integer(&b))
        return integer_extreme(c, op, a, b, at);
    unsigned node_a, node_b;
    if (sk_as_f32(c, a, b, &node_a, &node_b))
        return sk_float_value(sk_emit(c, op == SK_OP_MIN ? SK_STEP_MIN_F32 : SK_STEP_MAX_F32, node_a, node_b), at);
    node_a = sk_as_f64(c, a);
    node_b = sk_as_f64(c, b);
    return sk_float_value(sk_emit(c, op == SK_OP_MIN ? SK_STEP_MIN_F64 : SK_STEP_MAX_F64, node_a, node_b), at);
}

/* ---- operators on one number ---- */

/* A float's step on an F32 or an F64. */
static unsigned float_step(sk_compiler *c, unsigned on_f32, unsigned on_f64, unsigned node)
{
    return sk_emit(c, sk_is_narrow(c, node) ? on_f32 : on_f64, node, 0);
}

sk_value sk_negate(sk_compiler *c, sk_value a, size_t at)
{
    a = sk_as_number(c, a);
    if (a.kind == SK_FLOAT)
        return sk_float_value(float_step(c, SK_STEP_NEGATE_F32, SK_STEP_NEGATE_F64, a.node), at);
    return sk_integer_negate(c, a, at);
}

sk_value sk_invert(sk_compiler *c, sk_value a, size_t at)
{
    a = sk_as_number(c, a);
    if (a.kind == SK_FLOAT) {
        sk_wrong(c, at, "~ takes an integer");
        return a;
    }
    return sk_integer_invert(c, a, at);
}

sk_value sk_abs(sk_compiler *c, sk_value a, size_t at)
{
    a = sk_as_number(c, a);
    if (a.kind == SK_FLOAT)
        return sk_float_value(float_step(c, SK_STEP_ABS_F32, SK_STEP_ABS_F64, a.node), at);
    return sk_integer_abs(c, a, at);
}

sk_value sk_is_nan(sk_compiler *c, sk_value a, size_t at)
{
    a = sk_as_number(c, a);
    bool is_float = a.kind == SK_FLOAT;
    unsigned node = is_float ? float_step(c, SK_STEP_ISNAN_F32, SK_STEP_ISNAN_F64, a.node) : sk_emit_truth(c, false);
    return sk_truth_value(c, node, at);
}

sk_value sk_is_infinite(sk_compiler *c, sk_value a, size_t at)
{
    a = sk_as_number(c, a);
    bool is_float = a.kind == SK_FLOAT;
    unsigned node = is_float ? float_step(c, SK_STEP_ISINF_F32, SK_STEP_ISINF_F64, a.node) : sk_emit_truth(c, false);
    return sk_truth_value(c, node, at);
}

/* ---- ?: ---- */

static unsigned choose_truth(sk_compiler *c, unsigned condition, unsigned yes, unsigned no)
{
    unsigned if_so = sk_emit(c, SK_STEP_AND_B8, condition, yes);
    unsigned if_not = sk_emit(c, SK_STEP_AND_B8, sk_emit(c, SK_STEP_NOT_B8, condition, 0), no);
    return sk_emit(c, SK_STEP_OR_B8, if_so, if_not);
}

static sk_value choose_float(sk_compiler *c, unsigned condition, sk_value yes, sk_value no, size_t at)
{
    unsigned node_yes, node_no;
    if (sk_as_f32(c, yes, no, &node_yes, &node_no))
        return sk_float_value(sk_emit_select(c, SK_F32, condition, node_yes, node_no), at);
    node_yes = sk_as_f64(c, yes);
    node_no = sk_as_f64(c, no);
    return sk_float_value(sk_emit_select(c, SK_F64, condition, node_yes, node_no), at);
}

static sk_value choose_integer(sk_compiler *c, unsigned condition, sk_value yes, sk_value no, size_t at)
{
    if (yes.kind != no.kind) {
        yes = sk_as_unsigned(c, yes);
        no = sk_as_unsigned(c, no);
    }
    sk_interval range = {yes.range.low < no.range.low ? yes.range.low : no.range.low,
                         yes.range.high < no.range.high ? no.range.high : yes.range.high};
    bool narrow =
        (sk_is_narrow(c, yes.node) || sk_is_narrow(c, no.node)) && (sk_fits(SK_U32, range) || sk_fits(SK_I32, range));
    unsigned bits = narrow ? 32 : 64;
    sk_value_type type = narrow ? (range.low < 0 ? SK_I32 : SK_U32) : (yes.kind == SK_SIGNED ? SK_I64 : SK_U64);
    unsigned node_yes = sk_as_bits(c, yes, bits);
    unsigned node = sk_emit_select(c, type, condition, node_yes, sk_as_bits(c, no, bits));
    if (sk_is_constant_node(c, condition))
        range = c->nodes[condition].bits != 0 ? yes.range : no.range;
    return sk_computed_value(c, node, yes.kind, range, at);
}

sk_value sk_choose(sk_compiler *c, sk_value condition, sk_value yes, sk_value no, size_t at)
{
    unsigned truth = sk_as_truth(c, condition);
    if (yes.kind == SK_TRUTH && no.kind == SK_TRUTH)
        return sk_truth_value(c, choose_truth(c, truth, yes.node, no.node), at);
    yes = sk_as_number(c, yes);
    no = sk_as_number(c, no);
    if (yes.kind == SK_FLOAT || no.kind == SK_FLOAT)
        return choose_float(c, truth, yes, no, at);
    return choose_integer(c, truth, yes, no, at);
}
