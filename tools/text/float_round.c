/* float_round.c - see float_round.h. The product of the digits and the power of ten, in 128 bits, lies within a few
 * units of the true value; unless the border between two floats lies there too, it tells the nearest float. (After
 * Daniel Lemire, "Number parsing at a gigabyte per second", 2021. His proof that one multiplication is nearly always
 * enough is not needed: what one leaves open, two multiplications decide, or else libc.) */
#include "float_round.h"

#define HALF ((uint64_t)1 << 63)

/* The true value is at least the product, and less than the product plus this much. */
#define UNITS 3

static struct product multiply(uint64_t digits, int q)
{
    int zeros = __builtin_clzll(digits);
    digits <<= zeros;
    uint128 power = powers_get()->down[q - POWER_LEAST], low = (uint128)(uint64_t)power * digits;
    uint128 high = (uint128)(uint64_t)(power >> 64) * digits + (uint64_t)(low >> 64);
    uint64_t last = (uint64_t)low;
    unsigned shift = high >> 127 == 0; /* no branch: half of the products need it, in no order */
    struct product product = {.low = (uint64_t)(high << shift) | (last >> 63 & shift),
                              .high = (uint64_t)(high << shift >> 64),
                              .exponent = 64 + power_log2(q) - zeros - (int)shift};
    product.exact = q >= 0 && q <= POWER_EXACT;
    product.rest = last << shift != 0;
    return product;
}

/* Rounds to `keep` bits, less than 64. Returns false if that is not decided: the bits behind them are less than half,
 * by less than UNITS. */
static inline bool round_to(const struct product *product, unsigned keep, uint64_t *significand)
{
    uint64_t kept = keep == 0 ? 0 : product->high >> (64 - keep);
    uint64_t behind = product->high << keep; /* and then `low` */
    bool up = behind >= HALF;
    if (behind == HALF - ((uint64_t)1 << keep) && product->low > UINT64_MAX - (UNITS - 1) && !product->exact)
        return false;
    if (behind == HALF && product->low == 0 && product->exact)
        up = product->rest || (kept & 1) != 0;
    *significand = kept + up;
    return true;
}

/* Below the least normal number, fewer bits are kept. A significand that becomes too large is carried to the exponent,
 * as it should be. */
bool round_product(const struct float_format *format, const struct product *product, uint64_t *bits)
{
    int precision = (int)format->precision, exponent = product->exponent - format->least;
    int keep = exponent < 0 ? precision + exponent : precision;
    uint64_t significand, infinity = float_infinity(format);
    *bits = keep < 0 ? 0 : infinity;
    if (keep < 0)
        return keep < -1 || product->high < UINT64_MAX || product->low <= UINT64_MAX - UNITS;
    if (exponent >= (int)(infinity >> (precision - 1)))
        return true;
    if (!round_to(product, (unsigned)keep, &significand))
        return false;
    significand += exponent > 0 ? (uint64_t)exponent << (precision - 1) : 0;
    if (significand < infinity)
        *bits = significand;
    return true;
}

bool round_decimal(const struct float_format *format, uint64_t digits, int64_t q, uint64_t *bits)
{
    if (digits == 0 || q < POWER_LEAST) { /* 64 bits times 10^-343 are less than half of any float */
        *bits = 0;
        return true;
    }
    if (q > 308) {
        *bits = float_infinity(format);
        return true;
    }
    for (; q < 0 && digits % 10 == 0; q++) /* a power that is exact tells of a tie */
        digits /= 10;
    const struct product product = multiply(digits, (int)q);
    return round_product(format, &product, bits);
}
