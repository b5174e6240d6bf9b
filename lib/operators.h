/* operators.h - what each operator computes, written once for every device.
 *
 * SK_COMBINE_op(T, a, b) is the expression a op b, and SK_IDENTITY_op(T) the operator's identity, for a type T given by
 * its short name (u32). Operands are plain values and are named more than once. They have the type of partial results,
 * sk_partial_op_T, which is T but for sums and products of halves: those are floats. SK_LOAD(T, op, element) makes a
 * partial result of an element, and SK_STORE(T, op, partial) rounds it to one. */
#ifndef SK_OPERATORS_H
#define SK_OPERATORS_H

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "half.h"
#include "order.h"
#include "scankit.h"

/* C types by short name: sk_u32 and so on. */
#define X(enumerator, name, ctype, kind) typedef ctype sk_##name;
SCANKIT_TYPES(X)
#undef X

#define SK_NAME_ROOM 16 /* bytes of a type's name and its end */

/* What the code assumes of every type and operator. A value of any type fits in a uint64_t, and a size is 1, 2, 4 or 8.
 */
#define X(enumerator, name, ctype, kind)                                                                              \
    static_assert(sizeof(ctype) <= 8 && (sizeof(ctype) & (sizeof(ctype) - 1)) == 0, #name " has 1, 2, 4 or 8 bytes"); \
    static_assert(sizeof #name <= SK_NAME_ROOM, #name " is a short name");
SCANKIT_TYPES(X)
#undef X

/* Which operators a kind of type has: X(T, op). Signed sums and bitwise operators give the same bits as the
 * unsigned type of that width: sk_canonical_type() maps them to it, so that they exist once. */
#define SK_OPERATORS_unsigned(X, T) X(T, sum) X(T, prod) X(T, min) X(T, max) X(T, and) X(T, or) X(T, xor) X(T, affine)
#define SK_OPERATORS_signed(X, T) X(T, min) X(T, max)
#define SK_OPERATORS_float(X, T) X(T, sum) X(T, prod) X(T, min) X(T, max)
#define SK_OPERATORS_half(X, T) SK_OPERATORS_float(X, T)

/* Enumerators by short name, SK_TYPE_u32 and SK_OP_sum, and one number for both, to switch on. */
enum {
#define X(enumerator, name, ctype, kind) SK_TYPE_##name = SCANKIT_##enumerator,
    SCANKIT_TYPES(X)
#undef X
#define X(enumerator, name) SK_OP_##name = SCANKIT_##enumerator,
        SCANKIT_OPERATORS(X)
#undef X
};
#define SK_TYPE_AND_OP(type, op) ((int)(type)*SK_OPERATORS_MAX + (int)(op))
#define SK_OPERATORS_MAX 16
#define X(enumerator, name) static_assert(SCANKIT_##enumerator < SK_OPERATORS_MAX, "a number for both");
SCANKIT_OPERATORS(X)
#undef X

/* SK_IS_FLOAT_u32 and so on. */
#define SK_IS_FLOAT_unsigned 0
#define SK_IS_FLOAT_signed 0
#define SK_IS_FLOAT_half 1
#define SK_IS_FLOAT_float 1
enum {
#define X(enumerator, name, ctype, kind) SK_IS_FLOAT_##name = SK_IS_FLOAT_##kind,
    SCANKIT_TYPES(X)
#undef X
};

#define SK_CANONICAL_unsigned(type, size) type
#define SK_CANONICAL_float(type, size) type
#define SK_CANONICAL_half(type, size) type
#define SK_CANONICAL_signed(type, size) \
    size == 1 ? SCANKIT_U8 : size == 2 ? SCANKIT_U16 : size == 4 ? SCANKIT_U32 : SCANKIT_U64

SK_INLINE scankit_type sk_canonical_type(scankit_type type, scankit_operator op)
{
    if (op == SCANKIT_MIN || op == SCANKIT_MAX)
        return type;
    switch (type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return SK_CANONICAL_##kind(type, sizeof(ctype));
        SCANKIT_TYPES(X)
#undef X
    default: return type;
    }
}

/* ---- the order of values: sk_before_T(a, b), and its ends, sk_first_T() and sk_last_T() ---- */

#define SK_ORDER_unsigned(name)                               \
    SK_INLINE bool sk_before_##name(sk_##name a, sk_##name b) \
    {                                                         \
        return a < b;                                         \
    }                                                         \
    SK_INLINE sk_##name sk_first_##name(void)                 \
    {                                                         \
        return 0;                                             \
    }                                                         \
    SK_INLINE sk_##name sk_last_##name(void)                  \
    {                                                         \
        return (sk_##name) ~(sk_##name)0;                     \
    }
#define SK_ORDER_signed(name)                                           \
    SK_INLINE bool sk_before_##name(sk_##name a, sk_##name b)           \
    {                                                                   \
        return a < b;                                                   \
    }                                                                   \
    SK_INLINE sk_##name sk_last_##name(void)                            \
    {                                                                   \
        return (sk_##name)(UINT64_MAX >> (65 - 8 * sizeof(sk_##name))); \
    }                                                                   \
    SK_INLINE sk_##name sk_first_##name(void)                           \
    {                                                                   \
        return (sk_##name)(-sk_last_##name() - 1);                      \
    }
#define SK_ORDER_float(name)                                                                       \
    static_assert(sizeof(sk_bits_##name) == sizeof(sk_##name), "order.h knows this float's bits"); \
    SK_INLINE sk_bits_##name sk_key_##name(sk_##name value)                                        \
    {                                                                                              \
        sk_bits_##name bits;                                                                       \
        memcpy(&bits, &value, sizeof bits);                                                        \
        return sk_order_##name(bits);                                                              \
    }                                                                                              \
    SK_INLINE sk_##name sk_from_key_##name(sk_bits_##name key)                                     \
    {                                                                                              \
        sk_bits_##name bits = sk_value_##name(key);                                                \
        sk_##name value;                                                                           \
        memcpy(&value, &bits, sizeof value);                                                       \
        return value;                                                                              \
    }                                                                                              \
    SK_INLINE sk_##name sk_first_##name(void)                                                      \
    {                                                                                              \
        return sk_from_key_##name(0);                                                              \
    }                                                                                              \
    SK_INLINE sk_##name sk_last_##name(void)                                                       \
    {                                                                                              \
        return sk_from_key_##name((sk_bits_##name) ~(sk_bits_##name)0);                            \
    }                                                                                              \
    SK_INLINE bool sk_before_##name(sk_##name a, sk_##name b)                                      \
    {                                                                                              \
        return sk_key_##name(a) < sk_key_##name(b);                                                \
    }
#define SK_ORDER_half(name) SK_ORDER_float(name)

#define X(enumerator, name, ctype, kind) SK_ORDER_##kind(name)
SCANKIT_TYPES(X)
#undef X

/* ---- partial results ---- */

#define SK_LOAD(T, op, element) sk_load_##op##_##T(element)
#define SK_STORE(T, op, partial) sk_store_##op##_##T(partial)

#define SK_PARTIAL(T, op, P, load, store)                               \
    typedef P sk_partial_##op##_##T;                                    \
    SK_INLINE sk_partial_##op##_##T sk_load_##op##_##T(sk_##T element)  \
    {                                                                   \
        return load(element);                                           \
    }                                                                   \
    SK_INLINE sk_##T sk_store_##op##_##T(sk_partial_##op##_##T partial) \
    {                                                                   \
        return store(partial);                                          \
    }
#define SK_PARTIAL_AS_IS(T, op) SK_PARTIAL(T, op, sk_##T, , )
#define SK_PARTIAL_AS_F32(T, op) SK_PARTIAL(T, op, float, sk_f32_from_##T, sk_##T##_from_f32)

#define SK_PARTIALS_unsigned(T) SK_OPERATORS_unsigned(SK_PARTIAL_AS_IS, T)
#define SK_PARTIALS_signed(T) SK_OPERATORS_signed(SK_PARTIAL_AS_IS, T)
#define SK_PARTIALS_float(T) SK_OPERATORS_float(SK_PARTIAL_AS_IS, T)
#define SK_PARTIALS_half(T)   \
    SK_PARTIAL_AS_F32(T, sum) \
    SK_PARTIAL_AS_F32(T, prod) SK_PARTIAL_AS_IS(T, min) SK_PARTIAL_AS_IS(T, max)

#define X(enumerator, name, ctype, kind) SK_PARTIALS_##kind(name)
SCANKIT_TYPES(X)
#undef X

/* ---- the operators ---- */

#define SK_COMBINE_sum(T, a, b) ((sk_partial_sum_##T)((a) + (b)))
#define SK_IDENTITY_sum(T) ((sk_partial_sum_##T)0)
/* The 1u keeps narrow operands from being multiplied as int, where 65535 * 65535 would overflow. */
#define SK_COMBINE_prod(T, a, b) ((sk_partial_prod_##T)(1u * (a) * (b)))
#define SK_IDENTITY_prod(T) ((sk_partial_prod_##T)1)
#define SK_COMBINE_min(T, a, b) (sk_before_##T(b, a) ? (b) : (a))
#define SK_IDENTITY_min(T) (sk_last_##T())
#define SK_COMBINE_max(T, a, b) (sk_before_##T(a, b) ? (b) : (a))
#define SK_IDENTITY_max(T) (sk_first_##T())
#define SK_COMBINE_and(T, a, b) ((sk_##T)((a) & (b)))
#define SK_IDENTITY_and(T) ((sk_##T) ~(sk_##T)0)
#define SK_COMBINE_or(T, a, b) ((sk_##T)((a) | (b)))
#define SK_IDENTITY_or(T) ((sk_##T)0)
#define SK_COMBINE_xor(T, a, b) ((sk_##T)((a) ^ (b)))
#define SK_IDENTITY_xor(T) ((sk_##T)0)
/* (al, bl) then (ar, br): x -> ar (al x + bl) + br, so a = ar al and b = ar bl + br. */
#define SK_HALF(T) (4 * sizeof(sk_##T))
#define SK_LOW(T, x) ((sk_##T)((x) & (sk_##T)((sk_##T) ~(sk_##T)0 >> SK_HALF(T))))
#define SK_HIGH(T, x) ((sk_##T)((x) >> SK_HALF(T)))
#define SK_COMBINE_affine(T, a, b)                                   \
    ((sk_##T)(((1u * SK_HIGH(T, a) * SK_HIGH(T, b)) << SK_HALF(T)) | \
              SK_LOW(T, (sk_##T)(1u * SK_HIGH(T, b) * SK_LOW(T, a) + SK_LOW(T, b)))))
#define SK_IDENTITY_affine(T) ((sk_##T)((sk_##T)1 << SK_HALF(T)))

#endif
