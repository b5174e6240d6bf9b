/* pixels.h - elements of images by their type. */
#ifndef SK_PIXELS_H
#define SK_PIXELS_H

#include "cpu/cpu.h"
#include "half.h"
#include "image.h"

static inline char *sk_row_of(const scankit_image *image, size_t y)
{
    return (char *)image->data + y * image->pitch;
}

/* Elements of a row. */
static inline size_t sk_row_elements(const scankit_image *image)
{
    return image->width * image->channels;
}

/* The largest value of an integer type; 0 for floats. */
static inline uint32_t sk_most_of(scankit_type type)
{
    return type == SCANKIT_U8 ? UINT8_MAX : type == SCANKIT_U16 ? UINT16_MAX : 0;
}

static inline uint32_t sk_integer_at(scankit_type type, const void *row, size_t i)
{
    return type == SCANKIT_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

static inline void sk_put_integer(scankit_type type, void *row, size_t i, uint32_t value)
{
    if (type == SCANKIT_U8)
        ((uint8_t *)row)[i] = (uint8_t)value;
    else
        ((uint16_t *)row)[i] = (uint16_t)value;
}

static inline float sk_float_at(scankit_type type, const void *row, size_t i)
{
    return type == SCANKIT_F32 ? ((const float *)row)[i] : sk_f32_from_f16(((const scankit_f16 *)row)[i]);
}

static inline void sk_put_float(scankit_type type, void *row, size_t i, float value)
{
    if (type == SCANKIT_F32)
        ((float *)row)[i] = value;
    else
        ((scankit_f16 *)row)[i] = sk_f16_from_f32(value);
}

/* The light of an element: integers from 0 to 1. */
static inline float sk_light_at(scankit_type type, const sk_light *light, bool alpha, const void *row, size_t i)
{
    uint32_t most = sk_most_of(type);
    if (most == 0)
        return sk_float_at(type, row, i);
    uint32_t value = sk_integer_at(type, row, i);
    return light->decode != NULL && !alpha ? light->decode[value] : sk_linear_decode(value, most);
}

#endif
