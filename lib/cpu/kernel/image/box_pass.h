/* box_pass.h - all steps of a box filter in one: a register of sums of columns follows the window down, enters windows
 * along the row, and their sums become means. So the machine waits for rows of the image while it computes. */
#ifndef SK_BOX_PASS_H
#define SK_BOX_PASS_H

#include "box_pairs.h"

#if defined(__AVX512F__)
#define WORDS_OF_LOW_HALF(x) WORDS_OF_HALVES(_mm512_castsi512_si256((__m512i)(x)))
#define WORDS_OF_HIGH_HALF(x) WORDS_OF_HALVES(_mm512_extracti64x4_epi64((__m512i)(x), 1))

SK_INLINE void store_floats(void *to, lanes_f64 x)
{
    _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)x));
}

/* The lowest byte of each lane of two registers. */
SK_INLINE void store_bytes(char *to, bits_32 low, bits_32 high)
{
    _mm_storeu_si128((void *)to, _mm512_cvtepi32_epi8((__m512i)low));
    _mm_storeu_si128((void *)(to + LANES_32), _mm512_cvtepi32_epi8((__m512i)high));
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

/* A Zen 4 adds by two units, and multiplies and adds by two others. These sums take the others. */
SK_INLINE lanes_f64 sum_of(lanes_f64 x, lanes_f64 y)
{
    return (lanes_f64)_mm512_fmadd_pd((__m512d)x, _mm512_set1_pd(1), (__m512d)y);
}

SK_INLINE lanes_f64 difference_of(lanes_f64 x, lanes_f64 y)
{
    return (lanes_f64)_mm512_fnmadd_pd((__m512d)y, _mm512_set1_pd(1), (__m512d)x);
}

/* The lanes of two registers by turns. */
SK_INLINE void store_float_pairs(char *to, lanes_f64 even, lanes_f64 odd)
{
    const __m512i turns = (__m512i)(bits_32){SK_TURNS_16(0, 16)};
    const __m512 x = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)even)),
                 y = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)odd));
    _mm512_storeu_ps(to, _mm512_permutex2var_ps(x, turns, y));
}
#else
#define WORDS_OF_LOW_HALF(x) WORDS_OF_HALVES(_mm256_castsi256_si128((__m256i)(x)))
#define WORDS_OF_HIGH_HALF(x) WORDS_OF_HALVES(_mm256_extracti128_si256((__m256i)(x), 1))

SK_INLINE void store_floats(void *to, lanes_f64 x)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)x));
}

SK_INLINE void store_bytes(char *to, bits_32 low, bits_32 high)
{
    const __m256i halves = _mm256_packus_epi32((__m256i)(low & 0xff), (__m256i)(high & 0xff));
    const __m256i in_order = _mm256_permute4x64_epi64(halves, 0xd8);
    _mm_storeu_si128((void *)to,
                     _mm_packus_epi16(_mm256_castsi256_si128(in_order), _mm256_extracti128_si256(in_order, 1)));
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

SK_INLINE lanes_f64 difference_of(lanes_f64 x, lanes_f64 y)
{
    return x - y;
}

SK_INLINE void store_float_pairs(char *to, lanes_f64 even, lanes_f64 odd)
{
    const __m128 x = _mm256_cvtpd_ps((__m256d)even), y = _mm256_cvtpd_ps((__m256d)odd);
    _mm_storeu_ps((float *)(void *)to, _mm_unpacklo_ps(x, y));
    _mm_storeu_ps((float *)(void *)to + LANES_64, _mm_unpackhi_ps(x, y));
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

/* Every second lane of two registers. */
#define SECONDS_4(first) (first), (first) + 2, (first) + 4, (first) + 6
#define SECONDS_8(first) SECONDS_4(first), SECONDS_4((first) + 8)
#define SECONDS_OF(x, y, first) \
    (lanes_f64) SK_SHUFFLE(bits_64, (bits_64)x, (bits_64)y, SK_PASTE(SECONDS_, LANES_64)(first))

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
PASS_OF_FLOATS(3)
PASS_OF_FLOATS(4)

static sk_box_pass_function *pass_of(scankit_type pixels, scankit_type columns, unsigned channels, scankit_type results)
{
    static sk_box_pass_function *const bytes[] = {pass_u8_1, pass_u8_2, pass_u8_3, pass_u8_4}, *const floats[] = {
                                                                                                   pass_f32_1,
                                                                                                   pass_f32_2,
                                                                                                   pass_f32_3,
                                                                                                   pass_f32_4};
    if (pixels == SCANKIT_U8 && columns == SCANKIT_U16 && results == SCANKIT_U8)
        return bytes[channels - 1];
    return pixels == SCANKIT_F32 && results == SCANKIT_F32 ? floats[channels - 1] : NULL;
}

#endif
