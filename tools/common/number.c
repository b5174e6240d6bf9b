/* number.c - see number.h. */
#include "number.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

char *put_unsigned(char *to, uint64_t value)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[sizeof digits - ++count] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    memcpy(to, digits + sizeof digits - count, count);
    return to + count;
}

static char *put_integer(char *to, uint64_t bits, bool negative)
{
    if (negative)
        *to++ = '-';
    return put_unsigned(to, negative ? -bits : bits);
}

/* A format of floats. */
struct format {
    int sure;                     /* a text of up to this many digits survives the way to a float and back */
    int most;                     /* digits that tell any two floats apart */
    double least;                 /* normal number */
    double (*read)(const char *); /* a text as the nearest float */
};

static double f16_value(uint64_t bits)
{
    return (double)scankit_f16_to_f32((scankit_f16){(uint16_t)bits});
}

static double read_f16(const char *text)
{
    return f16_value(scankit_f16_from_f32(strtof(text, NULL)).bits);
}

static double read_f32(const char *text)
{
    return (double)strtof(text, NULL);
}

static double read_f64(const char *text)
{
    return strtod(text, NULL);
}

/* A half has 11 significant bits, and its least normal number is 2^-14. */
static const struct format f16_format = {3, 5, 0x1p-14, read_f16};
static const struct format f32_format = {FLT_DIG, FLT_DECIMAL_DIG, (double)FLT_MIN, read_f32};
static const struct format f64_format = {DBL_DIG, DBL_DECIMAL_DIG, DBL_MIN, read_f64};

/* The fewest digits that read back the same. Of a normal number with at most `sure` digits, %g with `sure` digits
 * prints just those, for it leaves trailing zeros out. */
static char *put_float(char *to, double value, const struct format *format)
{
    if (isnan(value))
        return to + sprintf(to, signbit(value) ? "-nan" : "nan");
    bool normal = value == 0 || fabs(value) >= format->least;
    for (int digits = normal ? format->sure : 1;; digits++) {
        int length = snprintf(to, NUMBER_BYTES, "%.*g", digits, value);
        if (format->read(to) == value || digits == format->most)
            return to + length;
    }
}

/* A number's bits; types.h knows that they fit. */
static uint64_t load(const scankit_field *field, const char *from)
{
    uint64_t bits = 0;
    memcpy(&bits, from, field->size);
    if (field->big_endian)
        return be64toh(bits) >> (64 - 8 * field->size);
    return le64toh(bits);
}

static char *put_bytes(char *to, const char *from, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    while (bytes > 0 && from[bytes - 1] == '\0')
        bytes--;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)from[i];
        if (byte >= ' ' && byte <= '~' && byte != '\\') {
            *to++ = (char)byte;
            continue;
        }
        *to++ = '\\';
        *to++ = 'x';
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
    }
    return to;
}

static double f32_value(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static double f64_value(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* %g would write 5000 as 5e+03: a half has fewer digits than a large half has before the point. */
static char *put_f16(char *to, uint64_t bits)
{
    double value = f16_value(bits);
    char *end = put_float(to, value, &f16_format);
    return fabs(value) >= 1 && strchr(to, 'e') != NULL ? to + sprintf(to, "%.0f", value) : end;
}

/* The C type of the kind `float` is float or double. */
#define PUT_unsigned(bits, ctype) put_unsigned(to, bits)
#define PUT_signed(bits, ctype) put_integer(to, (uint64_t)(int64_t)(ctype)bits, (ctype)bits < 0)
#define PUT_half(bits, ctype) put_f16(to, bits)
#define PUT_float(bits, ctype)                                                    \
    (sizeof(ctype) == sizeof(float) ? put_float(to, f32_value(bits), &f32_format) \
                                    : put_float(to, f64_value(bits), &f64_format))

char *put_field(char *to, const scankit_field *field, const char *from)
{
    if (field->type == SCANKIT_BYTES)
        return put_bytes(to, from, field->size);
    uint64_t bits = load(field, from);
    switch (field->type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return PUT_##kind(bits, ctype);
        SCANKIT_TYPES(X)
#undef X
    default: return to;
    }
}
