/* float_write.c - see float_write.h. */
#include "float_write.h"

#include <endian.h>
#include <string.h>

#include "digits.h"
#include "shortest.h"

static inline char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static inline char *put_zeros(char *to, int count)
{
    for (; count > 0; count--)
        *to++ = '0';
    return to;
}

/* Writes 17 digits and returns the end of the first ones: the others have no meaning, but so no branch asks how many
 * there are. */
static inline char *put_digits(char *to, uint64_t value, unsigned digits)
{
    value *= digits_powers[17 - digits];
    *to = (char)('0' + value / digits_powers[16]);
    put_sixteen(to + 1, value % digits_powers[16]);
    return to + digits;
}

/* Digits with a point behind the first `before` ones, if others follow. */
static inline char *put_pointed(char *to, uint64_t value, int digits, int before)
{
    if (digits <= before)
        return put_digits(to, value, (unsigned)digits);
    char *end = put_digits(to + 1, value, (unsigned)digits);
    for (int i = 0; i < before; i++)
        to[i] = to[i + 1];
    to[before] = '.';
    return end;
}

static char *put_exponent(char *to, int exponent)
{
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    unsigned value = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (value >= 100)
        *to++ = (char)('0' + value / 100);
    *to++ = (char)('0' + value / 10 % 10);
    *to++ = (char)('0' + value % 10);
    return to;
}

/* As %g does, with the precision of the digits, but at least `sure`: an exponent is written if it is less than -4, or
 * not less than the precision. */
static inline ALWAYS_INLINE char *put_decimal(char *to, const struct decimal *decimal,
                                              const struct float_format *format)
{
    int digits = (int)count_digits(decimal->digits), last = decimal->exponent, first = last + digits - 1;
    int precision = digits > format->sure ? digits : format->sure;
    if (first < -4 || first >= precision)
        return put_exponent(put_pointed(to, decimal->digits, digits, 1), first);
    if (first < 0) {
        to = put_zeros(put_text(to, "0."), -1 - first);
        return put_digits(to, decimal->digits, (unsigned)digits);
    }
    return put_zeros(put_pointed(to, decimal->digits, digits, first + 1), last);
}

/* A half that is an integer of 1000 or more, or 0: its shortest number has fewer digits than it has before the point,
 * so that %g would write 5000 as 5e+03. */
static inline uint64_t large_half(uint64_t bits)
{
    unsigned exponent = (unsigned)(bits >> 10);
    uint64_t twice = exponent < 24 ? 0 : ((bits & 0x3ff) | 0x400) << (exponent - 24);
    return twice < 2000 || twice % 2 != 0 ? 0 : twice / 2;
}

static inline ALWAYS_INLINE char *put_number(char *to, uint64_t bits, const struct float_format *format,
                                             const struct powers *powers)
{
    uint64_t sign = float_sign(format), infinity = float_infinity(format);
    *to = '-';
    to += (bits & sign) != 0; /* no branch: signs may be in no order */
    bits &= sign - 1;
    if (bits >= infinity)
        return put_text(to, bits > infinity ? "nan" : "inf");
    uint64_t large = format->size == sizeof(uint16_t) ? large_half(bits) : 0;
    if (large > 0)
        return put_digits(to, large, count_digits(large));
    struct decimal decimal = shortest_decimal(format, bits, powers);
    return put_decimal(to, &decimal, format);
}

static inline ALWAYS_INLINE char *put_lines(char *to, const char *from, size_t n, const struct float_format *format)
{
    const struct powers *powers = powers_get();
    for (const char *end = from + n * format->size; from < end; from += format->size) {
        uint64_t bits = 0;
        memcpy(&bits, from, format->size);
        to = put_number(to, le64toh(bits), format, powers);
        *to++ = '\n';
    }
    return to;
}

char *put_float_lines(char *to, const char *from, size_t n, const struct float_format *format)
{
    switch (format->size) {
    case sizeof(uint16_t): return put_lines(to, from, n, &f16_format);
    case sizeof(float): return put_lines(to, from, n, &f32_format);
    default: return put_lines(to, from, n, &f64_format);
    }
}

char *put_float(char *to, uint64_t bits, const struct float_format *format)
{
    char value[sizeof bits];
    bits = htole64(bits);
    memcpy(value, &bits, sizeof bits);
    return put_float_lines(to, value, 1, format) - 1;
}
