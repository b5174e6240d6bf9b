/* box_pass.h - all steps of a box filter in one: a register of sums of columns follows the window down, enters windows
 * along the row, and their sums become means. So the machine waits for rows of the image while it computes. Here are
 * passes that are the same with AVX2 and AVX-512. */
#ifndef SK_BOX_PASS_H
#define SK_BOX_PASS_H

#include "box_pairs.h"

#if defined(__AVX512F__)
SK_INLINE void store_floats(void *to, lanes_f64 x)
{
    _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)x));
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

/* A Zen 4 adds by two units, and multiplies and adds by two others. This sum takes the others. */
SK_INLINE lanes_f64 sum_of(lanes_f64 x, lanes_f64 y)
{
    return (lanes_f64)_mm512_fmadd_pd((__m512d)x, _mm512_set1_pd(1), (__m512d)y);
}
#else
SK_INLINE void store_floats(void *to, lanes_f64 x)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)x));
}

SK_INLINE void store_pairs(char *to, bits_32 even, bits_32 odd)
{
    const __m256i pairs = (__m256i)((even & 0xff) | (odd & 0xff) << 8);
    _mm_storeu_si128((void *)to, _mm_packus_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1)));
}

SK_INLINE lanes_f32 product_and_sum(lanes_f32 x, float y, float z)
{
    return x * y + z;
}

SK_INLINE lanes_f64 sum_of(lanes_f64 x, lanes_f64 y)
{
    return x + y;
}
#endif

/* Sums of columns of u16 at `columns` move by two rows of u8. */
SK_INLINE lanes_u16 moved_u16(const char *next, const char *last, char *columns)
{
    const lanes_u16 sums = (lanes_u16) * (const unaligned_bits *)columns + load_u8_u16(next) - load_u8_u16(last);
    *(unaligned_bits *)columns = (unaligned_bits)sums;
    return sums;
}

SK_INLINE lanes_f64 moved_f64(const char *next, const char *last, char *columns)
{
    const lanes_f64 sums = sum_of(load_f64_f64(columns), load_f32_f64(next) - load_f32_f64(last));
    *(unaligned_bits *)columns = (unaligned_bits)sums;
    return sums;
}

/* The mean of sums less the middle of their range, in the lowest byte. */
SK_INLINE bits_32 mean_bits(lanes_u32 sums, float inverse)
{
    return (bits_32)product_and_sum((lanes_f32)FLOATS_OF_WORDS(sums), inverse, SK_NO_FRACTION);
}

#define PASS(name)                                                                                              \
    static void pass_##name(const char *next, const char *last, size_t pitch, char *columns, const char *leave, \
                            void *carry, const sk_box_divisor *by, const sk_lines *due, char *means, size_t n)

/* What is due goes out line by line: stores around the caches are slow, and wait for each other when many come at
 * once. */
#define ASK_AND_WRITE(at)                                       \
    if ((at) % 64 == 0) {                                       \
        sk_will_read_row(next + (at), pitch);                   \
        sk_will_read_row(last + (at), pitch);                   \
        if ((at) < lines.bytes)                                 \
            sk_stream_line(lines.to + (at), lines.from + (at)); \
    }

/* Registers are in three stages at a time: each waits for results of the stage before, and a machine holds too few
 * instructions that wait. */
PASS(u8_1)
{
    enum { STEP = REGISTER / 2 };
    const float inverse = by->narrow_inverse;
    const uint32_t middle = (uint32_t)by->middle;
    pair_sums scan, parts;
    const sk_lines lines = *due;
    lanes_u32 before;
    memcpy(&before, carry, REGISTER);
    before -= middle;
#define DIFFERENCES(i)                                                              \
    pair_differences((bits_32)moved_u16(next + (i), last + (i), columns + 2 * (i)), \
                     (bits_32) * (const unaligned_bits *)(leave + 2 * (i)))
#define MEANS(i)                                                                               \
    {                                                                                          \
        const pair_sums sums = sums_behind(scan, &before);                                     \
        store_pairs(means + (i), mean_bits(sums.even, inverse), mean_bits(sums.odd, inverse)); \
    }
    ASK_AND_WRITE((size_t)0)
    scan = scan_of_pairs(DIFFERENCES(0));
    parts = DIFFERENCES((size_t)STEP);
    for (size_t i = 2 * STEP; i < n; i += STEP) {
        ASK_AND_WRITE(i)
        MEANS(i - 2 * STEP)
        scan = scan_of_pairs(parts);
        parts = DIFFERENCES(i);
    }
    MEANS(n - 2 * STEP)
    scan = scan_of_pairs(parts);
    MEANS(n - STEP)
    before += middle;
    memcpy(carry, &before, REGISTER);
}

#define PASS_OF_FLOATS(channels)                                                                            \
    PASS(f32_##channels)                                                                                    \
    {                                                                                                       \
        const double inverse = 1 / by->area;                                                                \
        const sk_lines lines = *due;                                                                        \
        lanes_f64 before;                                                                                   \
        memcpy(&before, carry, REGISTER);                                                                   \
        for (size_t i = 0; i < n; i += LANES_64) {                                                          \
            const size_t at = i * sizeof(float);                                                            \
            ASK_AND_WRITE(at)                                                                               \
            lanes_f64 x = moved_f64(next + at, last + at, columns + 2 * at) - load_f64_f64(leave + 2 * at); \
            STEPS(f64, 64, x, channels)                                                                     \
            const lanes_f64 sum = x + before;                                                               \
            before = NEXT(f64, 64, x, sum, channels);                                                       \
            store_floats(means + at, sum * inverse);                                                        \
        }                                                                                                   \
        memcpy(carry, &before, REGISTER);                                                                   \
    }
PASS_OF_FLOATS(2)
PASS_OF_FLOATS(4)

#endif
