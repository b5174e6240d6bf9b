// key_order.cuh - maps values to unsigned integers in the same order, and back. Kernels do it where they first read and
// last write keys, so that sorting floats costs no more than sorting integers.
#ifndef SK_CUDA_KEY_ORDER_CUH
#define SK_CUDA_KEY_ORDER_CUH

#include "backend.h"

// Unsigned integers, ascending.
template <class K> struct same_order {
    __device__ __forceinline__ K key(K bits) const
    {
        return bits;
    }
    __device__ __forceinline__ K value(K key) const
    {
        return key;
    }
};

// flip: all ones if the order is descending. For signed integers the sign bit is flipped too.
template <class K> struct integer_order {
    using key_type = K;
    K flip;
    __device__ __forceinline__ K key(K bits) const
    {
        return bits ^ flip;
    }
    __device__ __forceinline__ K value(K key) const
    {
        return key ^ flip;
    }
};

// The widths that floats have. A new one needs sk_order_fBITS() and sk_value_fBITS() in lib/order.h.
#define SK_FLOAT_WIDTHS(X) \
    X(16)                  \
    X(32)                  \
    X(64)

constexpr bool has_float_order(size_t size)
{
#define X(BITS) || size == BITS / 8
    return false SK_FLOAT_WIDTHS(X);
#undef X
}

// A new type of kind float must be in the list of widths, or it would be sorted as an integer.
#define SK_HAS_ORDER_unsigned(ctype) true
#define SK_HAS_ORDER_signed(ctype) true
#define SK_HAS_ORDER_half(ctype) has_float_order(sizeof(ctype))
#define SK_HAS_ORDER_float(ctype) has_float_order(sizeof(ctype))
#define X(enumerator, name, ctype, kind) static_assert(SK_HAS_ORDER_##kind(ctype), #name " has no order yet");
SCANKIT_TYPES(X)
#undef X

template <class K> struct float_order;

#define X(BITS)                                                                   \
    template <> struct float_order<uint##BITS##_t> {                              \
        using key_type = uint##BITS##_t;                                          \
        uint##BITS##_t flip;                                                      \
        __device__ __forceinline__ uint##BITS##_t key(uint##BITS##_t bits) const  \
        {                                                                         \
            return sk_order_f##BITS(bits) ^ flip;                                 \
        }                                                                         \
        __device__ __forceinline__ uint##BITS##_t value(uint##BITS##_t key) const \
        {                                                                         \
            return sk_value_f##BITS(key ^ flip);                                  \
        }                                                                         \
    };
SK_FLOAT_WIDTHS(X)
#undef X

// The order of any numbers, by constants: for kernels that are not worth an instance for floats. `fold`: bits that are
// complemented in negative floats. `first`: what the turn in order.h takes away. All are 0 for unsigned integers.
template <class K> struct number_order {
    using key_type = K;
    K fold, sign, first, flip;

    static K first_of_floats()
    {
        if constexpr (sizeof(K) == 2)
            return K(SK_SIGN_BIT(K) - sk_order_f16(0));
        else if constexpr (sizeof(K) == 4)
            return SK_SIGN_BIT(K) - sk_order_f32(0);
        else if constexpr (sizeof(K) == 8)
            return SK_SIGN_BIT(K) - sk_order_f64(0);
        else
            return 0;
    }
    number_order() : fold(0), sign(0), first(0), flip(0)
    {
    }
    explicit number_order(const sk_piece &piece) : number_order()
    {
        if (piece.kind != SK_PIECE_UNSIGNED)
            sign = SK_SIGN_BIT(K);
        if (piece.kind == SK_PIECE_FLOAT) {
            fold = K(~sign);
            first = first_of_floats();
        }
        flip = piece.descending ? K(~K(0)) : 0;
    }
    // Its own inverse: the sign stays.
    __host__ __device__ __forceinline__ K folded(K bits) const
    {
        return K(bits ^ (K(0 - (bits >> (8 * sizeof(K) - 1))) & fold));
    }
    __host__ __device__ __forceinline__ K key(K bits) const
    {
        return K(K((folded(bits) ^ sign) - first) ^ flip);
    }
    __host__ __device__ __forceinline__ K value(K key) const
    {
        return folded(K(K((key ^ flip) + first) ^ sign));
    }
};

// ---- from a piece to a kernel ----

// NULL: words.
template <class K> number_order<K> order_of(const sk_piece *piece)
{
    return piece != nullptr ? number_order<K>(*piece) : number_order<K>();
}

// Calls f(order) for the order of a piece that is a whole key of type K, not swapped: the order of floats, or of
// integers. Signed and unsigned integers share a kernel.
template <class K, class F> scankit_error dispatch_flipped(const sk_piece &piece, F f)
{
    K flip = piece.descending ? K(~K(0)) : 0;
    switch (piece.kind) {
    case SK_PIECE_FLOAT:
        if constexpr (has_float_order(sizeof(K)))
            return f(float_order<K>{flip});
        return SCANKIT_E_ARGUMENT;
    case SK_PIECE_SIGNED: return f(integer_order<K>{K(flip ^ SK_SIGN_BIT(K))});
    default: return f(integer_order<K>{flip});
    }
}

// The same for keys of 4 or 8 bytes: f gets K from the order.
template <class F> scankit_error dispatch_number(const sk_piece &piece, F f)
{
    switch (piece.size) {
    case 4: return dispatch_flipped<uint32_t>(piece, f);
    case 8: return dispatch_flipped<uint64_t>(piece, f);
    default: return SCANKIT_E_ARGUMENT;
    }
}

// The same as dispatch_flipped(), with kernels of their own for unsigned integers in ascending order.
template <class K, class F> scankit_error dispatch_order(const sk_piece &piece, F f)
{
    if (piece.kind == SK_PIECE_UNSIGNED && !piece.descending)
        return f(same_order<K>{});
    return dispatch_flipped<K>(piece, f);
}

#endif
