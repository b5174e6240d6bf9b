/* quotients.h - quotients and remainders of integers by registers. There is no instruction for them in vectors: by one
 * divisor for all they are products with its reciprocal (Granlund and Montgomery 1994, figure 4.1), by a register of
 * divisors quotients of doubles, which are exact for 32 bits. For 64 bits they are slightly too small, and the rest is
 * divided again. Signed numbers are divided by their magnitudes. */
#ifndef SK_QUOTIENTS_H
#define SK_QUOTIENTS_H

#include "truths.h"

/* ---- one divisor ---- */

/* For a divisor of `bits` bits: quotient = (p + ((a - p) >> first)) >> second, p the high half of a * multiplier. */
typedef struct sk_reciprocal {
    uint64_t multiplier;
    unsigned first, second;
} sk_reciprocal;

SK_INLINE sk_reciprocal reciprocal_of(uint64_t divisor, unsigned bits)
{
    __extension__ typedef unsigned __int128 wide;
    unsigned log = divisor == 1 ? 0 : 64 - (unsigned)__builtin_clzll(divisor - 1); /* rounded up */
    wide beyond = ((wide)1 << log) - divisor;
    return (sk_reciprocal){(uint64_t)((beyond << bits) / divisor) + 1, log > 0, log > 0 ? log - 1 : 0};
}

/* Products of the low halves of 64-bit lanes. */
SK_INLINE U64_lanes product_of_halves(U64_lanes a, U64_lanes b)
{
#if defined(__AVX512F__)
    return (U64_lanes)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (U64_lanes)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (U64_lanes)_mm_mul_epu32((__m128i)a, (__m128i)b);
#elif defined(__aarch64__)
    return (U64_lanes)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
#else
    return (a & UINT32_MAX) * (b & UINT32_MAX);
#endif
}

/* The high halves of products of unsigned lanes. */
SK_INLINE U32_lanes high_U32(U32_lanes a, uint64_t multiplier)
{
    const U64_lanes by = (U64_lanes){0} + multiplier;
    U64_lanes even = product_of_halves((U64_lanes)a, by) >> 32, odd = product_of_halves((U64_lanes)a >> 32, by);
    return (U32_lanes)(even | (odd >> 32 << 32));
}

SK_INLINE U64_lanes high_U64(U64_lanes a, uint64_t multiplier)
{
    const U64_lanes low = (U64_lanes){0} + multiplier, high = low >> 32, a_high = a >> 32;
    U64_lanes middle = product_of_halves(a_high, low) + (product_of_halves(a, low) >> 32);
    U64_lanes other = product_of_halves(a, high) + (middle & UINT32_MAX);
    return product_of_halves(a_high, high) + (middle >> 32) + (other >> 32);
}

#define DIVIDE_BY_ONE(U, bits)                                   \
    SK_INLINE U##_lanes times_##U(U##_lanes a, sk_reciprocal by) \
    {                                                            \
        const U##_lanes p = high_##U(a, by.multiplier);          \
        return (p + ((a - p) >> (U)by.first)) >> (U)by.second;   \
    }
DIVIDE_BY_ONE(U32, 32)
DIVIDE_BY_ONE(U64, 64)

/* ---- a register of divisors: any quotient where the divisor is 0 ---- */

#if defined(__AVX512F__)

SK_INLINE __m256i doubles_U32(__m256i a, __m256i b)
{
    return _mm512_cvttpd_epu32(_mm512_div_pd(_mm512_cvtepu32_pd(a), _mm512_cvtepu32_pd(b)));
}

SK_INLINE __m256i doubles_I32(__m256i a, __m256i b)
{
    return _mm512_cvttpd_epi32(_mm512_div_pd(_mm512_cvtepi32_pd(a), _mm512_cvtepi32_pd(b)));
}

#define BY_HALVES(T)                                                                                  \
    SK_INLINE T##_lanes over_##T(T##_lanes a, T##_lanes b)                                            \
    {                                                                                                 \
        const __m512i x = (__m512i)a, y = (__m512i)b;                                                 \
        __m256i low = doubles_##T(_mm512_castsi512_si256(x), _mm512_castsi512_si256(y));              \
        __m256i high = doubles_##T(_mm512_extracti64x4_epi64(x, 1), _mm512_extracti64x4_epi64(y, 1)); \
        return (T##_lanes)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);                   \
    }
BY_HALVES(U32)
BY_HALVES(I32)

SK_INLINE F64_lanes double_of(U64_lanes a)
{
    return (F64_lanes)_mm512_cvtepu64_pd((__m512i)a);
}

/* Of a number below 2^64, without its fraction. */
SK_INLINE U64_lanes whole_of(F64_lanes x)
{
    return (U64_lanes)_mm512_cvttpd_epu64((__m512d)x);
}

#elif defined(__AVX2__)

#define TWO_52 0x1p52

/* The low halves of the lanes. */
SK_INLINE __m128i low_halves(U64_lanes x)
{
    const __m256i even = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)x, even));
}

/* Of lanes below 2^32: they are the low bits of a double from 2^52 on. */
SK_INLINE F64_lanes double_of_half(U64_lanes x)
{
    return (F64_lanes)(x | (uint64_t)0x433 << 52) - TWO_52;
}

SK_INLINE U64_lanes half_of_double(F64_lanes x)
{
    return (U64_lanes)(x + TWO_52) & UINT32_MAX;
}

SK_INLINE F64_lanes down(F64_lanes x)
{
    return (F64_lanes)_mm256_floor_pd((__m256d)x);
}

SK_INLINE __m128i doubles_U32(__m128i a, __m128i b)
{
    F64_lanes x = double_of_half((U64_lanes)_mm256_cvtepu32_epi64(a));
    return low_halves(half_of_double(down(x / double_of_half((U64_lanes)_mm256_cvtepu32_epi64(b)))));
}

SK_INLINE __m128i doubles_I32(__m128i a, __m128i b)
{
    return _mm256_cvttpd_epi32(_mm256_div_pd(_mm256_cvtepi32_pd(a), _mm256_cvtepi32_pd(b)));
}

#define BY_HALVES(T)                                                                                \
    SK_INLINE T##_lanes over_##T(T##_lanes a, T##_lanes b)                                          \
    {                                                                                               \
        const __m256i x = (__m256i)a, y = (__m256i)b;                                               \
        __m128i low = doubles_##T(_mm256_castsi256_si128(x), _mm256_castsi256_si128(y));            \
        __m128i high = doubles_##T(_mm256_extracti128_si256(x, 1), _mm256_extracti128_si256(y, 1)); \
        return (T##_lanes)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);            \
    }
BY_HALVES(U32)
BY_HALVES(I32)

SK_INLINE F64_lanes double_of(U64_lanes a)
{
    return double_of_half(a >> 32) * 0x1p32 + double_of_half(a & UINT32_MAX);
}

SK_INLINE U64_lanes whole_of(F64_lanes x)
{
    F64_lanes high = down(x * 0x1p-32);
    return half_of_double(high) << 32 | half_of_double(down(x - high * 0x1p32));
}

#else

#define BY_LANE(T)                                          \
    SK_INLINE T##_lanes over_##T(T##_lanes a, T##_lanes b)  \
    {                                                       \
        for (unsigned lane = 0; lane < SK_LANES(T); lane++) \
            a[lane] = b[lane] == 0 ? 0 : a[lane] / b[lane]; \
        return a;                                           \
    }
BY_LANE(U32)
BY_LANE(U64)

#endif

#if defined(__AVX2__)
/* The conversions, the reciprocal and the product are each off by 2^-53 of their values at most, in all by less than
 * 2^-50, by which the reciprocal is too small: neither quotient is too great. The first leaves less than b + 2^15, the
 * second less than 2 b. */
SK_INLINE U64_lanes over_U64(U64_lanes a, U64_lanes b)
{
    const F64_lanes reciprocal = (1 - 0x1p-50) / double_of(b);
    U64_lanes quotient = whole_of(double_of(a) * reciprocal), rest = a - quotient * b;
    U64_lanes more = whole_of(double_of(rest) * reciprocal);
    return quotient + more - (U64_lanes)(rest - more * b >= b);
}
#endif

/* ---- signed numbers ---- */

/* x, or -x where sign is -1 and not 0. */
#define TURNED(U, x, sign) (((x) ^ (U##_lanes)(sign)) - (U##_lanes)(sign))

SK_INLINE I64_lanes over_I64(I64_lanes a, I64_lanes b)
{
    const I64_lanes sign_a = (I64_lanes)(a < 0), sign_b = (I64_lanes)(b < 0);
    U64_lanes quotient = over_U64(TURNED(U64, (U64_lanes)a, sign_a), TURNED(U64, (U64_lanes)b, sign_b));
    return (I64_lanes)TURNED(U64, quotient, sign_a ^ sign_b);
}

#if !defined(__AVX2__)
SK_INLINE I32_lanes over_I32(I32_lanes a, I32_lanes b)
{
    const I32_lanes sign_a = (I32_lanes)(a < 0), sign_b = (I32_lanes)(b < 0);
    U32_lanes quotient = over_U32(TURNED(U32, (U32_lanes)a, sign_a), TURNED(U32, (U32_lanes)b, sign_b));
    return (I32_lanes)TURNED(U32, quotient, sign_a ^ sign_b);
}
#endif

/* ---- by one divisor that is not 0, of any type ---- */

SK_INLINE uint64_t magnitude_U32(U32 x)
{
    return x;
}

SK_INLINE uint64_t magnitude_U64(U64 x)
{
    return x;
}

SK_INLINE uint64_t magnitude_I32(I32 x)
{
    return x < 0 ? 0 - (U32)x : (U32)x;
}

SK_INLINE uint64_t magnitude_I64(I64 x)
{
    return x < 0 ? 0 - (U64)x : (U64)x;
}

#define BY_ONE_UNSIGNED(U)                                                     \
    SK_INLINE U##_lanes over_one_##U(U##_lanes a, sk_reciprocal by, U divisor) \
    {                                                                          \
        (void)divisor;                                                         \
        return times_##U(a, by);                                               \
    }
BY_ONE_UNSIGNED(U32)
BY_ONE_UNSIGNED(U64)

#define BY_ONE_SIGNED(I, U)                                                    \
    SK_INLINE I##_lanes over_one_##I(I##_lanes a, sk_reciprocal by, I divisor) \
    {                                                                          \
        const I##_lanes sign = (I##_lanes)(a < 0);                             \
        U##_lanes quotient = times_##U(TURNED(U, (U##_lanes)a, sign), by);     \
        return (I##_lanes)TURNED(U, quotient, divisor < 0 ? ~sign : sign);     \
    }
BY_ONE_SIGNED(I32, U32)
BY_ONE_SIGNED(I64, U64)

#endif
