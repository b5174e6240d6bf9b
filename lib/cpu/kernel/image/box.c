/* box.c - steps of a box filter with one radius: sums of columns, which follow the window from row to row; prefixes of
 * these along a row; and means of windows, as differences of prefixes. */
#include "cpu/kernel/lanes.h"

/* ---- sums of columns. T: of pixels, S: of sums ---- */

#define SUMS(T, S, FROM)                                                                                      \
    static void add_##T##_##S(const void *row, int64_t weight, void *sums, size_t n)                          \
    {                                                                                                         \
        const sk_##T *restrict x = row;                                                                       \
        sk_##S *restrict sum = sums;                                                                          \
        const sk_##S times = (sk_##S)weight;                                                                  \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) sum[i] += times * (sk_##S)FROM(x[i]);              \
    }                                                                                                         \
    static void slide_##T##_##S(const void *next, const void *last, void *sums, size_t n)                     \
    {                                                                                                         \
        const sk_##T *restrict x = next, *restrict y = last;                                                  \
        sk_##S *restrict sum = sums;                                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) sum[i] += (sk_##S)FROM(x[i]) - (sk_##S)FROM(y[i]); \
    }
#define AS_IS(x) (x)
#define ALL_SUMS(X)   \
    X(u8, u32, AS_IS) \
    X(u8, u64, AS_IS) X(u16, u32, AS_IS) X(u16, u64, AS_IS) X(f16, f64, sk_f32_from_f16) X(f32, f64, AS_IS)
ALL_SUMS(SUMS)

/* ---- prefixes: the sum of all elements before, of each channel. One sum waits for the other, so a row is taken in
 * PARTS at the same time, and each begins with the sums of those before it ---- */

#define PARTS 4

#define PREFIX(S)                                                                               \
    SK_INLINE void prefix_parts_##S(const sk_##S *x, sk_##S *y, size_t each, unsigned channels) \
    {                                                                                           \
        sk_##S sum[PARTS][4] = {{0}};                                                           \
        for (size_t i = 0; i < each; i += channels)                                             \
            for (unsigned p = 0; p < PARTS; p++)                                                \
                for (unsigned c = 0; c < channels; c++) {                                       \
                    sum[p][c] += x[p * each + i + c];                                           \
                    y[p * each + i + c] = sum[p][c];                                            \
                }                                                                               \
        for (unsigned p = 1; p < PARTS; p++) {                                                  \
            const sk_##S *before = y + p * each - channels;                                     \
            sk_##S add[4] = {0};                                                                \
            for (unsigned c = 0; c < channels; c++)                                             \
                add[c] = before[c];                                                             \
            sk_##S *to = y + p * each;                                                          \
            for (size_t i = 0; i < each; i += channels)                                         \
                for (unsigned c = 0; c < channels; c++)                                         \
                    to[i + c] += add[c];                                                        \
        }                                                                                       \
    }                                                                                           \
    SK_INLINE void prefix_channels_##S(const sk_##S *x, sk_##S *y, size_t n, unsigned channels) \
    {                                                                                           \
        size_t each = n / channels / PARTS * channels;                                          \
        for (unsigned c = 0; c < channels; c++)                                                 \
            y[c] = 0;                                                                           \
        if (each > 0)                                                                           \
            prefix_parts_##S(x, y + channels, each, channels);                                  \
        for (size_t i = PARTS * each; i < n; i++)                                               \
            y[i + channels] = y[i] + x[i];                                                      \
    }                                                                                           \
    static void prefix_##S(const void *sums, void *prefix, size_t n, unsigned channels)         \
    {                                                                                           \
        const sk_##S *x = sums;                                                                 \
        sk_##S *y = prefix;                                                                     \
        switch (channels) {                                                                     \
        case 1: prefix_channels_##S(x, y, n, 1); break;                                         \
        case 2: prefix_channels_##S(x, y, n, 2); break;                                         \
        case 3: prefix_channels_##S(x, y, n, 3); break;                                         \
        default: prefix_channels_##S(x, y, n, 4);                                               \
        }                                                                                       \
    }
PREFIX(u32)
PREFIX(u64)
PREFIX(f64)

/* ---- means. P: of prefixes, R: of results ---- */

/* The quotient to the nearest, halves up, as sk_box_mean(). All numbers are whole and below 2^53, so products are
 * exact; a quotient by the reciprocal is at most one off. */
SK_INLINE double rounded_mean(double sum, double twice, double area, double inverse)
{
    double above = 2 * sum * twice + area, below = 2 * area;
    double quotient = (double)(int32_t)(above * inverse);
    double rest = above - quotient * below;
    quotient += rest >= below ? 1 : 0;
    return rest < 0 ? quotient - 1 : quotient;
}

#define MEANS_INTEGER(P, R)                                                                                       \
    static void means_##P##_##R(const void *prefix, size_t n, size_t apart, double area, double scale, void *out) \
    {                                                                                                             \
        const sk_##P *restrict x = prefix;                                                                        \
        sk_##R *restrict y = out;                                                                                 \
        const double inverse = 1 / (2 * area);                                                                    \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] =                                                 \
            (sk_##R)(int32_t)rounded_mean((double)(sk_##P)(x[i + apart] - x[i]), scale, area, inverse);           \
    }
MEANS_INTEGER(u32, u8)
MEANS_INTEGER(u32, u16)
MEANS_INTEGER(u64, u8)
MEANS_INTEGER(u64, u16)

static void means_f64_f32(const void *prefix, size_t n, size_t apart, double area, double scale, void *out)
{
    const double *restrict x = prefix, inverse = scale / area;
    float *restrict y = out;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = (float)((x[i + apart] - x[i]) * inverse);
}

static void means_f64_f16(const void *prefix, size_t n, size_t apart, double area, double scale, void *out)
{
    const double *restrict x = prefix, inverse = scale / area;
    scankit_f16 *restrict y = out;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = sk_f16_from_f32((float)((x[i + apart] - x[i]) * inverse));
}

/* ---- the tables ---- */

sk_box_sums SK_ISA_NAME(sk_box_sums_of)(scankit_type pixels, scankit_type sums)
{
#define X(T, S, FROM)                                                             \
    if (pixels == (scankit_type)SK_TYPE_##T && sums == (scankit_type)SK_TYPE_##S) \
        return (sk_box_sums){add_##T##_##S, slide_##T##_##S, prefix_##S};
    ALL_SUMS(X)
#undef X
    return (sk_box_sums){NULL, NULL, NULL};
}

sk_box_means_function *SK_ISA_NAME(sk_box_means)(scankit_type sums, scankit_type results)
{
    bool narrow = results == SCANKIT_U8;
    switch (sums) {
    case SCANKIT_U32: return narrow ? means_u32_u8 : means_u32_u16;
    case SCANKIT_U64: return narrow ? means_u64_u8 : means_u64_u16;
    default: return results == SCANKIT_F32 ? means_f64_f32 : means_f64_f16;
    }
}
