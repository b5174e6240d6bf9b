/* number.c - operators on numbers of any kind: chooses between the steps of integers, F32 and F64. */
#include "number.h"
#include "integer.h"

/* ---- arithmetic ---- */

sk_value sk_arithmetic(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at)
{
    static const uint16_t float_steps[] = {SK_STEP_ADD_F64, SK_STEP_SUB_F64, SK_STEP_MUL_F64, SK_STEP_DIV_F64};
    static const char *const reasons[] = {
        [SK_OP_REM] = "% takes integers", [SK_OP_AND] = "& takes integers",  [SK_OP_OR] = "| takes integers",
        [SK_OP_XOR] = "^ takes integers", [SK_OP_SHL] = "<< takes integers", [SK_OP_SHR] = ">> takes integers",
    };
    if ((op == SK_OP_AND || op == SK_OP_OR) && a.kind == SK_TRUTH && b.kind == SK_TRUTH)
        return sk_truth_value(g, sk_emit(g, op == SK_OP_AND ? SK_STEP_AND_B8 : SK_STEP_OR_B8, a.node, b.node), at);
    a = sk_as_number(g, a);
    b = sk_as_number(g, b);
    if (sk_is_integer(&a) && sk_is_integer(&b))
        return sk_integer_arithmetic(g, op, a, b, at);
    if (op > SK_OP_DIV) {
        sk_wrong(g->fault, at, reasons[op]);
        return a;
    }
    unsigned node_a = sk_as_f64(g, a);
    return sk_float_value(sk_emit(g, float_steps[op], node_a, sk_as_f64(g, b)), at);
}

/* ---- min, max ---- */

/* One operand, i, may be negative, and the other, u, may be above INT64_MAX. No type holds both, so the one that the
 * result's type does not hold is clamped first: min(i, min(u, INT64_MAX)), max(u, max(i, 0)). */
static unsigned mixed_extreme(sk_graph *g, sk_operation op, sk_value a, sk_value b)
{
    unsigned i = sk_as_bits(g, a.range.low < 0 ? a : b, 64), u = sk_as_bits(g, a.range.low < 0 ? b : a, 64);
    if (op == SK_OP_MIN)
        return sk_emit(g, SK_STEP_MIN_I64, i, sk_emit(g, SK_STEP_MIN_U64, u, sk_emit_constant(g, SK_U64, INT64_MAX)));
    return sk_emit(g, SK_STEP_MAX_U64, u, sk_emit(g, SK_STEP_MAX_I64, i, sk_emit_constant(g, SK_U64, 0)));
}

static sk_value integer_extreme(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at)
{
    bool is_min = op == SK_OP_MIN;
    sk_kind kind = a.kind == b.kind ? a.kind : is_min ? SK_SIGNED : SK_UNSIGNED;
    bool low = a.range.low < b.range.low, high = a.range.high < b.range.high;
    sk_interval range = {low == is_min ? a.range.low : b.range.low, high == is_min ? a.range.high : b.range.high};
    unsigned node;
    if (!sk_emit_integer(g, op, a, b, range, &node))
        node = mixed_extreme(g, op, a, b);
    return sk_computed_value(g, node, kind, range, at);
}

sk_value sk_extreme(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at)
{
    a = sk_as_number(g, a);
    b = sk_as_number(g, b);
    if (sk_is_integer(&a) && sk_is_integer(&b))
        return integer_extreme(g, op, a, b, at);
    unsigned node_a, node_b;
    if (sk_as_f32(g, a, b, &node_a, &node_b))
        return sk_float_value(sk_emit(g, op == SK_OP_MIN ? SK_STEP_MIN_F32 : SK_STEP_MAX_F32, node_a, node_b), at);
    node_a = sk_as_f64(g, a);
    node_b = sk_as_f64(g, b);
    return sk_float_value(sk_emit(g, op == SK_OP_MIN ? SK_STEP_MIN_F64 : SK_STEP_MAX_F64, node_a, node_b), at);
}

/* ---- operators on one number ---- */

/* The step on an F32 or an F64. */
static unsigned float_step(sk_graph *g, unsigned on_f32, unsigned on_f64, unsigned node)
{
    return sk_emit(g, sk_is_narrow(g, node) ? on_f32 : on_f64, node, 0);
}

/* A test that is true of some floats and of no integer. */
static sk_value test_float(sk_graph *g, unsigned on_f32, unsigned on_f64, sk_value a, size_t at)
{
    a = sk_as_number(g, a);
    bool is_float = a.kind == SK_FLOAT;
    return sk_truth_value(g, is_float ? float_step(g, on_f32, on_f64, a.node) : sk_emit_truth(g, false), at);
}

sk_value sk_negate(sk_graph *g, sk_value a, size_t at)
{
    a = sk_as_number(g, a);
    if (a.kind == SK_FLOAT)
        return sk_float_value(float_step(g, SK_STEP_NEGATE_F32, SK_STEP_NEGATE_F64, a.node), at);
    return sk_integer_negate(g, a, at);
}

sk_value sk_invert(sk_graph *g, sk_value a, size_t at)
{
    a = sk_as_number(g, a);
    if (a.kind == SK_FLOAT) {
        sk_wrong(g->fault, at, "~ takes an integer");
        return a;
    }
    return sk_integer_invert(g, a, at);
}

sk_value sk_abs(sk_graph *g, sk_value a, size_t at)
{
    a = sk_as_number(g, a);
    if (a.kind == SK_FLOAT)
        return sk_float_value(float_step(g, SK_STEP_ABS_F32, SK_STEP_ABS_F64, a.node), at);
    return sk_integer_abs(g, a, at);
}

sk_value sk_is_nan(sk_graph *g, sk_value a, size_t at)
{
    return test_float(g, SK_STEP_ISNAN_F32, SK_STEP_ISNAN_F64, a, at);
}

sk_value sk_is_infinite(sk_graph *g, sk_value a, size_t at)
{
    return test_float(g, SK_STEP_ISINF_F32, SK_STEP_ISINF_F64, a, at);
}

/* ---- ?: ---- */

static unsigned choose_truth(sk_graph *g, unsigned condition, unsigned yes, unsigned no)
{
    unsigned if_so = sk_emit(g, SK_STEP_AND_B8, condition, yes);
    unsigned if_not = sk_emit(g, SK_STEP_AND_B8, sk_emit(g, SK_STEP_NOT_B8, condition, 0), no);
    return sk_emit(g, SK_STEP_OR_B8, if_so, if_not);
}

static sk_value choose_float(sk_graph *g, unsigned condition, sk_value yes, sk_value no, size_t at)
{
    unsigned node_yes, node_no;
    if (sk_as_f32(g, yes, no, &node_yes, &node_no))
        return sk_float_value(sk_emit_select(g, SK_F32, condition, node_yes, node_no), at);
    node_yes = sk_as_f64(g, yes);
    node_no = sk_as_f64(g, no);
    return sk_float_value(sk_emit_select(g, SK_F64, condition, node_yes, node_no), at);
}

static sk_value choose_integer(sk_graph *g, unsigned condition, sk_value yes, sk_value no, size_t at)
{
    if (yes.kind != no.kind) {
        yes = sk_as_unsigned(g, yes);
        no = sk_as_unsigned(g, no);
    }
    sk_interval range = {yes.range.low < no.range.low ? yes.range.low : no.range.low,
                         yes.range.high < no.range.high ? no.range.high : yes.range.high};
    bool narrow = (sk_is_narrow(g, yes.node) || sk_is_narrow(g, no.node)) && sk_fits_32(range);
    unsigned bits = narrow ? 32 : 64;
    sk_value_type type = narrow ? (range.low < 0 ? SK_I32 : SK_U32) : (yes.kind == SK_SIGNED ? SK_I64 : SK_U64);
    unsigned node_yes = sk_as_bits(g, yes, bits);
    unsigned node = sk_emit_select(g, type, condition, node_yes, sk_as_bits(g, no, bits));
    if (sk_is_constant_node(g, condition))
        range = g->nodes[condition].bits != 0 ? yes.range : no.range;
    return sk_computed_value(g, node, yes.kind, range, at);
}

sk_value sk_choose(sk_graph *g, unsigned condition, sk_value yes, sk_value no, size_t at)
{
    if (yes.kind == SK_TRUTH && no.kind == SK_TRUTH)
        return sk_truth_value(g, choose_truth(g, condition, yes.node, no.node), at);
    yes = sk_as_number(g, yes);
    no = sk_as_number(g, no);
    if (yes.kind == SK_FLOAT || no.kind == SK_FLOAT)
        return choose_float(g, condition, yes, no, at);
    return choose_integer(g, condition, yes, no, at);
}
