/* lane_loads.h - as many elements as a register has of their sums, as the type of these. gcc 12 converts halves of a
 * register. */
#ifndef SK_LANE_LOADS_H
#define SK_LANE_LOADS_H

#include "lane_scan.h"

typedef uint16_t lanes_u16 __attribute__((vector_size(REGISTER)));

#define LOAD(T)                                            \
    SK_INLINE lanes_##T load_##T##_##T(const void *from)   \
    {                                                      \
        return (lanes_##T) * (const unaligned_bits *)from; \
    }
LOAD(u32)
LOAD(u64)
LOAD(f32)
LOAD(f64)

#if defined(__AVX512F__)
#define LOAD_HALF(from) _mm256_loadu_si256((const void *)(from))
#define LOAD_QUARTER(from) _mm_loadu_si128((const void *)(from))
#define HALVES_OF_BYTES _mm512_cvtepu8_epi16
#define WORDS_OF_BYTES _mm512_cvtepu8_epi32
#define WORDS_OF_HALVES _mm512_cvtepu16_epi32
#define DOUBLES_OF_FLOATS(x) _mm512_cvtps_pd((__m256)(x))
#define FLOATS_OF_WORDS(x) _mm512_cvtepi32_ps((__m512i)(x))
#elif defined(__AVX2__)
#define LOAD_HALF(from) _mm_loadu_si128((const void *)(from))
#define LOAD_QUARTER(from) _mm_loadl_epi64((const void *)(from))
#define HALVES_OF_BYTES _mm256_cvtepu8_epi16
#define WORDS_OF_BYTES _mm256_cvtepu8_epi32
#define WORDS_OF_HALVES _mm256_cvtepu16_epi32
#define DOUBLES_OF_FLOATS(x) _mm256_cvtps_pd((__m128)(x))
#define FLOATS_OF_WORDS(x) _mm256_cvtepi32_ps((__m256i)(x))
#endif

#if defined(__AVX2__)
SK_INLINE lanes_u16 load_u8_u16(const void *from)
{
    return (lanes_u16)HALVES_OF_BYTES(LOAD_HALF(from));
}

SK_INLINE lanes_u32 load_u8_u32(const void *from)
{
    return (lanes_u32)WORDS_OF_BYTES(LOAD_QUARTER(from));
}

SK_INLINE lanes_u32 load_u16_u32(const void *from)
{
    return (lanes_u32)WORDS_OF_HALVES(LOAD_HALF(from));
}

SK_INLINE lanes_f64 load_f32_f64(const void *from)
{
    return (lanes_f64)DOUBLES_OF_FLOATS(LOAD_HALF(from));
}

SK_INLINE lanes_f32 load_u8_f32(const void *from)
{
    return (lanes_f32)FLOATS_OF_WORDS(load_u8_u32(from));
}
#else
#define LOAD_ONE_BY_ONE(T, S, bits)                          \
    SK_INLINE lanes_##S load_##T##_##S(const void *from)     \
    {                                                        \
        sk_##T x[LANES_##bits];                              \
        lanes_##S lanes = {0};                               \
        memcpy(x, from, sizeof x);                           \
        for (unsigned lane = 0; lane < LANES_##bits; lane++) \
            lanes[lane] = (sk_##S)x[lane];                   \
        return lanes;                                        \
    }
LOAD_ONE_BY_ONE(u8, u32, 32)
LOAD_ONE_BY_ONE(u16, u32, 32)
LOAD_ONE_BY_ONE(u8, f32, 32)
#endif

#endif
