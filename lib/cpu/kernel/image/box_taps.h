/* box_taps.h - passes with AVX2, in which two instructions shift a register across its halves, and a permutation that
 * carries a sum on takes long. So nothing is shifted but what came before: the sum of an element's window is that of
 * the window some pixels before it, and the differences of the pixels since. These are summed in log2 steps, each of
 * which adds the sums that lie twice as far before. */
#ifndef SK_BOX_TAPS_H
#define SK_BOX_TAPS_H

#include "box_pass.h"

/* ---- bytes: the quarters of 16 differences, the first and third, and the second and fourth ---- */

typedef struct quarters {
    __m256i even, odd;
} quarters;

SK_INLINE quarters sums_of_quarters(quarters x, quarters y)
{
    return (quarters){_mm256_add_epi32(x.even, y.even), _mm256_add_epi32(x.odd, y.odd)};
}

/* An instruction multiplies and sums pairs of signed numbers: the difference of two that are both less by 2^15. */
SK_INLINE quarters differences_of(const char *next, const char *last, char *columns, const char *leave)
{
    const __m256i sign = _mm256_set1_epi16(-0x8000), weights = _mm256_set1_epi32(-0xffff); /* 1 and -1 */
    const __m256i x = _mm256_xor_si256((__m256i)moved_u16(next, last, columns), sign),
                  y = _mm256_xor_si256(_mm256_loadu_si256((const void *)leave), sign);
    return (quarters){_mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), weights),
                      _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), weights)};
}

SK_INLINE void store_means(char *to, quarters sums, float inverse)
{
    const bits_32 even = mean_bits((lanes_u32)sums.even, inverse), odd = mean_bits((lanes_u32)sums.odd, inverse);
    const __m256i halves = _mm256_packus_epi32((__m256i)(even & 0xff), (__m256i)(odd & 0xff));
    _mm_storeu_si128((void *)to, _mm_packus_epi16(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
}

/* The upper half of a register, and the lower half of the next. */
SK_INLINE __m256i across(__m256i before, __m256i x)
{
    return _mm256_permute2x128_si256(before, x, 0x21);
}

/* What lies that number of elements before x: in it, and in the quarters before it. */
SK_INLINE quarters three_before(quarters before, quarters x)
{
    return (quarters){_mm256_alignr_epi8(x.even, across(before.odd, x.odd), 4), _mm256_alignr_epi8(x.odd, x.even, 4)};
}

SK_INLINE quarters six_before(quarters before, quarters x)
{
    const __m256i even = across(before.even, x.even), odd = across(before.odd, x.odd);
    return (quarters){_mm256_alignr_epi8(odd, even, 8), _mm256_alignr_epi8(x.even, odd, 8)};
}

SK_INLINE quarters twelve_before(quarters before, quarters x)
{
    return (quarters){before.odd, across(before.even, x.even)};
}

/* Its lower half as the upper one, above 0; and its halves, exchanged. */
SK_INLINE __m256i lower_as_upper(__m256i x)
{
    return _mm256_permute2x128_si256(x, x, 0x08);
}

SK_INLINE __m256i halves_exchanged(__m256i x)
{
    return _mm256_permute2x128_si256(x, x, 0x01);
}

/* Of the 16 elements before: differences, sums of two and of four pixels, and of windows. Sums of those before them. */
typedef struct three_taps {
    quarters one, two, four, sums, before;
} three_taps;

SK_INLINE void add_taps(three_taps *taps, quarters one)
{
    const quarters two = sums_of_quarters(one, three_before(taps->one, one)),
                   four = sums_of_quarters(two, six_before(taps->two, two)),
                   eight = sums_of_quarters(four, twelve_before(taps->four, four));
    const quarters then = {across(taps->before.even, taps->sums.even), across(taps->before.odd, taps->sums.odd)};
    taps->before = taps->sums;
    taps->sums = sums_of_quarters(eight, then);
    taps->one = one;
    taps->two = two;
    taps->four = four;
}

/* The same sums in each pixel, where the first lane has that channel. */
SK_INLINE quarters quarters_of_sums(const uint32_t *sums, uint32_t less, unsigned channel)
{
    uint32_t lanes[2][LANES_32];
    quarters all;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i < LANES_32; i++)
            lanes[half][i] = sums[(channel + 4 * half + i + i / 4 * 4) % 3] - less;
    memcpy(&all.even, lanes[0], REGISTER);
    memcpy(&all.odd, lanes[1], REGISTER);
    return all;
}

/* Registers are in three stages at a time, as in pass_u8_1(). */
PASS(u8_3)
{
    enum { STEP = REGISTER / 2 };
    const float inverse = by->narrow_inverse;
    const uint32_t middle = (uint32_t)by->middle;
    const sk_lines lines = *due;
    three_taps taps = {.sums = quarters_of_sums(carry, middle, 2), .before = quarters_of_sums(carry, middle, 1)};
    uint32_t *kept = carry, end[LANES_32];
#define DIFFERENCES_AT(i) differences_of(next + (i), last + (i), columns + 2 * (i), leave + 2 * (i))
    ASK_AND_WRITE((size_t)0)
    add_taps(&taps, DIFFERENCES_AT(0));
    quarters differences = DIFFERENCES_AT((size_t)STEP);
    for (size_t i = 2 * STEP; i < n; i += STEP) {
        ASK_AND_WRITE(i)
        store_means(means + i - 2 * STEP, taps.sums, inverse);
        add_taps(&taps, differences);
        differences = DIFFERENCES_AT(i);
    }
    store_means(means + n - 2 * STEP, taps.sums, inverse);
    add_taps(&taps, differences);
    store_means(means + n - STEP, taps.sums, inverse);
    memcpy(end, &taps.sums.odd, sizeof end);
    for (unsigned i = 0; i < LANES_32; i++)
        kept[i] = end[LANES_32 - 3 + i % 3] + middle;
}

/* Two and four channels: quarters have whole pixels, so these passes need no taps. */
SK_INLINE quarters sums_of_four(quarters x, lanes_u32 *before)
{
    const __m256i odd = _mm256_add_epi32(x.even, x.odd), then = _mm256_add_epi32((__m256i)*before, lower_as_upper(odd));
    *before += (lanes_u32)_mm256_add_epi32(odd, halves_exchanged(odd));
    return (quarters){_mm256_add_epi32(x.even, then), _mm256_add_epi32(odd, then)};
}

SK_INLINE quarters sums_of_two(quarters x, lanes_u32 *before)
{
    const __m256i even = _mm256_add_epi32(x.even, _mm256_slli_si256(x.even, 8)),
                  odd = _mm256_add_epi32(x.odd, _mm256_slli_si256(x.odd, 8));
    const __m256i last = _mm256_shuffle_epi32(even, 0xee),
                  all = _mm256_add_epi32(last, _mm256_shuffle_epi32(odd, 0xee));
    const __m256i then = _mm256_add_epi32((__m256i)*before, lower_as_upper(all));
    *before += (lanes_u32)_mm256_add_epi32(all, halves_exchanged(all));
    return (quarters){_mm256_add_epi32(even, then), _mm256_add_epi32(_mm256_add_epi32(odd, last), then)};
}

#define PASS_OF_QUARTERS(channels, sums_of)                                       \
    PASS(u8_##channels)                                                           \
    {                                                                             \
        const float inverse = by->narrow_inverse;                                 \
        const uint32_t middle = (uint32_t)by->middle;                             \
        const sk_lines lines = *due;                                              \
        lanes_u32 before;                                                         \
        memcpy(&before, carry, REGISTER);                                         \
        before -= middle;                                                         \
        for (size_t i = 0; i < n; i += REGISTER / 2) {                            \
            ASK_AND_WRITE(i)                                                      \
            store_means(means + i, sums_of(DIFFERENCES_AT(i), &before), inverse); \
        }                                                                         \
        before += middle;                                                         \
        memcpy(carry, &before, REGISTER);                                         \
    }
PASS_OF_QUARTERS(2, sums_of_two)
PASS_OF_QUARTERS(4, sums_of_four)

/* ---- floats ---- */

SK_INLINE __m256d across_floats(__m256d before, __m256d x)
{
    return _mm256_permute2f128_pd(before, x, 0x21);
}

SK_INLINE __m256d float_differences(const char *next, const char *last, char *columns, const char *leave)
{
    return _mm256_sub_pd((__m256d)moved_f64(next, last, columns), (__m256d)load_f64_f64(leave));
}
#define FLOATS_AT(at) float_differences(next + (at), last + (at), columns + 2 * (at), leave + 2 * (at))

/* Of the register before: differences, and sums of two pixels. */
typedef struct float_taps {
    __m256d one, two, two_before;
} float_taps;

SK_INLINE __m256d four_of_one(float_taps *taps, __m256d one)
{
    const __m256d two = _mm256_add_pd(one, _mm256_shuffle_pd(across_floats(taps->one, one), one, 5));
    const __m256d four = _mm256_add_pd(two, across_floats(taps->two, two));
    taps->one = one;
    taps->two = two;
    return four;
}

/* The same of pixels of three channels. */
SK_INLINE __m256d four_of_three(float_taps *taps, __m256d one)
{
    const __m256d two = _mm256_add_pd(one, _mm256_shuffle_pd(taps->one, across_floats(taps->one, one), 5));
    const __m256d four = _mm256_add_pd(two, across_floats(taps->two_before, taps->two));
    taps->one = one;
    taps->two_before = taps->two;
    taps->two = two;
    return four;
}

/* Each sum is the one a register before, and four pixels. */
PASS(f32_1)
{
    enum { HALF = REGISTER / 2 };
    const __m256d inverse = _mm256_set1_pd(1 / by->area);
    const size_t bytes = n * sizeof(float);
    const sk_lines lines = *due;
    float_taps taps = {.one = _mm256_setzero_pd(), .two = _mm256_setzero_pd()};
    __m256d sums = _mm256_loadu_pd(carry), x, y;
#define FOUR_MEANS(at, x)                              \
    sums = _mm256_add_pd(sums, four_of_one(&taps, x)); \
    store_floats(means + (at), (lanes_f64)_mm256_mul_pd(sums, inverse));
    ASK_AND_WRITE((size_t)0)
    x = FLOATS_AT((size_t)0);
    y = FLOATS_AT((size_t)HALF);
    for (size_t at = 2 * HALF; at < bytes; at += 2 * HALF) {
        ASK_AND_WRITE(at)
        FOUR_MEANS(at - 2 * HALF, x)
        x = FLOATS_AT(at);
        FOUR_MEANS(at - HALF, y)
        y = FLOATS_AT(at + HALF);
    }
    FOUR_MEANS(bytes - 2 * HALF, x)
    FOUR_MEANS(bytes - HALF, y)
    _mm256_storeu_pd(carry, _mm256_permute4x64_pd(sums, 0xff));
}

/* Each sum is the one three registers before, and four pixels. */
PASS(f32_3)
{
    enum { HALF = REGISTER / 2, LINES = 3 * 64 };
    const __m256d inverse = _mm256_set1_pd(1 / by->area);
    const sk_lines lines = *due;
    float_taps taps = {.one = _mm256_setzero_pd(), .two = _mm256_setzero_pd(), .two_before = _mm256_setzero_pd()};
    double *kept = carry, end[LANES_64];
    __m256d sums[3] = {_mm256_setr_pd(kept[0], kept[1], kept[2], kept[0]),
                       _mm256_setr_pd(kept[1], kept[2], kept[0], kept[1]),
                       _mm256_setr_pd(kept[2], kept[0], kept[1], kept[2])};
    for (size_t at = 0; at < n * sizeof(float); at += LINES)
        SK_UNROLL for (size_t i = 0; i < LINES / HALF; i++)
        {
            ASK_AND_WRITE(at + i * HALF)
            sums[i % 3] = _mm256_add_pd(sums[i % 3], four_of_three(&taps, FLOATS_AT(at + i * HALF)));
            store_floats(means + at + i * HALF, (lanes_f64)_mm256_mul_pd(sums[i % 3], inverse));
        }
    _mm256_storeu_pd(end, sums[2]);
    for (unsigned i = 0; i < LANES_64; i++)
        kept[i] = end[1 + i % 3];
}

#endif
