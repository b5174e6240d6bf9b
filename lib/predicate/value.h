/* value.h - what an expression means: a node together with its kind and the range of its numbers. The range selects
 * the narrowest steps that give the right answer. */
#ifndef SK_PREDICATE_VALUE_H
#define SK_PREDICATE_VALUE_H

#include "graph/node.h"

__extension__ typedef __int128 sk_wide;

typedef enum sk_kind { SK_TRUTH, SK_SIGNED, SK_UNSIGNED, SK_FLOAT, SK_OPAQUE } sk_kind;

/* Both ends are included. */
typedef struct sk_interval {
    sk_wide low, high;
} sk_interval;

#define SK_RANGE_SIGNED ((sk_interval){INT64_MIN, INT64_MAX})
#define SK_RANGE_UNSIGNED ((sk_interval){0, UINT64_MAX})

/* A value, by its kind:
 *
 * - SK_TRUTH: the node is a B8; the range is within [0, 1].
 * - SK_SIGNED, SK_UNSIGNED: the number is within the range. The node is a U32 or a U64 if the range has no negative
 *   numbers, else an I32 or an I64.
 * - SK_FLOAT: the node is an F32 or an F64; the range is not used. An F64 means that the value may not be an F32.
 * - SK_OPAQUE: bytes without a node: `size` bytes at `text`, or if that is NULL, at `offset` of the element. */
typedef struct sk_value {
    sk_kind kind;
    unsigned node;
    sk_interval range;
    size_t at; /* offset in the predicate's text */
    const char *text;
    size_t offset, size;
} sk_value;

/* The operations on two values. integer.c, number.c and compare.c index tables by them, in this order. */
typedef enum sk_operation {
    SK_OP_ADD,
    SK_OP_SUB,
    SK_OP_MUL,
    SK_OP_DIV,
    SK_OP_REM,
    SK_OP_AND,
    SK_OP_OR,
    SK_OP_XOR,
    SK_OP_SHL,
    SK_OP_SHR,
    SK_OP_MIN,
    SK_OP_MAX,
    SK_OP_LT,
    SK_OP_LE,
    SK_OP_EQ,
    SK_OP_NE,
} sk_operation;

static inline bool sk_is_constant(const sk_graph *g, const sk_value *v)
{
    return sk_is_constant_node(g, v->node);
}

static inline bool sk_is_integer(const sk_value *v)
{
    return v->kind == SK_SIGNED || v->kind == SK_UNSIGNED;
}

/* ---- value.c: types and ranges ---- */

/* The range of integers of `size` bytes. */
sk_interval sk_integer_range(bool is_signed, size_t size);

/* True if the integer type holds the range. */
bool sk_fits(sk_value_type type, sk_interval range);

/* True if U32 or I32 holds the range. */
bool sk_fits_32(sk_interval range);

/* ---- value.c: making values ---- */

/* The node of a constant integer of 32 or 64 bits. */
unsigned sk_emit_integer_constant(sk_graph *g, sk_wide number, unsigned bits);

/* A constant integer. */
sk_value sk_integer_value(sk_graph *g, sk_wide number, sk_kind kind, size_t at);

/* An integer that the node computes; a constant if the node or the range is one. */
sk_value sk_computed_value(sk_graph *g, unsigned node, sk_kind kind, sk_interval range, size_t at);

/* A float that the node computes. */
sk_value sk_float_value(unsigned node, size_t at);

/* A truth that the node, a B8, computes. */
sk_value sk_truth_value(const sk_graph *g, unsigned node, size_t at);

/* The value of a field of the element, and of the element's position. */
sk_value sk_field_value(sk_graph *g, const scankit_field *field, size_t at);
sk_value sk_position_value(sk_graph *g, size_t at);

/* ---- convert.c: conversions of values ---- */

/* A truth becomes 0 or 1. Opaque bytes are an error. */
sk_value sk_as_number(sk_graph *g, sk_value v);

/* The integer modulo 2^64. */
sk_value sk_as_unsigned(sk_graph *g, sk_value v);

/* ---- convert.c: conversions to nodes ---- */

/* An integer as a node of 32 or 64 bits. */
unsigned sk_as_bits(sk_graph *g, sk_value v, unsigned bits);

/* Any number as an F64. */
unsigned sk_as_f64(sk_graph *g, sk_value v);

/* Two numbers as F32s. Returns false if one may not be an F32, or if both are constants: those are folded as F64s. */
bool sk_as_f32(sk_graph *g, sk_value a, sk_value b, unsigned *node_a, unsigned *node_b);

/* The number of a constant F32 or F64. */
double sk_constant_float(const sk_graph *g, unsigned node);

#endif
