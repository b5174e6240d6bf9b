/* rows.h - registers whose lanes of 32 or 64 bits are kept by a mask, with AVX-512 and AVX2. AVX2 has no such masks: a
 * mask is a number, and a table says which lanes it keeps. */
#ifndef SK_ROWS_H
#define SK_ROWS_H

#include "lanes.h"

#if defined(__AVX512F__)
#define SK_HAS_ROWS 1

typedef __m512i sk_row;

#define SK_LOAD_ROW(from) _mm512_loadu_si512(from)
#define SK_STORE_ROW(to, x) _mm512_storeu_si512(to, x)
#define SK_LOAD_SOME(bits, some, from) _mm512_maskz_loadu_epi##bits(some, from)
#define SK_ALL_LANES(bits) ((sk_mask_##bits) - 1)
#define SK_COMPRESS(bits, kept, x) _mm512_maskz_compress_epi##bits(kept, x)
#define SK_IS_ZERO(x) (_mm512_test_epi64_mask(x, x) == 0)
#define SK_DIFFERENT(bits, x, y) _mm512_cmpneq_epi##bits##_mask(x, y)

#elif defined(__AVX2__)
#define SK_HAS_ROWS 1

typedef __m256i sk_row;

/* ---- tables ---- */

/* For each mask of eight bits the numbers of those that are set, from the lowest on, a byte each. */
#define SK_SET(mask, bit) ((mask) >> (bit)&1u)
#define SK_BIT(mask, bit, above) ((above) << (8 * SK_SET(mask, bit)) | (uint64_t)(bit)*SK_SET(mask, bit))
#define SK_BITS_2(mask, bit, above) SK_BIT(mask, bit, SK_BIT(mask, (bit) + 1, above))
#define SK_BITS_4(mask, bit, above) SK_BITS_2(mask, bit, SK_BITS_2(mask, (bit) + 2, above))
#define SK_BITS(mask) SK_BITS_4(mask, 0, SK_BITS_4(mask, 4, UINT64_C(0)))
#define SK_BITS_OF_4(mask) SK_BITS(mask), SK_BITS((mask) + 1), SK_BITS((mask) + 2), SK_BITS((mask) + 3)
#define SK_BITS_OF_16(mask) \
    SK_BITS_OF_4(mask), SK_BITS_OF_4((mask) + 4), SK_BITS_OF_4((mask) + 8), SK_BITS_OF_4((mask) + 12)
#define SK_BITS_OF_64(mask) \
    SK_BITS_OF_16(mask), SK_BITS_OF_16((mask) + 16), SK_BITS_OF_16((mask) + 32), SK_BITS_OF_16((mask) + 48)
static const uint64_t sk_set_bits[256] = {SK_BITS_OF_64(0u), SK_BITS_OF_64(64u), SK_BITS_OF_64(128u),
                                          SK_BITS_OF_64(192u)};

/* For each mask of four bits the halves of lanes of 64 bits. */
static const uint64_t sk_set_halves[16] = {
    0x0,    0x0100,     0x0302,     0x03020100,     0x0504,     0x05040100,     0x05040302,     0x050403020100,
    0x0706, 0x07060100, 0x07060302, 0x070603020100, 0x07060504, 0x070605040100, 0x070605040302, 0x0706050403020100};

/* The numbers of the lanes that are kept, in lanes of 32 bits; of lanes of 64 bits, the numbers of their halves. */
SK_INLINE sk_row sk_kept_32(sk_mask_32 kept)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)&sk_set_bits[kept]));
}

SK_INLINE sk_row sk_kept_64(sk_mask_64 kept)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)&sk_set_halves[kept]));
}

/* ---- registers ---- */

#define SK_LOAD_ROW(from) _mm256_loadu_si256((const void *)(from))
#define SK_STORE_ROW(to, x) _mm256_storeu_si256((void *)(to), x)
#define SK_ALL_LANES(bits) ((1u << 256 / (bits)) - 1)

/* The first lanes, as many as bits are set. gcc does not see that all of them are a load like any other. */
SK_INLINE sk_row sk_load_some_32(sk_mask_32 some, const void *from)
{
    if (__builtin_constant_p(some) && some == SK_ALL_LANES(32))
        return SK_LOAD_ROW(from);
    const sk_row order = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm256_maskload_epi32(from, _mm256_cmpgt_epi32(_mm256_set1_epi32(__builtin_popcount(some)), order));
}

SK_INLINE sk_row sk_load_some_64(sk_mask_64 some, const void *from)
{
    if (__builtin_constant_p(some) && some == SK_ALL_LANES(64))
        return SK_LOAD_ROW(from);
    const sk_row order = _mm256_set_epi64x(3, 2, 1, 0);
    return _mm256_maskload_epi64(from, _mm256_cmpgt_epi64(_mm256_set1_epi64x(__builtin_popcount(some)), order));
}

#define SK_SIGNS_32(x) ((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x)))
#define SK_SIGNS_64(x) ((unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x)))

#define SK_LOAD_SOME(bits, some, from) sk_load_some_##bits(some, (const void *)(from))
#define SK_COMPRESS(bits, kept, x) _mm256_permutevar8x32_epi32(x, sk_kept_##bits(kept))
#define SK_IS_ZERO(x) (_mm256_testz_si256(x, x) != 0)
#define SK_DIFFERENT(bits, x, y) (SK_SIGNS_##bits(_mm256_cmpeq_epi##bits(x, y)) ^ SK_ALL_LANES(bits))

#else
#define SK_HAS_ROWS 0
#endif

#endif
