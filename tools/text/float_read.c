/* float_read.c - see float_read.h. */
#include "float_read.h"

#include <ctype.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

#include "digits.h"
#include "float_round.h"

/* For what is rare. */
#define NO_INLINE __attribute__((noinline))

#define EXPONENT_MOST 100000
#define DIGITS_MOST 19 /* that 64 bits hold */

/* Reads an exponent. Returns false if it is not complete, or extreme. */
static NO_INLINE bool read_exponent(const char **text, int64_t *exponent)
{
    const char *at = *text;
    uint64_t value;
    bool negative = *++at == '-';
    at += *at == '-' || *at == '+';
    if (!read_digits(&at, &value) || value > EXPONENT_MOST)
        return false;
    *exponent += negative ? -(int64_t)value : (int64_t)value;
    *text = at;
    return true;
}

/* Digits, but for zeros in front, between two places of a number. */
static NO_INLINE unsigned significant_digits(const char *from, const char *to)
{
    unsigned count = 0;
    for (; from < to; from++)
        count += *from >= '0' && *from <= '9' && (count > 0 || *from != '0');
    return count;
}

/* Digits behind a point, appended to those in front of it. Zeros are appended, too: the exponent need not wait for the
 * number of digits. Returns their end. */
static inline ALWAYS_INLINE const char *read_fraction(const char *text, uint64_t *digits, int64_t *exponent)
{
    const char *point = text;
    uint64_t fraction;
    if (*digits >= UINT64_MAX / digits_powers[16]) {
        text = append_digits(text, digits);
        *exponent = point - text;
        return text;
    }
    unsigned count = sixteen_digits(text, &fraction);
    *digits = *digits * digits_powers[16] + fraction;
    *exponent = -16;
    text += count;
    if (count == 16) {
        text = append_digits(text, digits);
        *exponent = point - text;
    }
    return text;
}

/* Reads digits * 10^exponent without a sign. Often one digit is in front of the point. */
static inline ALWAYS_INLINE const char *read_decimal(const char *text, uint64_t *digits, int64_t *exponent)
{
    const char *begin = text;
    *digits = (unsigned char)(*text - '0');
    *exponent = 0;
    if (*digits <= 9 && text[1] == '.') {
        text = read_fraction(text + 2, digits, exponent);
    } else {
        *digits = 0;
        text = append_digits(text, digits);
        if (*text == '.')
            text = read_fraction(text + 1, digits, exponent);
        if (text - begin <= 1 && (unsigned char)(*begin - '0') > 9)
            return NULL;
    }
    if (text - begin > DIGITS_MOST && significant_digits(begin, text) > DIGITS_MOST)
        return NULL;
    return (*text == 'e' || *text == 'E') && !read_exponent(&text, exponent) ? NULL : text;
}

/* float_read() of a format that the compiler knows. */
static inline ALWAYS_INLINE const char *read_as(const struct float_format *format, const struct powers *powers,
                                                const char *text, uint64_t *bits)
{
    bool negative = *text == '-';
    uint64_t digits;
    int64_t exponent;
    text = read_decimal(text + (negative || *text == '+'), &digits, &exponent);
    if (text == NULL || ((digits == 0 || !round_quickly(format, powers, digits, exponent, bits)) &&
                         !round_decimal(format, digits, exponent, bits)))
        return NULL;
    *bits |= (uint64_t)negative << (8 * format->size - 1);
    return text;
}

const char *float_read(const struct float_format *format, const char *text, uint64_t *bits)
{
    const struct powers *powers = powers_get();
    switch (format->size) {
    case sizeof(uint16_t): return read_as(&f16_format, powers, text, bits);
    case sizeof(float): return read_as(&f32_format, powers, text, bits);
    default: return read_as(&f64_format, powers, text, bits);
    }
}

static inline ALWAYS_INLINE const char *read_lines(const struct float_format *format, const char *line, const char *end,
                                                   char **values)
{
    const struct powers *powers = powers_get();
    char *to = *values;
    for (; line < end; to += format->size) {
        uint64_t bits;
        const char *behind = read_as(format, powers, line, &bits);
        if (behind == NULL || *behind != '\n')
            break;
        bits = htole64(bits);
        memcpy(to, &bits, format->size);
        line = behind + 1;
    }
    *values = to;
    return line;
}

const char *float_read_lines(const struct float_format *format, const char *line, const char *end, char **values)
{
    switch (format->size) {
    case sizeof(uint16_t): return read_lines(&f16_format, line, end, values);
    case sizeof(float): return read_lines(&f32_format, line, end, values);
    default: return read_lines(&f64_format, line, end, values);
    }
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
