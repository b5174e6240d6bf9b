/* truths.h - truths are bits, 64 to a word: comparisons of registers of numbers become words, and words select lanes. A
 * register is compared by the expression of lib/steps.h, or, with AVX-512, by an instruction that gives a mask. */
#ifndef SK_TRUTHS_H
#define SK_TRUTHS_H

#include "lanes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include "neon.h"
#endif

/* Operands are as the caller's elements lie, whatever their declared type was. T_lanes is a register of them, wherever
 * they lie. */
#define X(name, ctype)                             \
    typedef ctype __attribute__((may_alias)) name; \
    typedef ctype SK_PASTE(name, _lanes) __attribute__((vector_size(REGISTER), aligned(1), may_alias));
SK_VALUES(X)
#undef X

/* Numbers of a register. */
#define SK_LANES(T) (REGISTER / sizeof(T))

/* Registers of 64 numbers. T_bits is the result of comparing one register. */
#define SK_REGISTERS(T) (64 / SK_LANES(T))

#if defined(__AVX512F__)

typedef sk_mask_32 U32_bits, I32_bits, F32_bits;
typedef sk_mask_64 U64_bits, I64_bits, F64_bits;

#define COMPARE_U32(a, b, how) _mm512_cmp_epu32_mask((__m512i)(a), (__m512i)(b), how)
#define COMPARE_U64(a, b, how) _mm512_cmp_epu64_mask((__m512i)(a), (__m512i)(b), how)
#define COMPARE_I32(a, b, how) _mm512_cmp_epi32_mask((__m512i)(a), (__m512i)(b), how)
#define COMPARE_I64(a, b, how) _mm512_cmp_epi64_mask((__m512i)(a), (__m512i)(b), how)
#define COMPARE_F32(a, b, how) _mm512_cmp_ps_mask((__m512)(a), (__m512)(b), how)
#define COMPARE_F64(a, b, how) _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), how)
#define INFINITE_F32(a) _mm512_fpclass_ps_mask((__m512)(a), 0x18) /* either sign */
#define INFINITE_F64(a) _mm512_fpclass_pd_mask((__m512d)(a), 0x18)

/* BITS_name(T, a, b, expression of a and b); integers and floats number their comparisons alike. */
#define BITS_EQ(T, a, b, expression) COMPARE_##T(a, b, 0)
#define BITS_LT(T, a, b, expression) COMPARE_##T(a, b, 1)
#define BITS_LE(T, a, b, expression) COMPARE_##T(a, b, 2)
#define BITS_ISNAN(T, a, b, expression) COMPARE_##T(a, a, 3)
#define BITS_NE(T, a, b, expression) COMPARE_##T(a, b, 4)
#define BITS_ISINF(T, a, b, expression) INFINITE_##T(a)

/* The bits, where a > b too. */
#define BITS_AND_GT_I32(bits, a, b) _mm512_mask_cmpgt_epi32_mask(bits, (__m512i)(a), (__m512i)(b))
#define BITS_AND_GT_I64(bits, a, b) _mm512_mask_cmpgt_epi64_mask(bits, (__m512i)(a), (__m512i)(b))

/* Masks are joined as masks: a shift and an OR for each take three times as many instructions. */
SK_INLINE uint64_t word_of_4(const sk_mask_32 *bits)
{
    return _mm512_kunpackd(_mm512_kunpackw(bits[3], bits[2]), _mm512_kunpackw(bits[1], bits[0]));
}

SK_INLINE uint64_t word_of_8(const sk_mask_64 *bits)
{
    __mmask32 low = _mm512_kunpackw(_mm512_kunpackb(bits[3], bits[2]), _mm512_kunpackb(bits[1], bits[0]));
    __mmask32 high = _mm512_kunpackw(_mm512_kunpackb(bits[7], bits[6]), _mm512_kunpackb(bits[5], bits[4]));
    return _mm512_kunpackd(high, low);
}

/* Lanes of yes where bits from `at` on are set, else of no. */
SK_INLINE U32_lanes choose_U32(uint64_t word, unsigned at, U32_lanes yes, U32_lanes no)
{
    return (U32_lanes)_mm512_mask_blend_epi32((sk_mask_32)(word >> at), (__m512i)no, (__m512i)yes);
}

SK_INLINE U64_lanes choose_U64(uint64_t word, unsigned at, U64_lanes yes, U64_lanes no)
{
    return (U64_lanes)_mm512_mask_blend_epi64((sk_mask_64)(word >> at), (__m512i)no, (__m512i)yes);
}

#else

typedef I32_lanes U32_bits, I32_bits, F32_bits; /* all bits of a lane */
typedef I64_lanes U64_bits, I64_bits, F64_bits;

#define BITS_LT(T, a, b, expression) (expression)
#define BITS_LE BITS_LT
#define BITS_EQ BITS_LT
#define BITS_NE BITS_LT
#define BITS_ISNAN BITS_LT
#define BITS_ISINF BITS_LT
#define BITS_AND_GT_I32(bits, a, b) ((bits) & ((a) > (b)))
#define BITS_AND_GT_I64 BITS_AND_GT_I32

#if defined(__aarch64__)

SK_INLINE uint8x16_t bytes_of_4(const I32_bits *bits)
{
    uint16x8_t low = vuzp1q_u16((uint16x8_t)bits[0], (uint16x8_t)bits[1]);
    uint16x8_t high = vuzp1q_u16((uint16x8_t)bits[2], (uint16x8_t)bits[3]);
    return vuzp1q_u8((uint8x16_t)low, (uint8x16_t)high);
}

SK_INLINE uint64_t word_of_4(const I32_bits *bits)
{
    return sk_neon_mask(bytes_of_4(bits), bytes_of_4(bits + 4), bytes_of_4(bits + 8), bytes_of_4(bits + 12));
}

SK_INLINE uint64_t word_of_8(const I64_bits *bits)
{
    I32_bits halves[SK_REGISTERS(I32)];
    SK_UNROLL for (unsigned r = 0; r < SK_REGISTERS(I32); r++) halves[r] =
        (I32_bits)vuzp1q_u32((uint32x4_t)bits[2 * r], (uint32x4_t)bits[2 * r + 1]);
    return word_of_4(halves);
}

#else

#if defined(__AVX2__)
#define SIGNS_4(x) (uint32_t) _mm256_movemask_ps((__m256)(x))
#define SIGNS_8(x) (uint32_t) _mm256_movemask_pd((__m256d)(x))
#elif defined(__SSE2__)
#define SIGNS_4(x) (uint32_t) _mm_movemask_ps((__m128)(x))
#define SIGNS_8(x) (uint32_t) _mm_movemask_pd((__m128d)(x))
#else
#define SIGNS_4(x) (uint32_t)(((x)[0] & 1) | ((x)[1] & 2) | ((x)[2] & 4) | ((x)[3] & 8))
#define SIGNS_8(x) (uint32_t)(((x)[0] & 1) | ((x)[1] & 2))
#endif

SK_INLINE uint64_t word_of_4(const I32_bits *bits)
{
    uint64_t word = 0;
    SK_UNROLL for (unsigned r = 0; r < SK_REGISTERS(I32); r++) word |= (uint64_t)SIGNS_4(bits[r]) << r * SK_LANES(I32);
    return word;
}

SK_INLINE uint64_t word_of_8(const I64_bits *bits)
{
    uint64_t word = 0;
    SK_UNROLL for (unsigned r = 0; r < SK_REGISTERS(I64); r++) word |= (uint64_t)SIGNS_8(bits[r]) << r * SK_LANES(I64);
    return word;
}

#endif

/* Lanes of yes where bits from `at` on are set, else of no. */
#define CHOOSE(T)                                                                              \
    SK_INLINE T##_lanes choose_##T(uint64_t word, unsigned at, T##_lanes yes, T##_lanes no)    \
    {                                                                                          \
        T##_lanes place = {0};                                                                 \
        for (unsigned lane = 0; lane < SK_LANES(T); lane++)                                    \
            place[lane] = (T)1 << lane;                                                        \
        const T##_lanes mask = (T##_lanes)((((T##_lanes){0} + (T)(word >> at)) & place) != 0); \
        return (yes & mask) | (no & ~mask);                                                    \
    }
CHOOSE(U32)
CHOOSE(U64)

#endif

/* The word of 64 results. */
#define word_of_U32 word_of_4
#define word_of_I32 word_of_4
#define word_of_F32 word_of_4
#define word_of_U64 word_of_8
#define word_of_I64 word_of_8
#define word_of_F64 word_of_8

#endif
