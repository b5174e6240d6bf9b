/* value.c - values: types, ranges, and making values of nodes. */
#include "value.h"

/* ---- types and ranges ---- */

/* What the list of value types says of each. */
static const struct {
    bool is_integer, is_signed;
} facts[] = {
#define X(name, ctype) [SK_##name] = {(ctype)0.5 == 0, (ctype)-1 < (ctype)1},
    SK_VALUES(X)
#undef X
};

sk_interval sk_integer_range(bool is_signed, size_t size)
{
    sk_wide numbers = (sk_wide)1 << 8 * size;
    return is_signed ? (sk_interval){-numbers / 2, numbers / 2 - 1} : (sk_interval){0, numbers - 1};
}

bool sk_fits(sk_value_type type, sk_interval range)
{
    sk_interval all = sk_integer_range(facts[type].is_signed, sk_value_size(type));
    return facts[type].is_integer && range.low >= all.low && range.high <= all.high;
}

bool sk_fits_32(sk_interval range)
{
    return sk_fits(SK_U32, range) || sk_fits(SK_I32, range);
}

/* ---- making values ---- */

unsigned sk_emit_integer_constant(sk_graph *g, sk_wide number, unsigned bits)
{
    if (bits == 32)
        return sk_emit_constant(g, number < 0 ? SK_I32 : SK_U32, (uint64_t)number);
    return sk_emit_constant(g, number < 0 ? SK_I64 : SK_U64, (uint64_t)number);
}

sk_value sk_integer_value(sk_graph *g, sk_wide number, sk_kind kind, size_t at)
{
    sk_interval range = {number, number};
    unsigned node = sk_emit_integer_constant(g, number, sk_fits_32(range) ? 32 : 64);
    return (sk_value){.kind = kind, .node = node, .range = range, .at = at};
}

/* The number of a constant node, for a value of that kind and range. */
static sk_wide number_of(const sk_node *node, sk_kind kind, sk_interval range)
{
    if (sk_value_size((sk_value_type)node->type) == 4)
        return range.low < 0 ? (sk_wide)(int32_t)node->bits : (sk_wide)(uint32_t)node->bits;
    return kind == SK_SIGNED ? (sk_wide)(int64_t)node->bits : (sk_wide)node->bits;
}

sk_value sk_computed_value(sk_graph *g, unsigned node, sk_kind kind, sk_interval range, size_t at)
{
    if (sk_is_constant_node(g, node))
        return sk_integer_value(g, number_of(&g->nodes[node], kind, range), kind, at);
    if (range.low == range.high)
        return sk_integer_value(g, range.low, kind, at);
    return (sk_value){.kind = kind, .node = node, .range = range, .at = at};
}

sk_value sk_float_value(unsigned node, size_t at)
{
    return (sk_value){.kind = SK_FLOAT, .node = node, .at = at};
}

sk_value sk_truth_value(const sk_graph *g, unsigned node, size_t at)
{
    sk_interval range = {0, 1};
    if (sk_is_constant_node(g, node))
        range.low = range.high = g->nodes[node].bits != 0;
    return (sk_value){.kind = SK_TRUTH, .node = node, .range = range, .at = at};
}

sk_value sk_field_value(sk_graph *g, const scankit_field *field, size_t at)
{
    if (field->type == SCANKIT_BYTES)
        return (sk_value){.kind = SK_OPAQUE, .at = at, .offset = field->offset, .size = field->size};
    sk_value_type type = sk_loaded_type(field->type);
    unsigned node = sk_emit_load(g, field->type, field->offset, field->big_endian != 0);
    if (!facts[type].is_integer)
        return sk_float_value(node, at);
    /* The language's integers have 64 bits: only a U64 needs to be unsigned. */
    sk_kind kind = type == SK_U64 ? SK_UNSIGNED : SK_SIGNED;
    return sk_computed_value(g, node, kind, sk_integer_range(facts[type].is_signed, field->size), at);
}

sk_value sk_position_value(sk_graph *g, size_t at)
{
    return sk_computed_value(g, sk_emit_position(g), SK_SIGNED, (sk_interval){0, INT64_MAX}, at);
}
