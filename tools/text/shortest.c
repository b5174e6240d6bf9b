/* shortest.c - see shortest.h. Raffaello Giulietti, "The Schubfach way to render doubles", 2020: between the borders of
 * a float lies at most one multiple of 10^(k+1), and at least one of 10^k. Multiples are compared as quarters of units
 * of 10^k, rounded to odd: bits that were shifted out set the lowest one. */
#include "shortest.h"

#include <stdbool.h>

#include "power.h"

/* The product with a power of ten that was rounded up to 128 bits, divided by 2^128, rounded to odd. */
static uint64_t scale(uint128 power, uint64_t number)
{
    uint128 low = (uint128)(uint64_t)power * number, high = (uint128)(uint64_t)(power >> 64) * number;
    high += (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* significand * 2^exponent */
struct binary {
    uint64_t significand;
    int exponent;
    bool near; /* the next smaller float is nearer than the next greater one */
};

static struct binary split(const struct float_format *format, uint64_t bits)
{
    unsigned fraction = format->precision - 1;
    uint64_t hidden = (uint64_t)1 << fraction, significand = bits & (hidden - 1);
    int exponent = (int)((bits & (float_sign(format) - 1)) >> fraction), bias = format->least - 1 - (int)fraction;
    if (exponent == 0)
        return (struct binary){significand, 1 + bias, false};
    return (struct binary){significand | hidden, exponent + bias, significand == 0 && exponent > 1};
}

static struct decimal choose(const struct binary *binary)
{
    uint64_t c = binary->significand, odd = c & 1;
    int k = power_log10(binary->exponent, binary->near ? 524031 : 0);
    int shift = binary->exponent + power_log2(-k) + 1;
    uint128 power = power_of_ten(-k);
    if (-k < 0 || -k > POWER_EXACT)
        power++;
    uint64_t lower = scale(power, (4 * c - 2 + binary->near) << shift) + odd;
    uint64_t value = scale(power, (4 * c) << shift);
    uint64_t upper = scale(power, (4 * c + 2) << shift) - odd;
    uint64_t s = value / 4, tens = s / 10;
    bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (s >= 10 && down != up)
        return (struct decimal){tens + up, k + 1};
    down = lower <= 4 * s;
    up = 4 * s + 4 <= upper;
    if (down == up) { /* none or both: the nearest one */
        uint64_t middle = 4 * s + 2;
        up = value > middle || (value == middle && (s & 1) != 0);
    }
    return (struct decimal){s + up, k};
}

static struct decimal trim(struct decimal decimal)
{
    while (decimal.digits != 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

struct decimal shortest_decimal(const struct float_format *format, uint64_t bits)
{
    struct binary binary = split(format, bits);
    unsigned shift = (unsigned)-binary.exponent;
    if (binary.significand == 0)
        return (struct decimal){0, 0};
    if (shift < format->precision && (binary.significand & (((uint64_t)1 << shift) - 1)) == 0) /* an integer */
        return trim((struct decimal){binary.significand >> shift, 0});
    return trim(choose(&binary));
}
