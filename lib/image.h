/* image.h - the arithmetic of images that must be the same on every device.
 *
 * Products and sums of floats stand apart here, so that none is contracted to one that rounds once. */
#ifndef SK_IMAGE_H
#define SK_IMAGE_H

#include <stdint.h>

#include "half.h"
#include "scankit.h"

#ifdef __CUDA_ARCH__
#define SK_ADD_F32(a, b) __fadd_rn(a, b)
#define SK_MUL_F32(a, b) __fmul_rn(a, b)
#define SK_DIV_F32(a, b) __fdiv_rn(a, b)
#else
#define SK_ADD_F32(a, b) ((a) + (b)) /* compiled with -ffp-contract=off */
#define SK_MUL_F32(a, b) ((a) * (b))
#define SK_DIV_F32(a, b) ((a) / (b))
#endif

/* The largest value of a picture's integers. */
SK_INLINE uint32_t sk_picture_most(scankit_type type)
{
    return type == SCANKIT_U8 ? UINT8_MAX : UINT16_MAX;
}

/* ---- box filters: places along an axis, and areas, are whole numbers of 1/SK_BOX_UNIT of a pixel ---- */

#define SK_BOX_UNIT 256
#define SK_BOX_SHIFT 8 /* its logarithm */

/* A radius in units. */
SK_INLINE uint32_t sk_box_radius(float radius)
{
    if (!(radius > 0))
        return 0;
    if (radius >= (float)SCANKIT_RADIUS_MAX)
        return (uint32_t)(SCANKIT_RADIUS_MAX * SK_BOX_UNIT);
    return (uint32_t)(radius * SK_BOX_UNIT + 0.5f);
}

/* The sum of all pixels of an axis of `length` pixels up to a place, in units, as one of prefixes: with P(k) the sum of
 * the first k pixels, it is low * P(at) + high * P(at + 1) + all * P(length), where at < length. */
typedef struct sk_box_end {
    size_t at;
    int64_t low, high, all;
} sk_box_end;

SK_INLINE sk_box_end sk_box_end_within(int64_t place, size_t length)
{
    sk_box_end end;
    end.at = (size_t)(place >> SK_BOX_SHIFT);
    end.high = place & (SK_BOX_UNIT - 1);
    if (end.at == length) {
        end.at--;
        end.high = SK_BOX_UNIT;
    }
    end.low = SK_BOX_UNIT - end.high;
    end.all = 0;
    return end;
}

/* place: of a box with a radius of at most SCANKIT_RADIUS_MAX around a pixel of the axis. */
SK_INLINE sk_box_end sk_box_end_at(int64_t place, size_t length, scankit_edge edge)
{
    int64_t last = (int64_t)length * SK_BOX_UNIT, over = place < 0 ? place : place > last ? place - last : 0;
    sk_box_end end;
    if (over == 0)
        return sk_box_end_within(place, length);
    if (edge == SCANKIT_EDGE_MIRROR) {
        /* Mirror images lie one after the other. Each second one is reflected, and begins with its end. */
        int64_t images = place / last - (place % last < 0), rest = place - images * last;
        if (images % 2 == 0) {
            end = sk_box_end_within(rest, length);
            end.all = images * SK_BOX_UNIT;
        } else {
            end = sk_box_end_within(last - rest, length);
            end.low = -end.low;
            end.high = -end.high;
            end.all = (images + 1) * SK_BOX_UNIT;
        }
        return end;
    }
    if (edge == SCANKIT_EDGE_OMIT)
        return sk_box_end_within(over < 0 ? 0 : last, length);
    /* The first pixel, P(1) - P(0), or the last one again. */
    end.at = over < 0 ? 0 : length - 1;
    end.low = -over;
    end.high = over < 0 ? over : SK_BOX_UNIT + over;
    end.all = 0;
    return end;
}

/* A box along an axis: the sum between its two ends, and the length over which a mean is taken, in units. */
typedef struct sk_box_side {
    sk_box_end begin, end;
    uint64_t length;
} sk_box_side;

SK_INLINE sk_box_side sk_box_side_at(size_t pixel, uint32_t radius, size_t length, scankit_edge edge)
{
    int64_t begin = (int64_t)pixel * SK_BOX_UNIT - radius, end = ((int64_t)pixel + 1) * SK_BOX_UNIT + radius;
    int64_t last = (int64_t)length * SK_BOX_UNIT;
    sk_box_side side;
    side.begin = sk_box_end_at(begin, length, edge);
    side.end = sk_box_end_at(end, length, edge);
    if (edge == SCANKIT_EDGE_OMIT) {
        begin = begin < 0 ? 0 : begin;
        end = end > last ? last : end;
    }
    side.length = (uint64_t)(end - begin);
    return side;
}

/* sum * 2^shift / area to the nearest, halves up. sum: in square units times a value, below 2^62 (2^54 if shift is 8);
 * area: in square units, at most 2^47. The quotient fits 16 bits. */
SK_INLINE uint32_t sk_box_mean(uint64_t sum, uint64_t area, int shift)
{
    uint64_t above = (shift > 0 ? sum << shift : sum) << 1, below = (shift < 0 ? area << -shift : area) << 1;
    above += below >> 1;
    uint32_t quotient = (uint32_t)((double)above / (double)below); /* or one more or less */
    int64_t rest = (int64_t)(above - quotient * below);
    return rest < 0 ? quotient - 1 : (uint64_t)rest >= below ? quotient + 1 : quotient;
}

/* ---- depth of field ---- */

/* The radius of scankit_depth_of_field(); radius_max may be infinite. */
SK_INLINE float sk_blur_radius(float depth, float focus, float aperture, float radius_max)
{
    float away = depth - focus, radius;
    if (!(depth > 0))
        return 0;
    if (sk_f32_bits(depth) == SK_F32_INFINITY)
        radius = aperture;
    else
        radius = SK_DIV_F32(SK_MUL_F32(aperture, away < 0 ? -away : away), depth);
    return radius < radius_max ? radius : radius_max;
}

/* ---- pyramids ---- */

/* Pixel i of a side of a level is the weighted mean of `count` pixels from `first` on of a side of `length` pixels. */
typedef struct sk_mip_taps {
    size_t first;
    unsigned count; /* 1: the side has one pixel; 2: equal weights of a half; or 3 */
    float weight[3];
} sk_mip_taps;

SK_INLINE sk_mip_taps sk_mip_taps_at(size_t i, size_t length)
{
    size_t half = length / 2;
    sk_mip_taps taps;
    taps.first = 2 * i;
    taps.count = length == 1 ? 1 : length % 2 == 0 ? 2 : 3;
    taps.weight[0] = length == 1 ? 1.0f : 0.5f;
    taps.weight[1] = 0.5f;
    taps.weight[2] = 0;
    if (taps.count == 3) {
        taps.weight[0] = SK_DIV_F32((float)(half - i), (float)length);
        taps.weight[1] = SK_DIV_F32((float)half, (float)length);
        taps.weight[2] = SK_DIV_F32((float)(i + 1), (float)length);
    }
    return taps;
}

/* The mean of the taps; values beyond the count are any. Means are taken along rows, then of these along columns. */
SK_INLINE float sk_mip_mean(const sk_mip_taps *taps, float a, float b, float c)
{
    if (taps->count == 1)
        return a;
    if (taps->count == 2)
        return SK_MUL_F32(SK_ADD_F32(a, b), 0.5f);
    float two = SK_ADD_F32(SK_MUL_F32(taps->weight[0], a), SK_MUL_F32(taps->weight[1], b));
    return SK_ADD_F32(two, SK_MUL_F32(taps->weight[2], c));
}

/* ---- light: integers of 0 to most = 2^bits - 1 as floats of 0 to 1 ---- */

/* What a pyramid reads and writes integers by. decode: the light of each value, in host memory. A value v has the light
 * below bounds[v] that is not below bounds[v - 1]; the last bound is infinite. Both NULL: value / most. */
typedef struct sk_light {
    const float *decode, *bounds;
} sk_light;

/* The last channel of two or four is alpha, which is linear. */
SK_INLINE int sk_is_alpha(unsigned channel, unsigned channels)
{
    return channels % 2 == 0 && channel == channels - 1;
}

SK_INLINE float sk_linear_decode(uint32_t value, uint32_t most)
{
    return SK_DIV_F32((float)value, (float)most);
}

/* The nearest value, halves up; light outside of 0 to 1 is cut, and a NaN is 0. */
SK_INLINE uint32_t sk_linear_encode(float light, uint32_t most)
{
    if (!(light > 0))
        return 0;
    if (light >= 1)
        return most;
    return (uint32_t)SK_ADD_F32(SK_MUL_F32(light, (float)most), 0.5f);
}

/* The value whose bounds enclose the light. A NaN is 0. */
SK_INLINE uint32_t sk_bounds_encode(const float *bounds, float light, uint32_t most)
{
    uint32_t value = 0;
    for (uint32_t step = (most + 1) / 2; step > 0; step /= 2)
        if (light >= bounds[value + step - 1])
            value += step;
    return value;
}

#endif
