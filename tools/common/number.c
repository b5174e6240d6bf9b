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

/* The fewest digits that read back the same: with up to `sure` digits a number that is not too small is the nearest to
 * its text whatever that is, so one that has fewer ends in zeros, which %g leaves out. */
static char *put_float(char *to, double value, bool is_single)
{
    int sure = is_single ? FLT_DIG : DBL_DIG, most = is_single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    if (isnan(value))
        return to + sprintf(to, signbit(value) ? "-nan" : "nan");
    bool normal = value == 0 || fabs(value) >= (is_single ? (double)FLT_MIN : DBL_MIN);
    for (int digits = normal ? sure : 1;; digits++) {
        int length = snprintf(to, NUMBER_BYTES, "%.*g", digits, value);
        bool same = is_single ? strtof(to, NULL) == (float)value : strtod(to, NULL) == value;
        if (same || digits == most)
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

static double as_single(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define PUT_unsigned(bits, ctype) put_unsigned(to, bits)
#define PUT_signed(bits, ctype) put_integer(to, (uint64_t)(int64_t)(ctype)bits, (ctype)bits < 0)
#define PUT_float(bits, ctype) put_float(to, sizeof(ctype) == 4 ? as_single(bits) : as_double(bits), sizeof(ctype) == 4)

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
