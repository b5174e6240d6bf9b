/* box_scans.h - passes with AVX-512, in which one permutation shifts a register: it scans the differences. */
#ifndef SK_BOX_SCANS_H
#define SK_BOX_SCANS_H

#include "box_pass.h"

#define WORDS_OF_LOW_HALF(x) WORDS_OF_HALVES(_mm512_castsi512_si256((__m512i)(x)))
#define WORDS_OF_HIGH_HALF(x) WORDS_OF_HALVES(_mm512_extracti64x4_epi64((__m512i)(x), 1))

/* The lowest byte of each lane of two registers. */
SK_INLINE void store_bytes(char *to, bits_32 low, bits_32 high)
{
    _mm_storeu_si128((void *)to, _mm512_cvtepi32_epi8((__m512i)low));
    _mm_storeu_si128((void *)(to + LANES_32), _mm512_cvtepi32_epi8((__m512i)high));
}

#define PASS_OF_BYTES(channels)                                                                            \
    PASS(u8_##channels)                                                                                    \
    {                                                                                                      \
        const float inverse = by->narrow_inverse;                                                          \
        const uint32_t middle = (uint32_t)by->middle;                                                      \
        const sk_lines lines = *due;                                                                       \
        lanes_u32 before;                                                                                  \
        memcpy(&before, carry, REGISTER);                                                                  \
        before -= middle;                                                                                  \
        for (size_t i = 0; i < n; i += REGISTER / 2) {                                                     \
            ASK_AND_WRITE(i)                                                                               \
            const lanes_u16 enter = moved_u16(next + i, last + i, columns + 2 * i);                        \
            lanes_u32 x = (lanes_u32)WORDS_OF_LOW_HALF(enter) - load_u16_u32(leave + 2 * i);               \
            lanes_u32 y = (lanes_u32)WORDS_OF_HIGH_HALF(enter) - load_u16_u32(leave + 2 * (i + LANES_32)); \
            STEPS(u32, 32, x, channels)                                                                    \
            STEPS(u32, 32, y, channels)                                                                    \
            const lanes_u32 low = x + before;                                                              \
            before = NEXT(u32, 32, x, low, channels);                                                      \
            const lanes_u32 high = y + before;                                                             \
            before = NEXT(u32, 32, y, high, channels);                                                     \
            store_bytes(means + i, mean_bits(low, inverse), mean_bits(high, inverse));                     \
        }                                                                                                  \
        before += middle;                                                                                  \
        memcpy(carry, &before, REGISTER);                                                                  \
    }
PASS_OF_BYTES(2)
PASS_OF_BYTES(3)
PASS_OF_BYTES(4)

/* The lanes of two registers by turns. */
SK_INLINE void store_float_pairs(char *to, lanes_f64 even, lanes_f64 odd)
{
    const __m512i turns = (__m512i)(bits_32){SK_TURNS_16(0, 16)};
    const __m512 x = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)even)),
                 y = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)odd));
    _mm512_storeu_ps(to, _mm512_permutex2var_ps(x, turns, y));
}

SK_INLINE lanes_f64 difference_of(lanes_f64 x, lanes_f64 y)
{
    return (lanes_f64)_mm512_fnmadd_pd((__m512d)y, _mm512_set1_pd(1), (__m512d)x);
}

/* Every second lane of two registers. */
#define SECONDS_4(first) (first), (first) + 2, (first) + 4, (first) + 6
#define SECONDS_8(first) SECONDS_4(first), SECONDS_4((first) + 8)
#define SECONDS_OF(x, y, first) \
    (lanes_f64) SK_SHUFFLE(bits_64, (bits_64)x, (bits_64)y, SK_PASTE(SECONDS_, LANES_64)(first))

/* Sums of pairs are scanned, as there are half as many. The second of each pair leads back to the first. */
PASS(f32_1)
{
    const double inverse = 1 / by->area;
    const sk_lines lines = *due;
    lanes_f64 before;
    memcpy(&before, carry, REGISTER);
    for (size_t i = 0; i < n; i += 2 * LANES_64) {
        const size_t at = i * sizeof(float), second = at + LANES_64 * sizeof(float);
        ASK_AND_WRITE(at)
        const lanes_f64 x =
            difference_of(moved_f64(next + at, last + at, columns + 2 * at), load_f64_f64(leave + 2 * at));
        const lanes_f64 y = difference_of(moved_f64(next + second, last + second, columns + 2 * second),
                                          load_f64_f64(leave + 2 * second));
        const lanes_f64 odd = SECONDS_OF(x, y, 1);
        lanes_f64 scan = sum_of(SECONDS_OF(x, y, 0), odd);
        STEPS(f64, 64, scan, 1)
        const lanes_f64 odd_sums = sum_of(scan, before);
        before += CARRY(f64, 64, scan, 1);
        store_float_pairs(means + at, difference_of(odd_sums, odd) * inverse, odd_sums * inverse);
    }
    memcpy(carry, &before, REGISTER);
}

PASS_OF_FLOATS(3)

#endif
