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

SK_INLINE lanes_f64 sum_of(lanes_f64 x, lanes_f64 y)
{
    return x + y;
}
#endif

/* Sums of columns of f64 move by two rows of f32, from byte `at` on. */
SK_INLINE lanes_f64 moved_f64(const sk_box_row *row, size_t at)
{
    const lanes_f64 difference = load_f32_f64(row->next + at) - load_f32_f64(row->last + at);
    const lanes_f64 sums = sum_of(load_f64_f64(row->above + 2 * at), difference);
    *(unaligned_bits *)(row->columns + 2 * at) = (unaligned_bits)sums;
    return sums;
}

#define PASS(name) static void pass_##name(const sk_box_row *rows, size_t ahead, const sk_box_divisor *by, size_t n)

/* What is due goes out line by line: stores around the caches are slow, and wait for each other when many come at
 * once. */
SK_INLINE void ask_and_write(const sk_box_row *row, size_t at, size_t ahead)
{
    if (at % 64 == 0) {
        sk_will_read_row(row->next + at, ahead);
        sk_will_read_row(row->last + at, ahead);
        if (at < row->due.bytes)
            sk_stream_line(row->due.to + at, row->due.from + at);
    }
}

#define PASS_OF_FLOATS(channels)                                                  \
    PASS(f32_##channels)                                                          \
    {                                                                             \
        const double inverse = 1 / by->area;                                      \
        const sk_box_row row = *rows;                                             \
        lanes_f64 before;                                                         \
        memcpy(&before, row.carry, REGISTER);                                     \
        for (size_t i = 0; i < n; i += LANES_64) {                                \
            const size_t at = i * sizeof(float);                                  \
            ask_and_write(&row, at, ahead);                                       \
            lanes_f64 x = moved_f64(&row, at) - load_f64_f64(row.leave + 2 * at); \
            STEPS(f64, 64, x, channels)                                           \
            const lanes_f64 sum = x + before;                                     \
            before = NEXT(f64, 64, x, sum, channels);                             \
            store_floats(row.means + at, sum * inverse);                          \
        }                                                                         \
        memcpy(row.carry, &before, REGISTER);                                     \
    }
PASS_OF_FLOATS(2)
PASS_OF_FLOATS(4)

#endif
