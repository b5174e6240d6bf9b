/* light.c - rows of integers as light, and back, where light is linear; and means of two by two pixels. */
#include <string.h>

#include "cpu/kernel/lanes.h"

#define ONE 0x3f800000 /* the bits of 1.0f */

/* Light cut to 0 to 1, a NaN to 0: positive floats are in the order of their bits. gcc 12 makes branches of comparisons
 * of floats here, and no vectors. */
SK_INLINE float cut_light(float light)
{
    int32_t bits;
    memcpy(&bits, &light, sizeof bits);
    bits &= -(int32_t)(light > 0);
    bits = bits < ONE ? bits : ONE;
    memcpy(&light, &bits, sizeof bits);
    return light;
}

#define LINEAR(T)                                                                             \
    static void decode_##T(const void *values, float *light, size_t n)                        \
    {                                                                                         \
        const sk_##T *restrict x = values;                                                    \
        float *restrict y = light;                                                            \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] = x[i] / (float)(sk_##T) ~0u; \
    }                                                                                         \
    static void encode_##T(const float *light, void *values, size_t n)                        \
    {                                                                                         \
        const float *restrict x = light;                                                      \
        sk_##T *restrict y = values;                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] =                             \
            (sk_##T)(int32_t)(cut_light(x[i]) * (float)(sk_##T) ~0u + 0.5f);                  \
    }
LINEAR(u8)
LINEAR(u16)

#define HALVE(channels)                                                                                       \
    static void halve_##channels(const float *row, float *means, size_t n)                                    \
    {                                                                                                         \
        float *restrict y = means;                                                                            \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) for (size_t c = 0; c < (channels); c++)            \
            y[i * (channels) + c] = (row[2 * i * (channels) + c] + row[(2 * i + 1) * (channels) + c]) * 0.5f; \
    }
HALVE(1)
HALVE(2)
HALVE(3)
HALVE(4)

static void mean(const float *a, const float *b, float *means, size_t n)
{
    float *restrict y = means;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = (a[i] + b[i]) * 0.5f;
}

const sk_light_kernels SK_ISA_NAME(sk_light_kernels) = {
    .decode_u8 = decode_u8,
    .decode_u16 = decode_u16,
    .encode_u8 = encode_u8,
    .encode_u16 = encode_u16,
    .halve = {halve_1, halve_2, halve_3, halve_4},
    .mean = mean,
};
