/* box_halves.h - passes with AVX2 over two rows of bytes at a time, each in a half of all registers. What shifts
 * elements shifts them within halves, so it is one instruction, and sums of columns are loaded and stored once for two
 * rows. */
#ifndef SK_BOX_HALVES_H
#define SK_BOX_HALVES_H

#include "box_pass.h"

#define ROWS_OF_BYTES 2 /* of a pass */

/* Columns may leave a window right after they were stored: that is slow, but other steps are slower. */
#define LEAST_OF_BYTES 0

/* Eight elements of both rows: the first four, and the other four. */
typedef struct two_rows {
    __m256i first, second;
} two_rows;

SK_INLINE __m128i load_half(const char *from)
{
    return _mm_loadu_si128((const void *)from);
}

SK_INLINE __m256i both_halves(__m128i lower, __m128i upper)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lower), upper, 1);
}

/* ---- sums of columns ---- */

/* Moves 8 sums of columns by bytes of the next and the last row by turns. */
SK_INLINE __m128i moved_half(__m128i sums, __m128i bytes, char *to)
{
    const __m128i weights = _mm_set1_epi16((short)0xff01); /* 1 and -1 */
    sums = _mm_add_epi16(sums, _mm_maddubs_epi16(bytes, weights));
    _mm_storeu_si128((void *)to, sums);
    return sums;
}

/* Elements i to i + 15 of the sums of columns. They stand 8 to a row in each register. */
typedef struct two_rows_of_columns {
    __m256i low, high;
} two_rows_of_columns;

SK_INLINE two_rows_of_columns moved_columns(const sk_box_row *row, size_t i)
{
    const __m128i next = load_half(row[0].next + i), last = load_half(row[0].last + i),
                  then = load_half(row[1].next + i), gone = load_half(row[1].last + i);
    const char *above = row[0].above + 2 * i;
    char *columns = row[0].columns + 2 * i, *below = row[1].columns + 2 * i;
    const __m128i a = moved_half(load_half(above), _mm_unpacklo_epi8(next, last), columns),
                  b = moved_half(load_half(above + 16), _mm_unpackhi_epi8(next, last), columns + 16);
    return (two_rows_of_columns){both_halves(a, moved_half(a, _mm_unpacklo_epi8(then, gone), below)),
                                 both_halves(b, moved_half(b, _mm_unpackhi_epi8(then, gone), below + 16))};
}

/* An instruction multiplies and sums pairs of signed numbers: the difference of two that are both less by 2^15. */
SK_INLINE two_rows differences_of(__m256i enter, const char *leave, const char *leave_below)
{
    const __m256i sign = _mm256_set1_epi16(-0x8000), weights = _mm256_set1_epi32(-0xffff); /* 1 and -1 */
    const __m256i x = _mm256_xor_si256(enter, sign),
                  y = _mm256_xor_si256(both_halves(load_half(leave), load_half(leave_below)), sign);
    return (two_rows){_mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), weights),
                      _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), weights)};
}

/* ---- sums of windows: each is the one some pixels before it, and the differences of the pixels since ---- */

/* Of the eight elements before: differences, sums of two pixels, and of windows. */
typedef struct window_sums {
    two_rows one, two, windows;
} window_sums;

SK_INLINE two_rows sums_of(two_rows x, two_rows y)
{
    return (two_rows){_mm256_add_epi32(x.first, y.first), _mm256_add_epi32(x.second, y.second)};
}

/* What lies that number of elements before x, if less than four. */
#define BEFORE(elements, before, x) _mm256_alignr_epi8(x, before, 16 - 4 * (elements))
#define ALL_BEFORE(elements, before, x)                                                       \
    (two_rows)                                                                                \
    {                                                                                         \
        BEFORE(elements, (before).second, (x).first), BEFORE(elements, (x).first, (x).second) \
    }

/* Each sum is the one four elements before. */
SK_INLINE void add_to_fours(window_sums *sums, two_rows x)
{
    sums->windows.first = _mm256_add_epi32(sums->windows.second, x.first);
    sums->windows.second = _mm256_add_epi32(sums->windows.first, x.second);
}

SK_INLINE void add_pixels_1(window_sums *sums, two_rows x)
{
    const two_rows two = sums_of(x, ALL_BEFORE(1, sums->one, x));
    add_to_fours(sums, sums_of(two, ALL_BEFORE(2, sums->two, two)));
    sums->one = x;
    sums->two = two;
}

SK_INLINE void add_pixels_2(window_sums *sums, two_rows x)
{
    add_to_fours(sums, sums_of(x, ALL_BEFORE(2, sums->one, x)));
    sums->one = x;
}

/* Each sum is the one six elements before. */
SK_INLINE void add_pixels_3(window_sums *sums, two_rows x)
{
    const two_rows two = sums_of(x, ALL_BEFORE(3, sums->one, x)), before = sums->windows;
    sums->windows.first = _mm256_add_epi32(two.first, BEFORE(2, before.first, before.second));
    sums->windows.second = _mm256_add_epi32(two.second, BEFORE(2, before.second, sums->windows.first));
    sums->one = x;
}

SK_INLINE void add_pixels_4(window_sums *sums, two_rows x)
{
    add_to_fours(sums, x);
}

/* The sums before the first element, each in as many elements as its channel has. */
SK_INLINE window_sums sums_before(const sk_box_row *row, uint32_t less, unsigned channels)
{
    uint32_t lanes[2][8]; /* elements -8 to -1 of each row; 24 is a multiple of each number of channels */
    window_sums sums;
    memset(&sums, 0, sizeof sums);
    for (unsigned r = 0; r < 2; r++)
        for (unsigned i = 0; i < 8; i++)
            lanes[r][i] = ((const uint32_t *)row[r].carry)[(24 - 8 + i) % channels] - less;
    sums.windows.first = both_halves(load_half((const char *)lanes[0]), load_half((const char *)lanes[1]));
    sums.windows.second = both_halves(load_half((const char *)(lanes[0] + 4)), load_half((const char *)(lanes[1] + 4)));
    return sums;
}

SK_INLINE void keep_sums(const sk_box_row *row, const window_sums *sums, uint32_t more, unsigned channels)
{
    uint32_t lanes[2][4];
    memcpy(lanes, &sums->windows.second, sizeof lanes);
    for (unsigned r = 0; r < 2; r++)
        for (unsigned i = 0; i < LANES_32; i++)
            ((uint32_t *)row[r].carry)[i] = lanes[r][4 - channels + i % channels] + more;
}

/* ---- means ---- */

SK_INLINE __m256i mean_words(__m256i sums, float inverse)
{
    return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_set1_ps(inverse)));
}

/* Eight means of both rows, less 128. */
SK_INLINE __m256i mean_halves(two_rows sums, float inverse)
{
    return _mm256_packs_epi32(mean_words(sums.first, inverse), mean_words(sums.second, inverse));
}

SK_INLINE void store_two_rows(const sk_box_row *row, size_t i, __m256i low, __m256i high)
{
    const __m256i bytes = _mm256_xor_si256(_mm256_packs_epi16(low, high), _mm256_set1_epi8(-0x80));
    _mm_storeu_si128((void *)(row[0].means + i), _mm256_castsi256_si128(bytes));
    _mm_storeu_si128((void *)(row[1].means + i), _mm256_extracti128_si256(bytes, 1));
}

/* ---- passes ---- */

#define PASS_OF_TWO_ROWS(channels)                                                                  \
    PASS(u8_##channels)                                                                             \
    {                                                                                               \
        const sk_box_row row[2] = {rows[0], rows[1]};                                               \
        const float inverse = by->narrow_inverse;                                                   \
        window_sums sums = sums_before(row, (uint32_t)by->middle, channels);                        \
        for (size_t i = 0; i < n; i += 16) {                                                        \
            ask_and_write(&row[0], i, ahead);                                                       \
            ask_and_write(&row[1], i, ahead);                                                       \
            const two_rows_of_columns enter = moved_columns(row, i);                                \
            const char *leave = row[0].leave + 2 * i, *leave_below = row[1].leave + 2 * i;          \
            add_pixels_##channels(&sums, differences_of(enter.low, leave, leave_below));            \
            const __m256i low = mean_halves(sums.windows, inverse);                                 \
            add_pixels_##channels(&sums, differences_of(enter.high, leave + 16, leave_below + 16)); \
            store_two_rows(row, i, low, mean_halves(sums.windows, inverse));                        \
        }                                                                                           \
        keep_sums(row, &sums, (uint32_t)by->middle, channels);                                      \
    }
PASS_OF_TWO_ROWS(1)
PASS_OF_TWO_ROWS(2)
PASS_OF_TWO_ROWS(3)
PASS_OF_TWO_ROWS(4)

#endif
