/* float_read.c - see float_read.h. The product of the digits and the power of ten, in 128 bits, lies within a few units
 * of the true value; unless the border between two floats lies there too, it tells the nearest float. (After Daniel
 * Lemire, "Number parsing at a gigabyte per second", 2021. His proof that one multiplication is nearly always enough is
 * not needed: both are done, and what they leave open, libc decides.) */
#include "float_read.h"

#include <ctype.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

#include "digits.h"
#include "power.h"

/* The true value is at least the product, and less than the product plus this much. */
#define UNITS 3

/* The product of 128 bits, times 2^(exponent - 127). rest: there are more bits behind it. */
struct product {
    uint64_t high, low; /* the highest bit is set */
    int exponent;
    bool exact, rest;
};

static struct product multiply(uint64_t digits, int q)
{
    int zeros = __builtin_clzll(digits);
    digits <<= zeros;
    uint128 power = power_of_ten(q), low = (uint128)(uint64_t)power * digits;
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

#define HALF ((uint64_t)1 << 63)

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
static bool round_product(const struct float_format *format, const struct product *product, uint64_t *bits)
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

static bool round_decimal(const struct float_format *format, uint64_t digits, int64_t q, uint64_t *bits)
{
    if (digits == 0 || q < POWER_LEAST) { /* 64 bits times 10^-343 are less than half of any float */
        *bits = 0;
        return true;
    }
    if (q > 308) {
        *bits = float_infinity(format);
        return true;
    }
    const struct product product = multiply(digits, (int)q);
    return round_product(format, &product, bits);
}

/* ---- text ---- */

#define EXPONENT_MOST 100000
#define DIGITS_MOST 19 /* that 64 bits hold */

/* Reads an exponent, if there is one. Returns false if it is not complete, or extreme. */
static bool read_exponent(const char **text, int64_t *exponent)
{
    const char *at = *text;
    uint64_t value;
    if (*at != 'e' && *at != 'E')
        return true;
    bool negative = *++at == '-';
    at += *at == '-' || *at == '+';
    if (!read_digits(&at, &value) || value > EXPONENT_MOST)
        return false;
    *exponent += negative ? -(int64_t)value : (int64_t)value;
    *text = at;
    return true;
}

/* Adds digits to a number. Its overflow shows in their count. */
static inline unsigned add_digits(const char **text, uint64_t *number)
{
    unsigned all = 0, count;
    uint64_t part;
    do {
        count = eight_digits(*text, &part);
        if (count > 0)
            *number = *number * digits_powers[count] + part;
        *text += count;
        all += count;
    } while (count == 8 && all < 64);
    return all;
}

/* Digits, but for zeros in front, between two places of a number. */
static unsigned significant_digits(const char *from, const char *to)
{
    unsigned count = 0;
    for (; from < to; from++)
        count += *from >= '0' && *from <= '9' && (count > 0 || *from != '0');
    return count;
}

const char *float_read(const struct float_format *format, const char *text, uint64_t *bits)
{
    bool negative = *text == '-';
    uint64_t digits = 0;
    int64_t exponent = 0;
    const char *begin = text += *text == '-' || *text == '+';
    unsigned count = add_digits(&text, &digits);
    if (*text == '.') {
        text++;
        unsigned behind = add_digits(&text, &digits);
        exponent = -(int64_t)behind;
        count += behind;
    }
    if (count == 0 || (count > DIGITS_MOST && significant_digits(begin, text) > DIGITS_MOST))
        return NULL;
    if (!read_exponent(&text, &exponent) || !round_decimal(format, digits, exponent, bits))
        return NULL;
    if (negative)
        *bits |= float_sign(format);
    return text;
}

/* ---- libc ---- */

static locale_t c_locale;
static pthread_once_t asked = PTHREAD_ONCE_INIT;

static void make_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* strtod() that rounds in the direction, which glibc's does. */
static double read_towards(const char *text, char **end, int direction)
{
    int before = fegetround();
    fesetround(direction);
    double value = strtod_l(text, end, c_locale);
    fesetround(before);
    return value;
}

/* A half from a double that was rounded to odd: if two doubles enclose the number, the one whose last bit is set. The
 * double then is on the same side of every border between two halves as the number (Boldo and Melquiond, "Emulation of
 * FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008). */
static uint64_t read_half(const char *text, char **end)
{
    double down = read_towards(text, end, FE_DOWNWARD), up = read_towards(text, end, FE_UPWARD);
    uint64_t bits, other, half, sign = float_sign(&f64_format), infinity = float_infinity(&f64_format);
    memcpy(&bits, &down, sizeof bits);
    memcpy(&other, &up, sizeof other);
    bits = (bits & 1) != 0 ? bits : other;
    uint64_t size = bits & (sign - 1), fraction = size & (((uint64_t)1 << 52) - 1);
    if (size >= infinity || size == 0) {
        half = size > infinity ? 0x7e00 : size == 0 ? 0 : 0x7c00;
    } else if (size >> 52 == 0) {
        half = 0;
    } else {
        const struct product product = {
            .high = (fraction | (uint64_t)1 << 52) << 11, .exponent = (int)(size >> 52) - 1023, .exact = true};
        round_product(&f16_format, &product, &half);
    }
    return half | ((bits & sign) != 0 ? 0x8000 : 0);
}

static uint64_t read_text(const struct float_format *format, const char *text, char **end)
{
    if (format->size == sizeof(float)) {
        float value = strtof_l(text, end, c_locale);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (format->size == sizeof(double)) {
        double value = strtod_l(text, end, c_locale);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    return read_half(text, end);
}

bool float_read_any(const struct float_format *format, const char *text, size_t bytes, uint64_t *bits)
{
    char copy[FLOAT_TEXT_MOST], *end;
    if (bytes == 0 || bytes >= sizeof copy || isspace((unsigned char)*text) || memchr(text, '\0', bytes) != NULL)
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    pthread_once(&asked, make_locale);
    *bits = read_text(format, copy, &end);
    return end == copy + bytes;
}
