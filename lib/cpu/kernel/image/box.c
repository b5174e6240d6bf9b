/* box.c - steps of a box filter with one radius: sums of columns, which follow the window from row to row; sums of
 * windows, which follow it from column to column (McDonnell, Box-filtering Techniques, 1981), a register at a time by a
 * scan of the differences; and means of these. */
#include "cpu/kernel/quotients.h"
#include "cpu/kernel/stream.h"
#include "lane_loads.h"

/* ---- sums of columns. T: of pixels, V: of sums ---- */

#define COLUMNS(T, V, FROM)                                                                                          \
    SK_INLINE void add_some_##T##_##V(const sk_##T *restrict x, sk_##V times, sk_##V *restrict sum, size_t n)        \
    {                                                                                                                \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) sum[i] =                                                  \
            (sk_##V)(sum[i] + (sk_##V)(times * (sk_##V)FROM(x[i])));                                                 \
    }                                                                                                                \
    static void add_##T##_##V(const void *row, int64_t weight, void *columns, size_t n, size_t ahead)                \
    {                                                                                                                \
        enum { LINE = 64 / sizeof(sk_##T) };                                                                         \
        const sk_##T *x = row;                                                                                       \
        sk_##V *sum = columns;                                                                                       \
        size_t i = 0;                                                                                                \
        for (; i + LINE <= n; i += LINE) {                                                                           \
            sk_will_read_row(x + i, ahead);                                                                          \
            add_some_##T##_##V(x + i, (sk_##V)weight, sum + i, LINE);                                                \
        }                                                                                                            \
        add_some_##T##_##V(x + i, (sk_##V)weight, sum + i, n - i);                                                   \
    }                                                                                                                \
    SK_INLINE void slide_some_##T##_##V(const sk_##T *x, const sk_##T *y, const sk_##V *from, sk_##V *sum, size_t n) \
    {                                                                                                                \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) sum[i] =                                                  \
            (sk_##V)(from[i] + (sk_##V)((sk_##V)FROM(x[i]) - (sk_##V)FROM(y[i])));                                   \
    }                                                                                                                \
    static void slide_##T##_##V(const void *next, const void *last, const void *above, void *columns, size_t n,      \
                                size_t ahead)                                                                        \
    {                                                                                                                \
        enum { LINE = 64 / sizeof(sk_##T) };                                                                         \
        const sk_##T *x = next, *y = last;                                                                           \
        const sk_##V *from = above;                                                                                  \
        sk_##V *sum = columns;                                                                                       \
        size_t i = 0;                                                                                                \
        for (; i + LINE <= n; i += LINE) {                                                                           \
            sk_will_read_row(x + i, ahead);                                                                          \
            sk_will_read_row(y + i, ahead);                                                                          \
            slide_some_##T##_##V(x + i, y + i, from + i, sum + i, LINE);                                             \
        }                                                                                                            \
        slide_some_##T##_##V(x + i, y + i, from + i, sum + i, n - i);                                                \
    }
#define AS_IS(x) (x)
#define ALL_COLUMNS(X) \
    X(u8, u16, AS_IS)  \
    X(u8, u32, AS_IS)  \
    X(u8, u64, AS_IS) X(u16, u32, AS_IS) X(u16, u64, AS_IS) X(f16, f64, sk_f32_from_f16) X(f32, f64, AS_IS)
ALL_COLUMNS(COLUMNS)

/* ---- sums of windows. V: of columns, S: of windows ---- */

#define ALL_WINDOWS(X) X(u16, u32, 32) X(u32, u32, 32) X(u64, u64, 64) X(f64, f64, 64)

#define WEIGH(V, S, bits)                                                                                             \
    static void weigh_##V(const void *columns, const uint32_t *counts, size_t pixels, unsigned channels, void *carry) \
    {                                                                                                                 \
        const sk_##V *x = columns;                                                                                    \
        sk_##S *to = carry;                                                                                           \
        for (unsigned c = 0; c < channels; c++) {                                                                     \
            sk_##S sum = 0;                                                                                           \
            _Pragma("omp simd reduction(+ : sum)") for (size_t i = 0; i < pixels; i++) sum +=                         \
                (sk_##S)counts[i] * (sk_##S)x[i * channels + c];                                                      \
            for (size_t lane = c; lane < SK_BOX_CARRY / sizeof sum; lane += channels)                                 \
                to[lane] = sum;                                                                                       \
        }                                                                                                             \
    }
ALL_WINDOWS(WEIGH)

/* What stands before the next register. A sum waits for the one before it by an addition alone where each lane has the
 * same channel in all registers. */
#define NEXT(S, bits, x, sum, channels) \
    (LANES_##bits % (channels) == 0 ? before + CARRY(S, bits, x, channels) : CARRY(S, bits, sum, channels))

#define BY_REGISTERS(V, S, bits, channels)                                                                        \
    static void windows_##V##_##channels(const void *enter, const void *leave, void *carry, void *sums, size_t n) \
    {                                                                                                             \
        const sk_##V *in = enter, *out = leave;                                                                   \
        sk_##S *to = sums;                                                                                        \
        lanes_##S before;                                                                                         \
        memcpy(&before, carry, REGISTER);                                                                         \
        for (size_t i = 0; i < n; i += LANES_##bits) {                                                            \
            lanes_##S x = load_##V##_##S(in + i) - load_##V##_##S(out + i);                                       \
            STEPS(S, bits, x, channels)                                                                           \
            const lanes_##S sum = x + before;                                                                     \
            before = NEXT(S, bits, x, sum, channels);                                                             \
            *(unaligned_bits *)(to + i) = (unaligned_bits)sum;                                                    \
        }                                                                                                         \
        memcpy(carry, &before, REGISTER);                                                                         \
    }

/* Pixels that are wider than a register. */
#define ONE_BY_ONE(V, S, bits, channels)                                                                          \
    static void windows_##V##_##channels(const void *enter, const void *leave, void *carry, void *sums, size_t n) \
    {                                                                                                             \
        const sk_##V *in = enter, *out = leave;                                                                   \
        sk_##S *to = sums, *before = carry;                                                                       \
        for (size_t i = 0; i < n; i += (channels))                                                                \
            for (unsigned c = 0; c < (channels); c++)                                                             \
                to[i + c] = before[c] += (sk_##S)in[i + c] - (sk_##S)out[i + c];                                  \
    }

/* A float from 2^23 on has no fraction: adding that many rounds, and the lowest byte is the mean of a sum less the
 * middle of its range. */
#define SK_NO_FRACTION (0x1.8p23f + 128)

#if defined(__SSE2__)
#include "box_pairs.h"
#else
BY_REGISTERS(u16, u32, 32, 1)
#endif
BY_REGISTERS(u32, u32, 32, 1)
BY_REGISTERS(u64, u64, 64, 1)
BY_REGISTERS(f64, f64, 64, 1)
BY_REGISTERS(u16, u32, 32, 2)
BY_REGISTERS(u32, u32, 32, 2)
BY_REGISTERS(u64, u64, 64, 2)
BY_REGISTERS(f64, f64, 64, 2)
BY_REGISTERS(u16, u32, 32, 3)
BY_REGISTERS(u16, u32, 32, 4)
BY_REGISTERS(u32, u32, 32, 3)
BY_REGISTERS(u32, u32, 32, 4)
#if LANES_64 >= 4
#define WIDE_PIXELS BY_REGISTERS
#else
#define WIDE_PIXELS ONE_BY_ONE
#endif
WIDE_PIXELS(u64, u64, 64, 3)
WIDE_PIXELS(u64, u64, 64, 4)
WIDE_PIXELS(f64, f64, 64, 3)
WIDE_PIXELS(f64, f64, 64, 4)

/* Sums of whole pixels become sums in units, of whole pixels and parts of the ones at both ends. */
#define SPREAD(S)                                                                                                     \
    static void spread_##S(const void *enter, const void *leave, unsigned channels, int64_t part, void *sums,         \
                           size_t n)                                                                                  \
    {                                                                                                                 \
        const sk_##S *restrict next = (const sk_##S *)enter + channels, *restrict last = leave, parts = (sk_##S)part; \
        sk_##S *restrict sum = sums;                                                                                  \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) sum[i] =                                                   \
            sum[i] * SK_BOX_UNIT + parts * (next[i] + last[i]);                                                       \
    }
SPREAD(u64)
SPREAD(f64)

/* ---- means. S: of sums, R: of results ---- */

/* A float has the product of a sum with 1 / area exactly enough where no mean is a half, the sum is less than 2^24, and
 * the mean's distance from a half, 1 / (2 area) at least, is more than the error: that of the inverse, and half of the
 * last bit of the product. Sums are taken from the middle of their range, where the last bit is finest. */
static bool floats_suffice(uint64_t area, int shift, float inverse)
{
    double error = 128 * ((double)inverse * (double)area - 1);
    return shift == 0 && area % 2 == 1 && area <= 1 << 17 &&
           (error < 0 ? -error : error) + 0x1p-18 < 0.5 / (double)area;
}

static sk_box_divisor divisor_of(uint64_t area, int shift)
{
    sk_box_divisor by = {.scale = 1 << (shift > 0 ? shift : 0), .up = shift > 0 ? (unsigned)shift : 0};
    const uint64_t divisor = shift < 0 ? area << -shift : area;
    by.area = (double)divisor;
    by.inverse = 1 / (2 * by.area);
    by.narrow_inverse = 1 / (float)area;
    by.by_floats = floats_suffice(area, shift, by.narrow_inverse);
    by.middle = (int32_t)(uint32_t)(area * 128);
    by.half = (uint32_t)(divisor / 2);
    if (divisor <= UINT32_MAX) {
        const sk_reciprocal reciprocal = reciprocal_of(divisor, 32);
        by.multiplier = reciprocal.multiplier;
        by.first = reciprocal.first;
        by.second = reciprocal.second;
    }
    return by;
}

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

#define BY_DOUBLES(S, R)                                                                         \
    static void means_##S##_##R(const void *sums, const sk_box_divisor *by, void *out, size_t n) \
    {                                                                                            \
        const sk_##S *restrict x = sums;                                                         \
        sk_##R *restrict y = out;                                                                \
        const double scale = by->scale, area = by->area, inverse = by->inverse;                  \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] =                                \
            (sk_##R)(int32_t)rounded_mean((double)x[i], scale, area, inverse);                   \
    }
BY_DOUBLES(u64, u8)
BY_DOUBLES(u64, u16)

#define BY_RECIPROCAL(R)                                                                          \
    static void quotients_##R(const void *sums, const sk_box_divisor *by, void *out, size_t n)    \
    {                                                                                             \
        const sk_reciprocal reciprocal = {by->multiplier, by->first, by->second};                 \
        const char *x = sums;                                                                     \
        sk_##R *y = out;                                                                          \
        for (size_t i = 0; i < n; i += LANES_32) {                                                \
            sk_u32 lane[LANES_32];                                                                \
            U32_lanes sum = *(const U32_lanes *)(x + i * sizeof(sk_u32));                         \
            *(U32_lanes *)lane = times_U32((sum << by->up) + by->half, reciprocal);               \
            _Pragma("omp simd") for (size_t l = 0; l < LANES_32; l++) y[i + l] = (sk_##R)lane[l]; \
        }                                                                                         \
    }
BY_RECIPROCAL(u8)
BY_RECIPROCAL(u16)

static void means_u32_u8(const void *sums, const sk_box_divisor *by, void *out, size_t n)
{
    const uint32_t *restrict x = sums;
    uint8_t *restrict y = out;
    const int32_t middle = by->middle;
    const float inverse = by->narrow_inverse;
    if (!by->by_floats) {
        quotients_u8(sums, by, out, n);
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        union {
            float real;
            uint32_t bits;
        } mean = {(float)((int32_t)x[i] - middle) * inverse + SK_NO_FRACTION};
        y[i] = (uint8_t)mean.bits;
    }
}

static void means_f64_f32(const void *sums, const sk_box_divisor *by, void *out, size_t n)
{
    const double *restrict x = sums, inverse = 1 / by->area;
    float *restrict y = out;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = (float)(x[i] * inverse);
}

static void means_f64_f16(const void *sums, const sk_box_divisor *by, void *out, size_t n)
{
    const double *restrict x = sums, inverse = 1 / by->area;
    scankit_f16 *restrict y = out;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = sk_f16_from_f32((float)(x[i] * inverse));
}

/* ---- the steps of a filter ---- */

#if defined(__AVX512F__)
#include "box_scans.h"
#elif defined(__AVX2__)
#include "box_halves.h"
#include "box_taps.h"
#endif

#if defined(__AVX2__)
static void set_pass(sk_box_steps *steps, scankit_type pixels, scankit_type columns, unsigned channels,
                     scankit_type results)
{
    static sk_box_pass_function *const bytes[] = {pass_u8_1, pass_u8_2, pass_u8_3, pass_u8_4}, *const floats[] = {
                                                                                                   pass_f32_1,
                                                                                                   pass_f32_2,
                                                                                                   pass_f32_3,
                                                                                                   pass_f32_4};
    if (pixels == SCANKIT_U8 && columns == SCANKIT_U16 && results == SCANKIT_U8) {
        steps->pass = bytes[channels - 1];
        steps->rows = ROWS_OF_BYTES;
        steps->least = LEAST_OF_BYTES;
    } else if (pixels == SCANKIT_F32 && results == SCANKIT_F32) {
        steps->pass = floats[channels - 1];
        steps->least = LEAST_OF_FLOATS;
    }
}
#else
static void set_pass(sk_box_steps *steps, scankit_type pixels, scankit_type columns, unsigned channels,
                     scankit_type results)
{
    (void)steps, (void)pixels, (void)columns, (void)channels, (void)results;
}
#endif

static sk_box_means_function *means_of(scankit_type columns, scankit_type results)
{
    bool narrow = results == SCANKIT_U8;
    switch (columns) {
    case SCANKIT_U16:
    case SCANKIT_U32: return narrow ? means_u32_u8 : quotients_u16;
    case SCANKIT_U64: return narrow ? means_u64_u8 : means_u64_u16;
    default: return results == SCANKIT_F32 ? means_f64_f32 : means_f64_f16;
    }
}

sk_box_steps SK_ISA_NAME(sk_box_steps_of)(scankit_type pixels, scankit_type columns, unsigned channels,
                                          scankit_type results)
{
    sk_box_steps steps = {.means = means_of(columns, results), .divisor = divisor_of, .rows = 1};
#define X(T, V, FROM)                                                                \
    if (pixels == (scankit_type)SK_TYPE_##T && columns == (scankit_type)SK_TYPE_##V) \
        steps.add = add_##T##_##V, steps.slide = slide_##T##_##V;
    ALL_COLUMNS(X)
#undef X
#define X(V, S, bits)                                                                                         \
    if (columns == (scankit_type)SK_TYPE_##V) {                                                               \
        static sk_box_windows_function *const windows[] = {windows_##V##_1, windows_##V##_2, windows_##V##_3, \
                                                           windows_##V##_4};                                  \
        steps.weigh = weigh_##V;                                                                              \
        steps.windows = windows[channels - 1];                                                                \
    }
    ALL_WINDOWS(X)
#undef X
    set_pass(&steps, pixels, columns, channels, results);
    steps.spread = columns == SCANKIT_F64 ? spread_f64 : spread_u64;
    return steps;
}
