/* half.h - IEEE half-precision floats (binary16) and float, both ways, the same bits on every device.
 *
 * A half has 1 sign bit, 5 exponent bits with a bias of 15, and 10 fraction bits. Both directions are free of branches,
 * so that compilers vectorise loops over them. */
#ifndef SK_HALF_H
#define SK_HALF_H

#include <string.h>

#include "order.h"
#include "scankit.h"

#define SK_F32_INFINITY UINT32_C(0x7f800000)
#define SK_F16_INFINITY UINT32_C(0x7c00)
#define SK_F32_FRACTION 23
#define SK_F16_FRACTION 10

SK_INLINE uint32_t sk_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

SK_INLINE float sk_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Exact: every half is a float. */
SK_INLINE float sk_f32_from_f16(scankit_f16 half)
{
#ifdef __CUDA_ARCH__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half.bits));
    return value;
#else
    uint32_t sign = (uint32_t)(half.bits & 0x8000) << 16;
    uint32_t magnitude = (uint32_t)(half.bits & 0x7fff) << (SK_F32_FRACTION - SK_F16_FRACTION);
    /* The biases differ by 112. The product also normalises subnormal halves. */
    uint32_t scaled = sk_f32_bits(sk_f32_from_bits(magnitude) * 0x1p112f);
    uint32_t special = magnitude | SK_F32_INFINITY; /* infinity and NaN keep their fraction */
    return sk_f32_from_bits(sign | ((half.bits & SK_F16_INFINITY) == SK_F16_INFINITY ? special : scaled));
#endif
}

/* Rounds to nearest, ties to even. What is too large becomes infinity; a NaN stays one. */
SK_INLINE scankit_f16 sk_f16_from_f32(float value)
{
    scankit_f16 half;
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half.bits) : "f"(value));
#else
    uint32_t bits = sk_f32_bits(value), magnitude = bits & 0x7fffffff;
    unsigned shift = SK_F32_FRACTION - SK_F16_FRACTION;
    /* Add just less than half a unit, and one more where the kept fraction is odd: then cut. */
    uint32_t rounded = magnitude + ((1u << (shift - 1)) - 1) + (magnitude >> shift & 1);
    uint32_t normal = (rounded - (UINT32_C(112) << SK_F32_FRACTION)) >> shift;
    /* Below 2^-14 a half's unit is 2^-24, which is that of floats from 0.5 to 1: the addition rounds. */
    uint32_t subnormal = sk_f32_bits(sk_f32_from_bits(magnitude) + 0.5f) - sk_f32_bits(0.5f);
    uint32_t finite = magnitude < (UINT32_C(113) << SK_F32_FRACTION) ? subnormal : normal;
    uint32_t limited = finite < SK_F16_INFINITY ? finite : SK_F16_INFINITY;
    uint32_t not_a_number = SK_F16_INFINITY | 0x200 | (magnitude >> shift & 0x3ff);
    half.bits = (uint16_t)(bits >> 16 & 0x8000) | (uint16_t)(magnitude > SK_F32_INFINITY ? not_a_number : limited);
#endif
    return half;
}

#endif
