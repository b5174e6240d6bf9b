/* rows.h - registers whose lanes of 32 or 64 bits are kept by a mask, with AVX-512 and AVX2. AVX2 has no such masks: a
 * mask is a number, and a table says which lanes it keeps. */
#ifndef SK_ROWS_H
#define SK_ROWS_H

#include "lanes.h"

#if defined(__AVX2__)
/* For each mask of eight bits the numbers of those that are set, from the lowest on, a byte each; then of the others. */
#define SK_SET(mask, bit) ((mask) >> (bit)&1u)
#define SK_BIT(mask, bit, above) ((above) << (8 * SK_SET(mask, bit)) | (uint64_t)(bit)*SK_SET(mask, bit))
#define SK_BITS_2(mask, bit, above) SK_BIT(mask, bit, SK_BIT(mask, (bit) + 1, above))
#define SK_BITS_4(mask, bit, above) SK_BITS_2(mask, bit, SK_BITS_2(mask, (bit) + 2, above))
#define SK_BITS(mask) SK_BITS_4(mask, 0, SK_BITS_4(mask, 4, UINT64_C(0)))
#define SK_ALL_BITS(mask) SK_BITS_4(mask, 0, SK_BITS_4(mask, 4, SK_BITS(~(mask)&255u)))
#define SK_BITS_OF_4(mask) SK_ALL_BITS(mask), SK_ALL_BITS((mask) + 1), SK_ALL_BITS((mask) + 2), SK_ALL_BITS((mask) + 3)
#define SK_BITS_OF_16(mask) \
    SK_BITS_OF_4(mask), SK_BITS_OF_4((mask) + 4), SK_BITS_OF_4((mask) + 8), SK_BITS_OF_4((mask) + 12)
#define SK_BITS_OF_64(mask) \
    SK_BITS_OF_16(mask), SK_BITS_OF_16((mask) + 16), SK_BITS_OF_16((mask) + 32), SK_BITS_OF_16((mask) + 48)
static const uint64_t sk_set_bits[256] = {SK_BITS_OF_64(0u), SK_BITS_OF_64(64u), SK_BITS_OF_64(128u),
                                          SK_BITS_OF_64(192u)};
#endif

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

/* ---- compression ---- */

/* The same for lanes of 32 bits, and for each mask of four bits the halves of lanes of 64 bits. One thread of a Zen 1
 * widens bytes to them in 2 cycles a register, and splits u32 by one bit at 0.76 billion a second so, and at 0.81 by
 * these tables. */
#define SK_LANE(mask, lane) (uint32_t)(SK_BITS(mask) >> 8 * (lane)&255)
#define SK_LANES(mask)                                                                                              \
    {                                                                                                               \
        SK_LANE(mask, 0), SK_LANE(mask, 1), SK_LANE(mask, 2), SK_LANE(mask, 3), SK_LANE(mask, 4), SK_LANE(mask, 5), \
            SK_LANE(mask, 6), SK_LANE(mask, 7)                                                                      \
    }
#define SK_LANES_OF_4(mask) SK_LANES(mask), SK_LANES((mask) + 1), SK_LANES((mask) + 2), SK_LANES((mask) + 3)
#define SK_LANES_OF_16(mask) \
    SK_LANES_OF_4(mask), SK_LANES_OF_4((mask) + 4), SK_LANES_OF_4((mask) + 8), SK_LANES_OF_4((mask) + 12)
#define SK_LANES_OF_64(mask) \
    SK_LANES_OF_16(mask), SK_LANES_OF_16((mask) + 16), SK_LANES_OF_16((mask) + 32), SK_LANES_OF_16((mask) + 48)
_Alignas(32) static const uint32_t sk_set_lanes[256][8] = {SK_LANES_OF_64(0u), SK_LANES_OF_64(64u),
                                                           SK_LANES_OF_64(128u), SK_LANES_OF_64(192u)};

#define SK_LANE_HALVES(mask, lane) 2 * SK_LANE(mask, lane), 2 * SK_LANE(mask, lane) + 1
#define SK_HALVES(mask)                                                                                    \
    {                                                                                                      \
        SK_LANE_HALVES(mask, 0), SK_LANE_HALVES(mask, 1), SK_LANE_HALVES(mask, 2), SK_LANE_HALVES(mask, 3) \
    }
#define SK_HALVES_OF_4(mask) SK_HALVES(mask), SK_HALVES((mask) + 1), SK_HALVES((mask) + 2), SK_HALVES((mask) + 3)
_Alignas(32) static const uint32_t sk_set_halves[16][8] = {SK_HALVES_OF_4(0u), SK_HALVES_OF_4(4u), SK_HALVES_OF_4(8u),
                                                           SK_HALVES_OF_4(12u)};

#define SK_KEPT_32(kept) _mm256_load_si256((const void *)sk_set_lanes[kept])
#define SK_KEPT_64(kept) _mm256_load_si256((const void *)sk_set_halves[kept])

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
#define SK_COMPRESS(bits, kept, x) _mm256_permutevar8x32_epi32(x, SK_KEPT_##bits(kept))
#define SK_IS_ZERO(x) (_mm256_testz_si256(x, x) != 0)
#define SK_DIFFERENT(bits, x, y) (SK_SIGNS_##bits(_mm256_cmpeq_epi##bits(x, y)) ^ SK_ALL_LANES(bits))

#else
#define SK_HAS_ROWS 0
#endif

#endif
