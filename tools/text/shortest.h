/* shortest.h - the shortest decimal number that is read back as the same float. Raffaello Giulietti, "The Schubfach way
 * to render doubles", 2020: between the borders of a float lies at most one multiple of 10^(k+1), and at least one of
 * 10^k. Multiples are compared as quarters of units of 10^k, rounded to odd: bits that were shifted out set the lowest
 * one. All is inline, for the format is a constant where it is used. */
#ifndef SHORTEST_H
#define SHORTEST_H

#include <stdbool.h>

#include "float_format.h"
#include "power.h"

/* digits * 10^exponent; digits do not end in 0, except for 0 itself. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* The product with a power of ten that was rounded up to 128 bits, divided by 2^128, rounded to odd. */
static inline uint64_t scale(uint128 power, uint64_t number)
{
    uint128 low = (uint128)(uint64_t)power * number, high = (uint128)(uint64_t)(power >> 64) * number;
    high += (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The same of a power in 64 bits: enough for single precision, as a test of all floats showed. */
static inline uint64_t scale_short(uint64_t power, uint64_t number)
{
    uint128 product = (uint128)power * number;
    return (uint64_t)(product >> 64) | ((uint64_t)product >> 32 > 1);
}

/* significand * 2^exponent */
struct binary {
    uint64_t significand;
    int exponent;
    bool near; /* the next smaller float is nearer than the next greater one */
};

static inline ALWAYS_INLINE struct binary split(const struct float_format *format, uint64_t bits)
{
    unsigned fraction = format->precision - 1;
    uint64_t hidden = (uint64_t)1 << fraction, significand = bits & (hidden - 1);
    int exponent = (int)((bits & (float_sign(format) - 1)) >> fraction), bias = format->least - 1 - (int)fraction;
    if (exponent == 0)
        return (struct binary){significand, 1 + bias, false};
    return (struct binary){significand | hidden, exponent + bias, significand == 0 && exponent > 1};
}

/* Borders, and the value between them, in quarters of units of 10^k. */
struct scaled {
    uint64_t lower, value, upper;
};

/* power: 10^-k, rounded up. */
static inline ALWAYS_INLINE struct scaled scale_all(const struct float_format *format, const struct binary *binary,
                                                    int k, uint128 power)
{
    uint64_t c = binary->significand, odd = c & 1, high = (uint64_t)((power - 1) >> 64) + 1;
    int shift = binary->exponent + power_log2(-k) + 1;
    uint64_t lower = (4 * c - 2 + binary->near) << shift, value = (4 * c) << shift, upper = (4 * c + 2) << shift;
    if (format->size < sizeof(double))
        return (struct scaled){scale_short(high, lower) + odd, scale_short(high, value),
                               scale_short(high, upper) - odd};
    return (struct scaled){scale(power, lower) + odd, scale(power, value), scale(power, upper) - odd};
}

/* No branch: which number of digits suffices cannot be predicted. */
static inline ALWAYS_INLINE struct decimal choose(const struct float_format *format, const struct binary *binary,
                                                  const struct powers *powers)
{
    int k = power_log10(binary->exponent, binary->near ? 524031 : 0);
    const struct scaled scaled = scale_all(format, binary, k, powers->up[-k - POWER_LEAST]);
    uint64_t ones = scaled.value / 4, tens = ones / 10, middle = 4 * ones + 2;
    uint64_t down = scaled.lower <= 40 * tens, up = 40 * tens + 40 <= scaled.upper;
    uint64_t fewer = -((ones >= 10) & (down ^ up));
    tens += up;
    down = scaled.lower <= 4 * ones;
    up = 4 * ones + 4 <= scaled.upper;
    uint64_t nearer = (scaled.value > middle) | ((scaled.value == middle) & ones); /* if both or none fit */
    ones += up ^ ((up ^ nearer) & (down ^ up ^ 1) & 1);
    return (struct decimal){ones ^ ((ones ^ tens) & fewer), k + (int)(fewer & 1)};
}

static inline struct decimal trim(struct decimal decimal)
{
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

/* Of the shortest decimal numbers that are read back the same, the nearest to the float. bits: of a finite float,
 * without its sign. */
static inline ALWAYS_INLINE struct decimal shortest_decimal(const struct float_format *format, uint64_t bits,
                                                            const struct powers *powers)
{
    struct binary binary = split(format, bits);
    unsigned shift = (unsigned)-binary.exponent;
    if (binary.significand == 0)
        return (struct decimal){0, 0};
    if (shift < format->precision && (binary.significand & (((uint64_t)1 << shift) - 1)) == 0) /* an integer */
        return trim((struct decimal){binary.significand >> shift, 0});
    return trim(choose(format, &binary, powers));
}

#endif
