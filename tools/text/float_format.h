/* float_format.h - the binary formats of floats (IEEE 754), for conversions that work on their bits. */
#ifndef FLOAT_FORMAT_H
#define FLOAT_FORMAT_H

#include <stdint.h>

/* Of functions that are given a constant format. */
#define ALWAYS_INLINE __attribute__((always_inline))

struct float_format {
    unsigned size, precision; /* bytes; significant bits, the hidden one too */
    int least;                /* exponent of the least normal number */
    int sure;                 /* a text of up to this many digits survives the way to a float and back */
};

static const struct float_format f16_format = {2, 11, -14, 3}, f32_format = {4, 24, -126, 6},
                                 f64_format = {8, 53, -1022, 15};

/* The bits of infinity; greater ones, but for the sign, are no numbers. */
static inline uint64_t float_infinity(const struct float_format *format)
{
    unsigned fraction = format->precision - 1, exponent = 8 * format->size - 1 - fraction;
    return (((uint64_t)1 << exponent) - 1) << fraction;
}

static inline uint64_t float_sign(const struct float_format *format)
{
    return (uint64_t)1 << (8 * format->size - 1);
}

static inline const struct float_format *float_format_of(uint64_t size)
{
    return size == f16_format.size ? &f16_format : size == f32_format.size ? &f32_format : &f64_format;
}

#endif
