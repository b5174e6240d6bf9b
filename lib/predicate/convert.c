/* convert.c - conversions of values to what a step takes. */
#include <string.h>

#include "value.h"

/* ---- values ---- */

sk_value sk_as_number(sk_graph *g, sk_value v)
{
    if (v.kind == SK_OPAQUE) {
        sk_wrong(g->fault, v.at, "bytes can only be compared, with bytes");
        return sk_integer_value(g, 0, SK_SIGNED, v.at);
    }
    if (v.kind == SK_TRUTH)
        return sk_computed_value(g, sk_emit(g, SK_STEP_TO_U32_B8, v.node, 0), SK_SIGNED, v.range, v.at);
    return v;
}

sk_value sk_as_unsigned(sk_graph *g, sk_value v)
{
    if (v.range.low < 0) {
        sk_wide modulus = (sk_wide)1 << 64;
        unsigned node = sk_as_bits(g, v, 64);
        sk_interval range = SK_RANGE_UNSIGNED;
        if (v.range.high < 0)
            range = (sk_interval){v.range.low + modulus, v.range.high + modulus};
        return sk_computed_value(g, node, SK_UNSIGNED, range, v.at);
    }
    v.kind = SK_UNSIGNED;
    return v;
}

/* ---- nodes ---- */

unsigned sk_as_bits(sk_graph *g, sk_value v, unsigned bits)
{
    if (sk_is_constant(g, &v))
        return sk_emit_integer_constant(g, v.range.low, bits);
    if (sk_is_narrow(g, v.node) == (bits == 32))
        return v.node;
    if (bits == 32)
        return sk_emit(g, SK_STEP_TO_U32_U64, v.node, 0);
    return sk_emit(g, v.range.low >= 0 ? SK_STEP_TO_U64_U32 : SK_STEP_TO_I64_I32, v.node, 0);
}

unsigned sk_as_f64(sk_graph *g, sk_value v)
{
    v = sk_as_number(g, v);
    bool narrow = sk_is_narrow(g, v.node);
    if (v.kind == SK_FLOAT)
        return narrow ? sk_emit(g, SK_STEP_TO_F64_F32, v.node, 0) : v.node;
    if (sk_is_constant(g, &v))
        return sk_emit_f64(g, (double)v.range.low);
    if (narrow)
        return sk_emit(g, sk_fits(SK_I32, v.range) ? SK_STEP_TO_F64_I32 : SK_STEP_TO_F64_U32, v.node, 0);
    return sk_emit(g, sk_fits(SK_I64, v.range) ? SK_STEP_TO_F64_I64 : SK_STEP_TO_F64_U64, v.node, 0);
}

double sk_constant_float(const sk_graph *g, unsigned node)
{
    double number;
    float narrow;
    memcpy(&number, &g->nodes[node].bits, sizeof number);
    memcpy(&narrow, &g->nodes[node].bits, sizeof narrow);
    return sk_is_narrow(g, node) ? (double)narrow : number;
}

/* A constant as an F32 node; 0 if no F32 has its value. A NaN becomes an F32's NaN. */
static unsigned constant_f32(sk_graph *g, unsigned node)
{
    double number = sk_constant_float(g, node);
    float narrow = (float)number;
    if (number == number && (double)narrow != number)
        return 0;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return sk_emit_constant(g, SK_F32, bits);
}

/* The number as an F32 node; 0 if it may not be an F32. */
static unsigned f32_node(sk_graph *g, sk_value v)
{
    if (v.kind == SK_FLOAT && g->nodes[v.node].type == SK_F32)
        return v.node;
    return sk_is_constant(g, &v) ? constant_f32(g, sk_as_f64(g, v)) : 0;
}

bool sk_as_f32(sk_graph *g, sk_value a, sk_value b, unsigned *node_a, unsigned *node_b)
{
    if (sk_is_constant(g, &a) && sk_is_constant(g, &b))
        return false;
    *node_a = f32_node(g, a);
    *node_b = f32_node(g, b);
    return *node_a != 0 && *node_b != 0;
}
