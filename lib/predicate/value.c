/* value.c - values, and their conversions to what a step takes. */
#include <string.h>

#include "predicate.h"

bool sk_is_narrow(const sk_compiler *c, unsigned node)
{
    uint8_t type = c->nodes[node].type;
    return type == SK_U32 || type == SK_I32 || type == SK_F32;
}

bool sk_fits(sk_value_type type, sk_interval range)
{
    switch (type) {
    case SK_U32: return range.low >= 0 && range.high <= UINT32_MAX;
    case SK_I32: return range.low >= INT32_MIN && range.high <= INT32_MAX;
    case SK_U64: return range.low >= 0 && range.high <= UINT64_MAX;
    default: return range.low >= INT64_MIN && range.high <= INT64_MAX;
    }
}

static bool fits_32(sk_interval range)
{
    return sk_fits(SK_U32, range) || sk_fits(SK_I32, range);
}

/* ---- making values ---- */

/* A constant of so many bits. */
static unsigned number_node(sk_compiler *c, sk_wide number, unsigned bits)
{
    if (bits == 32)
        return sk_emit_constant(c, number < 0 ? SK_I32 : SK_U32, (uint64_t)number);
    return sk_emit_constant(c, number < 0 ? SK_I64 : SK_U64, (uint64_t)number);
}

sk_value sk_integer_value(sk_compiler *c, sk_wide number, sk_kind kind, size_t at)
{
    sk_interval range = {number, number};
    return (sk_value){.kind = kind, .node = number_node(c, number, fits_32(range) ? 32 : 64), .range = range, .at = at};
}

/* The number that a constant node of a value of that kind and range stands for. */
static sk_wide number_of(const sk_node *node, sk_kind kind, sk_interval range)
{
    if (node->type == SK_U32 || node->type == SK_I32)
        return range.low < 0 ? (sk_wide)(int32_t)node->bits : (sk_wide)(uint32_t)node->bits;
    return kind == SK_SIGNED ? (sk_wide)(int64_t)node->bits : (sk_wide)node->bits;
}

sk_value sk_computed_value(sk_compiler *c, unsigned node, sk_kind kind, sk_interval range, size_t at)
{
    if (sk_is_constant_node(c, node))
        return sk_integer_value(c, number_of(&c->nodes[node], kind, range), kind, at);
    if (range.low == range.high)
        return sk_integer_value(c, range.low, kind, at);
    return (sk_value){.kind = kind, .node = node, .range = range, .at = at};
}

sk_value sk_float_value(unsigned node, size_t at)
{
    return (sk_value){.kind = SK_FLOAT, .node = node, .at = at};
}

sk_value sk_truth_value(const sk_compiler *c, unsigned node, size_t at)
{
    sk_interval range = {0, 1};
    if (sk_is_constant_node(c, node))
        range.low = range.high = c->nodes[node].bits != 0;
    return (sk_value){.kind = SK_TRUTH, .node = node, .range = range, .at = at};
}

sk_value sk_field_value(sk_compiler *c, const scankit_field *field, size_t at)
{
    if (field->type == SCANKIT_BYTES)
        return (sk_value){.kind = SK_OPAQUE, .at = at, .offset = field->offset, .size = field->size};
    unsigned node = sk_emit_load(c, field->type, field->offset, field->big_endian != 0);
    switch (field->type) {
    case SCANKIT_F32:
    case SCANKIT_F64: return sk_float_value(node, at);
    case SCANKIT_U64: return sk_computed_value(c, node, SK_UNSIGNED, SK_RANGE_UNSIGNED, at);
    case SCANKIT_U8:
    case SCANKIT_U16:
    case SCANKIT_U32:
        return sk_computed_value(c, node, SK_SIGNED, (sk_interval){0, ((sk_wide)1 << 8 * field->size) - 1}, at);
    default: {
        sk_wide half = (sk_wide)1 << (8 * field->size - 1);
        return sk_computed_value(c, node, SK_SIGNED, (sk_interval){-half, half - 1}, at);
    }
    }
}

sk_value sk_position_value(sk_compiler *c, size_t at)
{
    return sk_computed_value(c, sk_emit_position(c), SK_SIGNED, (sk_interval){0, INT64_MAX}, at);
}

double sk_constant_float(const sk_compiler *c, unsigned node)
{
    double number;
    float narrow;
    memcpy(&number, &c->nodes[node].bits, sizeof number);
    memcpy(&narrow, &c->nodes[node].bits, sizeof narrow);
    return c->nodes[node].type == SK_F32 ? (double)narrow : number;
}

/* ---- conversions ---- */

sk_value sk_as_number(sk_compiler *c, sk_value v)
{
    if (v.kind == SK_OPAQUE) {
        sk_wrong(c, v.at, "bytes can only be compared, with bytes");
        return sk_integer_value(c, 0, SK_SIGNED, v.at);
    }
    if (v.kind == SK_TRUTH)
        return sk_computed_value(c, sk_emit(c, SK_STEP_TO_U32_B8, v.node, 0), SK_SIGNED, v.range, v.at);
    return v;
}

sk_value sk_as_unsigned(sk_compiler *c, sk_value v)
{
    if (v.range.low < 0) {
        sk_wide modulus = (sk_wide)1 << 64;
        unsigned node = sk_as_bits(c, v, 64);
        sk_interval range = SK_RANGE_UNSIGNED;
        if (v.range.high < 0)
            range = (sk_interval){v.range.low + modulus, v.range.high + modulus};
        return sk_computed_value(c, node, SK_UNSIGNED, range, v.at);
    }
    v.kind = SK_UNSIGNED;
    return v;
}

unsigned sk_as_bits(sk_compiler *c, sk_value v, unsigned bits)
{
    if (sk_is_constant(c, &v))
        return number_node(c, v.range.low, bits);
    if (sk_is_narrow(c, v.node) == (bits == 32))
        return v.node;
    if (bits == 32)
        return sk_emit(c, SK_STEP_TO_U32_U64, v.node, 0);
    return sk_emit(c, v.range.low >= 0 ? SK_STEP_TO_U64_U32 : SK_STEP_TO_I64_I32, v.node, 0);
}

unsigned sk_as_f64(sk_compiler *c, sk_value v)
{
    v = sk_as_number(c, v);
    bool narrow = sk_is_narrow(c, v.node);
    if (v.kind == SK_FLOAT)
        return narrow ? sk_emit(c, SK_STEP_TO_F64_F32, v.node, 0) : v.node;
    if (sk_is_constant(c, &v))
        return sk_emit_f64(c, (double)v.range.low);
    if (narrow)
        return sk_emit(c, sk_fits(SK_I32, v.range) ? SK_STEP_TO_F64_I32 : SK_STEP_TO_F64_U32, v.node, 0);
    return sk_emit(c, sk_fits(SK_I64, v.range) ? SK_STEP_TO_F64_I64 : SK_STEP_TO_F64_U64, v.node, 0);
}

unsigned sk_as_truth(sk_compiler *c, sk_value v)
{
    if (v.kind == SK_TRUTH)
        return v.node;
    v = sk_as_number(c, v);
    sk_value zero =
        v.kind == SK_FLOAT ? sk_float_value(sk_emit_f64(c, 0), v.at) : sk_integer_value(c, 0, SK_SIGNED, v.at);
    return sk_compare(c, SK_OP_NE, v, zero, v.at);
}
