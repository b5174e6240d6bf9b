/* number.c - see number.h. */
#include "number.h"

#include <endian.h>
#include <string.h>

#include "common/types.h"
#include "digits.h"
#include "float_write.h"

/* ---- integers ---- */

#define PAIRS(tens) tens "0" tens "1" tens "2" tens "3" tens "4" tens "5" tens "6" tens "7" tens "8" tens "9"

static const char pairs[] =
    PAIRS("0") PAIRS("1") PAIRS("2") PAIRS("3") PAIRS("4") PAIRS("5") PAIRS("6") PAIRS("7") PAIRS("8") PAIRS("9");

/* Writes `digits` digits, from the last one on: four at a time, for a quotient waits for the one before it. */
static char *put_digits(char *to, uint64_t value, unsigned digits)
{
    char *end = to + digits;
    for (; digits >= 4; digits -= 4, value /= 10000) {
        unsigned four = (unsigned)(value % 10000);
        memcpy(to + digits - 2, pairs + four % 100 * 2, 2);
        memcpy(to + digits - 4, pairs + four / 100 * 2, 2);
    }
    unsigned rest = (unsigned)value;
    if (digits >= 2)
        memcpy(to + digits - 2, pairs + rest % 100 * 2, 2);
    if (digits % 2 != 0)
        *to = (char)('0' + (digits == 3 ? rest / 100 : rest));
    return end;
}

char *put_unsigned(char *to, uint64_t value)
{
    return put_digits(to, value, count_digits(value));
}

static char *put_integer(char *to, uint64_t bits, bool negative)
{
    if (negative)
        *to++ = '-';
    return put_unsigned(to, negative ? -bits : bits);
}

/* ---- fields ---- */

/* A number's bits; types.h knows that they fit. Sizes that the compiler knows need no call. */
static uint64_t load(const scankit_field *field, const char *from)
{
    uint64_t bits = 0;
    switch (field->size) {
    case 1: memcpy(&bits, from, 1); break;
    case 2: memcpy(&bits, from, 2); break;
    case 4: memcpy(&bits, from, 4); break;
    default: memcpy(&bits, from, 8); break;
    }
    if (field->big_endian)
        return be64toh(bits) >> (64 - 8 * field->size);
    return le64toh(bits);
}

static char *put_bytes(char *to, const char *from, size_t bytes, const char *escaped)
{
    static const char digits[] = "0123456789abcdef";
    while (bytes > 0 && from[bytes - 1] == '\0')
        bytes--;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)from[i];
        if (byte >= ' ' && byte <= '~' && byte != '\\' && strchr(escaped, byte) == NULL) {
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

/* The C type of the kind `float` is float or double. */
#define PUT_unsigned(bits, ctype) put_unsigned(to, bits)
#define PUT_signed(bits, ctype) put_integer(to, (uint64_t)(int64_t)(ctype)bits, (ctype)bits < 0)
#define PUT_half(bits, ctype) put_float(to, bits, &f16_format)
#define PUT_float(bits, ctype) put_float(to, bits, float_format_of(sizeof(ctype)))

char *put_field_escaping(char *to, const scankit_field *field, const char *from, const char *escaped)
{
    if (field->type == SCANKIT_BYTES)
        return put_bytes(to, from, field->size, escaped);
    uint64_t bits = load(field, from);
    switch (field->type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return PUT_##kind(bits, ctype);
        SCANKIT_TYPES(X)
#undef X
    default: return to;
    }
}

char *put_field(char *to, const scankit_field *field, const char *from)
{
    return put_field_escaping(to, field, from, "");
}

bool is_shown(const scankit_field *field)
{
    return field->name[0] != '\0';
}

size_t longest_fields(const scankit_layout *layout)
{
    size_t bytes = 0;
    for (size_t i = 0; i < scankit_layout_count(layout); i++) {
        const scankit_field *field = scankit_layout_field(layout, i);
        if (is_shown(field))
            bytes += field->type == SCANKIT_BYTES ? strlen("\\xHH") * field->size + 1 : NUMBER_BYTES;
    }
    return bytes;
}
