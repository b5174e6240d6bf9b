/* number.c - see number.h. */
#include "number.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What printing a float type has to know: the decimal digits that survive reading and printing, the digits that tell
 * all values apart, the least normal number, and the value that a text reads as. */
struct float_format {
    int sure, most;
    double least_normal;
    double (*read)(const char *text);
};

static double read_half(const char *text)
{
    return (double)scankit_f16_to_f32(scankit_f16_from_f32(strtof(text, NULL)));
}

static double read_single(const char *text)
{
    return (double)strtof(text, NULL);
}

static double read_double(const char *text)
{
    return strtod(text, NULL);
}

static const struct float_format half_format = {3, 5, 0x1p-14, read_half};
static const struct float_format single_format = {FLT_DIG, FLT_DECIMAL_DIG, (double)FLT_MIN, read_single};
static const struct float_format double_format = {DBL_DIG, DBL_DECIMAL_DIG, DBL_MIN, read_double};

/* The fewest digits that read back the same. With up to `sure` digits the text of a normal number reads back as that
 * number; %g leaves out the zeros at its end. */
static char *put_float(char *to, double value, const struct float_format *format)
{
    if (isnan(value))
        return to + sprintf(to, signbit(value) ? "-nan" : "nan");
    bool normal = value == 0 || fabs(value) >= format->least_normal;
    for (int digits = normal ? format->sure : 1;; digits++) {
        int length = snprintf(to, NUMBER_BYTES, "%.*g", digits, value);
        if (digits == format->most || format->read(to) == value)
            return to + length;
    }
}

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

static char *put_half(char *to, uint64_t bits)
{
    return put_float(to, (double)scankit_f16_to_f32((scankit_f16){(uint16_t)bits}), &half_format);
}

static char *put_single(char *to, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return put_float(to, (double)value, &single_format);
}

static char *put_double(char *to, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return put_float(to, value, &double_format);
}

#define PUT_unsigned(bits, ctype) put_unsigned(to, bits)
#define PUT_signed(bits, ctype) put_integer(to, (uint64_t)(int64_t)(ctype)bits, (ctype)bits < 0)
#define PUT_half(bits, ctype) put_half(to, bits)
#define PUT_float(bits, ctype) sizeof(ctype) == sizeof(float) ? put_single(to, bits) : put_double(to, bits)

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
