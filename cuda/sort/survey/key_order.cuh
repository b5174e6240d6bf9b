// key_order.cuh - the order of a type's values as an order of unsigned integers, both ways, where kernels read keys
// first and write them last: so that sorting floats costs no more than sorting integers.
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

// flip: all ones where the order is descending. Signed integers are unsigned ones with a flipped sign bit too.
template <class K> struct integer_order {
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

template <class K> struct float_order;

#define SK_FLOAT_ORDER_OF(BITS)                                                   \
    template <> struct float_order<uint##BITS##_t> {                              \
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
SK_FLOAT_ORDER_OF(32)
SK_FLOAT_ORDER_OF(64)
#undef SK_FLOAT_ORDER_OF

// Calls f(order) for the order of a piece that is a whole key of type K, 4 or 8 bytes for floats, and not swapped: that
// of floats or that of integers, for which there are two kernels and not three.
template <class K, class F> scankit_error dispatch_flipped(const sk_piece &piece, F f)
{
    K flip = piece.descending ? K(~K(0)) : 0;
    if constexpr (sizeof(K) >= 4)
        if (piece.kind == SK_PIECE_FLOAT)
            return f(float_order<K>{flip});
    return f(integer_order<K>{K(piece.kind == SK_PIECE_SIGNED ? flip ^ SK_SIGN_BIT(K) : flip)});
}

// The same, where unsigned integers in ascending order have kernels of their own.
template <class K, class F> scankit_error dispatch_order(const sk_piece &piece, F f)
{
    if (piece.kind == SK_PIECE_UNSIGNED && !piece.descending)
        return f(same_order<K>{});
    return dispatch_flipped<K>(piece, f);
}

#endif
