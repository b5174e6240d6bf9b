/* box_pixel.h - the mean of one pixel's box. */
#ifndef SK_BOX_PIXEL_H
#define SK_BOX_PIXEL_H

#include "cpu/cpu.h"

static inline bool sk_is_float_picture(const scankit_image *in)
{
    return in->type == SCANKIT_F16 || in->type == SCANKIT_F32;
}

/* A sum: integers modulo 2^64, or floats. */
typedef union sk_box_total {
    uint64_t integer;
    double real;
} sk_box_total;

/* The prefixes of a row of sums: element i + 1 of a channel is the sum of its first i + 1 pixels; element 0 is 0. */
typedef struct sk_box_prefix {
    scankit_type type; /* u32, u64 or f64 */
    unsigned channels, channel;
    size_t length; /* pixels */
    const char *data;
} sk_box_prefix;

static inline uint64_t sk_prefix_integer(const sk_box_prefix *line, size_t i)
{
    size_t at = i * line->channels + line->channel;
    return line->type == SCANKIT_U32 ? ((const uint32_t *)(const void *)line->data)[at]
                                     : ((const uint64_t *)(const void *)line->data)[at];
}

static inline double sk_prefix_real(const sk_box_prefix *line, size_t i)
{
    return ((const double *)(const void *)line->data)[i * line->channels + line->channel];
}

/* The weighted sum up to an end. */
static inline sk_box_total sk_box_up_to(const sk_box_prefix *line, const sk_box_end *end)
{
    sk_box_total sum;
    if (line->type == SCANKIT_F64) {
        sum.real = (double)end->low * sk_prefix_real(line, end->at);
        sum.real += (double)end->high * sk_prefix_real(line, end->at + 1);
        if (end->all != 0)
            sum.real += (double)end->all * sk_prefix_real(line, line->length);
    } else {
        sum.integer = (uint64_t)end->low * sk_prefix_integer(line, end->at);
        sum.integer += (uint64_t)end->high * sk_prefix_integer(line, end->at + 1);
        sum.integer += (uint64_t)end->all * sk_prefix_integer(line, line->length);
    }
    return sum;
}

/* The sum along a side, in units. Prefixes of 32 bits may have wrapped: their weights are whole then, and the sum fits
 * 32 bits. */
static inline sk_box_total sk_box_sum(const sk_box_prefix *line, const sk_box_side *side)
{
    sk_box_total begin = sk_box_up_to(line, &side->begin), sum = sk_box_up_to(line, &side->end);
    if (line->type == SCANKIT_F64)
        sum.real -= begin.real;
    else
        sum.integer -= begin.integer;
    if (line->type == SCANKIT_U32)
        sum.integer = (uint64_t)(uint32_t)(sum.integer / SK_BOX_UNIT) * SK_BOX_UNIT;
    return sum;
}

/* Element i of a row of a type gets sum * scale / area. */
static inline void sk_write_mean(scankit_type type, void *row, size_t i, sk_box_total sum, int64_t scale, uint64_t area,
                                 int shift)
{
    float mean;
    switch (type) {
    case SCANKIT_U8: ((uint8_t *)row)[i] = (uint8_t)sk_box_mean(sum.integer * (uint64_t)scale, area, shift); break;
    case SCANKIT_U16: ((uint16_t *)row)[i] = (uint16_t)sk_box_mean(sum.integer * (uint64_t)scale, area, shift); break;
    default:
        mean = (float)(sum.real * (double)scale / (double)area);
        if (type == SCANKIT_F32)
            ((float *)row)[i] = mean;
        else
            ((scankit_f16 *)row)[i] = sk_f16_from_f32(mean);
    }
}

/* ---- box_map.c: a pass with a radius for each pixel ---- */

scankit_error sk_box_by_map(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box);

#endif
