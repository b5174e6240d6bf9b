/* order.h - the order of values as an order of unsigned integers, the same on every device.
 *
 * sk_order_T() maps the bit pattern of a T to the unsigned integer of the same width whose order is the library's
 * order of values; sk_value_T() is its inverse, so every bit pattern, NaN payloads included, survives a sort. */
#ifndef SK_ORDER_H
#define SK_ORDER_H

#include <stdint.h>

#ifdef __CUDACC__
#define SK_INLINE static __host__ __device__ __forceinline__
#else
#define SK_INLINE static inline __attribute__((always_inline, unused))
#endif

/* Signed integers: moving the sign bit's weight from -2^(w-1) to +2^(w-1) is an addition of it. Its own inverse. */
#define SK_SIGN_BIT(U) ((U)((U)1 << (8 * sizeof(U) - 1)))

/* Floats are sign and magnitude: negatives are complemented and positives get the top bit. That leaves the negative
 * NaNs first; taking away their number from every key turns the circle of keys until they stand last.
 * (FIRST: the key that negative infinity has before the turn.) */
#define SK_FLOAT_ORDER(NAME, BITS, FIRST)                                                                 \
    typedef uint##BITS##_t sk_bits_##NAME;                                                                \
    SK_INLINE uint##BITS##_t sk_order_##NAME(uint##BITS##_t bits)                                         \
    {                                                                                                     \
        uint##BITS##_t flip = (uint##BITS##_t)(0 - (bits >> (BITS - 1))) | SK_SIGN_BIT(uint##BITS##_t);   \
        return (uint##BITS##_t)((bits ^ flip) - (FIRST));                                                 \
    }                                                                                                     \
    SK_INLINE uint##BITS##_t sk_value_##NAME(uint##BITS##_t key)                                          \
    {                                                                                                     \
        uint##BITS##_t turned = (uint##BITS##_t)(key + (FIRST));                                          \
        uint##BITS##_t flip = (uint##BITS##_t)((turned >> (BITS - 1)) - 1) | SK_SIGN_BIT(uint##BITS##_t); \
        return (uint##BITS##_t)(turned ^ flip);                                                           \
    }

SK_FLOAT_ORDER(f16, 16, UINT16_C(0x03ff))
SK_FLOAT_ORDER(f32, 32, UINT32_C(0x007fffff))
SK_FLOAT_ORDER(f64, 64, UINT64_C(0x000fffffffffffff))

#endif
