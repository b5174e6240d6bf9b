/* float_round.h - digits times a power of ten, rounded to the nearest float. */
#ifndef FLOAT_ROUND_H
#define FLOAT_ROUND_H

#include <stdbool.h>

#include "float_format.h"
#include "power.h"

/* A product of 128 bits, times 2^(exponent - 127). rest: there are more bits behind it. */
struct product {
    uint64_t high, low; /* the highest bit is set */
    int exponent;
    bool exact, rest;
};

/* Each returns false if it leaves the nearest float open. The sign is for the caller. */
bool round_product(const struct float_format *format, const struct product *product, uint64_t *bits);

/* digits * 10^q */
bool round_decimal(const struct float_format *format, uint64_t digits, int64_t q, uint64_t *bits);

/* The same, only for normal floats, by the highest 64 bits of the power. digits: not 0. The true product lies less than
 * 2 units above the highest word of this product, and less than 4 once that is shifted by a bit. */
static inline ALWAYS_INLINE bool round_quickly(const struct float_format *format, const struct powers *powers,
                                               uint64_t digits, int64_t q, uint64_t *bits)
{
    if (q < POWER_LEAST || q > POWER_MOST)
        return false;
    int zeros = __builtin_clzll(digits);
    uint64_t product = (uint64_t)((uint128)(digits << zeros) * (uint64_t)(powers->down[q - POWER_LEAST] >> 64) >> 64);
    unsigned low = product >> 63 == 0, fraction = format->precision - 1, dropped = 63 - fraction;
    product <<= low;
    uint64_t half = (uint64_t)1 << (dropped - 1), behind = product & (2 * half - 1);
    unsigned exponent = (unsigned)(64 + power_log2((int)q) - zeros - (int)low - format->least);
    if (behind - (half - 3) <= 3 || exponent >= (unsigned)(float_infinity(format) >> fraction) - 1)
        return false;
    *bits = (((product >> (dropped - 1)) + 1) >> 1) + ((uint64_t)exponent << fraction);
    return true;
}

#endif
