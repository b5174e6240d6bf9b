/* box_taps.h - passes with AVX2, in which two instructions shift a register across its halves, and a permutation that
 * carries a sum on takes long. So nothing is shifted but what came before: the sum of an element's window is that of
 * the window some pixels before it, and the differences of the pixels since. These are summed in log2 steps, each of
 * which adds the sums that lie twice as far before. */
#ifndef SK_BOX_TAPS_H
#define SK_BOX_TAPS_H

#include "box_pass.h"

#define LEAST_OF_FLOATS 96 /* bytes of the columns of a window, several registers */

SK_INLINE __m256d across(__m256d before, __m256d x)
{
    return _mm256_permute2f128_pd(before, x, 0x21);
}

SK_INLINE __m256d differences_at(const sk_box_row *row, size_t at)
{
    return _mm256_sub_pd((__m256d)moved_f64(row, at), (__m256d)load_f64_f64(row->leave + 2 * at));
}

/* Of the register before: differences, and sums of two pixels. */
typedef struct float_taps {
    __m256d one, two, two_before;
} float_taps;

SK_INLINE __m256d four_of_one(float_taps *taps, __m256d one)
{
    const __m256d two = _mm256_add_pd(one, _mm256_shuffle_pd(across(taps->one, one), one, 5));
    const __m256d four = _mm256_add_pd(two, across(taps->two, two));
    taps->one = one;
    taps->two = two;
    return four;
}

/* The same of pixels of three channels. */
SK_INLINE __m256d four_of_three(float_taps *taps, __m256d one)
{
    const __m256d two = _mm256_add_pd(one, _mm256_shuffle_pd(taps->one, across(taps->one, one), 5));
    const __m256d four = _mm256_add_pd(two, across(taps->two_before, taps->two));
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
    const sk_box_row row = *rows;
    float_taps taps = {.one = _mm256_setzero_pd(), .two = _mm256_setzero_pd()};
    __m256d sums = _mm256_loadu_pd(row.carry), x, y;
#define FOUR_MEANS(at, x)                              \
    sums = _mm256_add_pd(sums, four_of_one(&taps, x)); \
    store_floats(row.means + (at), (lanes_f64)_mm256_mul_pd(sums, inverse));
    ask_and_write(&row, 0, ahead);
    x = differences_at(&row, 0);
    y = differences_at(&row, HALF);
    for (size_t at = 2 * HALF; at < bytes; at += 2 * HALF) {
        ask_and_write(&row, at, ahead);
        FOUR_MEANS(at - 2 * HALF, x)
        x = differences_at(&row, at);
        FOUR_MEANS(at - HALF, y)
        y = differences_at(&row, at + HALF);
    }
    FOUR_MEANS(bytes - 2 * HALF, x)
    FOUR_MEANS(bytes - HALF, y)
    _mm256_storeu_pd(row.carry, _mm256_permute4x64_pd(sums, 0xff));
}

/* Each sum is the one three registers before, and four pixels. */
PASS(f32_3)
{
    enum { HALF = REGISTER / 2, LINES = 3 * 64 };
    const __m256d inverse = _mm256_set1_pd(1 / by->area);
    const sk_box_row row = *rows;
    float_taps taps = {.one = _mm256_setzero_pd(), .two = _mm256_setzero_pd(), .two_before = _mm256_setzero_pd()};
    double *kept = row.carry, end[LANES_64];
    __m256d sums[3] = {_mm256_setr_pd(kept[0], kept[1], kept[2], kept[0]),
                       _mm256_setr_pd(kept[1], kept[2], kept[0], kept[1]),
                       _mm256_setr_pd(kept[2], kept[0], kept[1], kept[2])};
    for (size_t at = 0; at < n * sizeof(float); at += LINES)
        SK_UNROLL for (size_t i = 0; i < LINES / HALF; i++)
        {
            ask_and_write(&row, at + i * HALF, ahead);
            sums[i % 3] = _mm256_add_pd(sums[i % 3], four_of_three(&taps, differences_at(&row, at + i * HALF)));
            store_floats(row.means + at + i * HALF, (lanes_f64)_mm256_mul_pd(sums[i % 3], inverse));
        }
    _mm256_storeu_pd(end, sums[2]);
    for (unsigned i = 0; i < LANES_64; i++)
        kept[i] = end[1 + i % 3];
}

#endif
