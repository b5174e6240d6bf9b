/* box_scans.h - passes with AVX-512, in which one permutation shifts a register: it scans the differences. */
#ifndef SK_BOX_SCANS_H
#define SK_BOX_SCANS_H

#include "box_pass.h"

#define ROWS_OF_BYTES 1    /* of a pass */
#define LEAST_OF_BYTES 256 /* of the columns of a window: what leaves it has left the store buffer */
#define LEAST_OF_FLOATS 256

/* Sums of columns of u16 move by two rows of u8. */
SK_INLINE lanes_u16 moved_u16(const sk_box_row *row, size_t at)
{
    const lanes_u16 above = (lanes_u16) * (const unaligned_bits *)(row->above + 2 * at);
    const lanes_u16 sums = above + load_u8_u16(row->next + at) - load_u8_u16(row->last + at);
    *(unaligned_bits *)(row->columns + 2 * at) = (unaligned_bits)sums;
    return sums;
}

/* The lowest byte of each lane of two registers by turns. */
SK_INLINE void store_pairs(char *to, bits_32 even, bits_32 odd)
{
    const __mmask64 seconds = 0x2222222222222222;
    const __m512i pairs = _mm512_mask_mov_epi8((__m512i)even, seconds, (__m512i)(odd << 8));
    _mm256_storeu_si256((void *)to, _mm512_cvtepi32_epi16(pairs));
}

/* x * y + z, rounded once: nearer to the mean than a rounded product, so that it rounds to the same integer. */
SK_INLINE lanes_f32 product_and_sum(lanes_f32 x, float y, float z)
{
    return (lanes_f32)_mm512_fmadd_ps((__m512)x, _mm512_set1_ps(y), _mm512_set1_ps(z));
}

/* The mean of sums less the middle of their range, in the lowest byte. */
SK_INLINE bits_32 mean_bits(lanes_u32 sums, float inverse)
{
    return (bits_32)product_and_sum((lanes_f32)FLOATS_OF_WORDS(sums), inverse, SK_NO_FRACTION);
}

/* Registers are in three stages at a time: each waits for results of the stage before, and a machine holds too few
 * instructions that wait. */
PASS(u8_1)
{
    enum { STEP = REGISTER / 2 };
    const float inverse = by->narrow_inverse;
    const uint32_t middle = (uint32_t)by->middle;
    pair_sums scan, parts;
    const sk_box_row row = *rows;
    lanes_u32 before;
    memcpy(&before, row.carry, REGISTER);
    before -= middle;
#define DIFFERENCES(i) \
    pair_differences((bits_32)moved_u16(&row, i), (bits_32) * (const unaligned_bits *)(row.leave + 2 * (i)))
#define MEANS(i)                                                                                   \
    {                                                                                              \
        const pair_sums sums = sums_behind(scan, &before);                                         \
        store_pairs(row.means + (i), mean_bits(sums.even, inverse), mean_bits(sums.odd, inverse)); \
    }
    ask_and_write(&row, 0, ahead);
    scan = scan_of_pairs(DIFFERENCES(0));
    parts = DIFFERENCES((size_t)STEP);
    for (size_t i = 2 * STEP; i < n; i += STEP) {
        ask_and_write(&row, i, ahead);
        MEANS(i - 2 * STEP)
        scan = scan_of_pairs(parts);
        parts = DIFFERENCES(i);
    }
    MEANS(n - 2 * STEP)
    scan = scan_of_pairs(parts);
    MEANS(n - STEP)
    before += middle;
    memcpy(row.carry, &before, REGISTER);
}

#define WORDS_OF_LOW_HALF(x) WORDS_OF_HALVES(_mm512_castsi512_si256((__m512i)(x)))
#define WORDS_OF_HIGH_HALF(x) WORDS_OF_HALVES(_mm512_extracti64x4_epi64((__m512i)(x), 1))

/* The lowest byte of each lane of two registers. */
SK_INLINE void store_bytes(char *to, bits_32 low, bits_32 high)
{
    _mm_storeu_si128((void *)to, _mm512_cvtepi32_epi8((__m512i)low));
    _mm_storeu_si128((void *)(to + LANES_32), _mm512_cvtepi32_epi8((__m512i)high));
}

#define PASS_OF_BYTES(channels)                                                                                \
    PASS(u8_##channels)                                                                                        \
    {                                                                                                          \
        const float inverse = by->narrow_inverse;                                                              \
        const uint32_t middle = (uint32_t)by->middle;                                                          \
        const sk_box_row row = *rows;                                                                          \
        lanes_u32 before;                                                                                      \
        memcpy(&before, row.carry, REGISTER);                                                                  \
        before -= middle;                                                                                      \
        for (size_t i = 0; i < n; i += REGISTER / 2) {                                                         \
            ask_and_write(&row, i, ahead);                                                                     \
            const lanes_u16 enter = moved_u16(&row, i);                                                        \
            lanes_u32 x = (lanes_u32)WORDS_OF_LOW_HALF(enter) - load_u16_u32(row.leave + 2 * i);               \
            lanes_u32 y = (lanes_u32)WORDS_OF_HIGH_HALF(enter) - load_u16_u32(row.leave + 2 * (i + LANES_32)); \
            STEPS(u32, 32, x, channels)                                                                        \
            STEPS(u32, 32, y, channels)                                                                        \
            const lanes_u32 low = x + before;                                                                  \
            before = NEXT(u32, 32, x, low, channels);                                                          \
            const lanes_u32 high = y + before;                                                                 \
            before = NEXT(u32, 32, y, high, channels);                                                         \
            store_bytes(row.means + i, mean_bits(low, inverse), mean_bits(high, inverse));                     \
        }                                                                                                      \
        before += middle;                                                                                      \
        memcpy(row.carry, &before, REGISTER);                                                                  \
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
    const sk_box_row row = *rows;
    lanes_f64 before;
    memcpy(&before, row.carry, REGISTER);
    for (size_t i = 0; i < n; i += 2 * LANES_64) {
        const size_t at = i * sizeof(float), second = at + LANES_64 * sizeof(float);
        ask_and_write(&row, at, ahead);
        const lanes_f64 x = difference_of(moved_f64(&row, at), load_f64_f64(row.leave + 2 * at));
        const lanes_f64 y = difference_of(moved_f64(&row, second), load_f64_f64(row.leave + 2 * second));
        const lanes_f64 odd = SECONDS_OF(x, y, 1);
        lanes_f64 scan = sum_of(SECONDS_OF(x, y, 0), odd);
        STEPS(f64, 64, scan, 1)
        const lanes_f64 odd_sums = sum_of(scan, before);
        before += CARRY(f64, 64, scan, 1);
        store_float_pairs(row.means + at, difference_of(odd_sums, odd) * inverse, odd_sums * inverse);
    }
    memcpy(row.carry, &before, REGISTER);
}

PASS_OF_FLOATS(3)

#endif
