/* value.c - see value.h. */
#include "value.h"

#include <endian.h>
#include <string.h>

#include "digits.h"
#include "float_read.h"

static bool is_blank(char byte, char delimiter)
{
    return (byte == ' ' || byte == '\t') && byte != delimiter;
}

static const char *pass_blanks(const char *text, char delimiter)
{
    while (is_blank(*text, delimiter))
        text++;
    return text;
}

/* The delimiter or line feed that ends a value, behind blanks and a carriage return; NULL if there is something else.
 */
static const char *end_of_value(const char *text, char delimiter)
{
    if (*text == '\n' || *text == delimiter)
        return text;
    text = pass_blanks(text, delimiter);
    text += *text == '\r' && text[1] == '\n';
    return *text == '\n' || *text == delimiter ? text : NULL;
}

static const char *quoted_end(const char *text)
{
    for (text++; *text != '\n'; text++) {
        if (*text != '"')
            continue;
        if (text[1] != '"')
            return text;
        text++;
    }
    return NULL;
}

const char *column_end(const char *text, char delimiter)
{
    const char *begin = pass_blanks(text, delimiter);
    if (*begin == '"' && delimiter != '"') {
        begin = quoted_end(begin);
        return begin == NULL ? NULL : column_end(begin + 1, delimiter);
    }
    while (*text != delimiter && *text != '\n')
        text++;
    return text;
}

/* ---- values ---- */

static inline void store(const struct text_field *field, uint64_t bits, char *element)
{
    char *to = element + field->field.offset;
    bits = field->field.big_endian ? htobe64(bits << (64 - 8 * field->field.size)) : htole64(bits);
    switch (field->field.size) {
    case 1: memcpy(to, &bits, 1); break;
    case 2: memcpy(to, &bits, 2); break;
    case 4: memcpy(to, &bits, 4); break;
    default: memcpy(to, &bits, 8); break;
    }
}

static const char *read_integer(const struct text_field *field, const char *text, char delimiter, char *element,
                                bool *beyond)
{
    bool negative = *text == '-';
    uint64_t value;
    text += negative || *text == '+';
    const char *digits = text;
    bool fits = read_digits(&text, &value);
    if (text == digits || (text = end_of_value(text, delimiter)) == NULL)
        return NULL;
    *beyond = !fits || value > (negative ? field->is_signed ? field->most + 1 : 0 : field->most);
    store(field, negative ? -value : value, element);
    return *beyond ? NULL : text;
}

/* Most integers: up to 19 digits, with nothing around them but a minus. Returns NULL if read_integer() decides. */
static inline const char *read_short_integer(const struct text_field *field, const char *text, char delimiter,
                                             char *element)
{
    bool negative = *text == '-';
    uint64_t value = 0, part = 0;
    text += negative;
    unsigned count = eight_digits(text, &value), all = count;
    for (unsigned left = 2; count == 8 && left > 0; left--) {
        count = eight_digits(text + all, &part);
        value = count > 0 ? value * digits_powers[count] + part : value;
        all += count;
    }
    text += all;
    if (all == 0 || all > 19 || (*text != '\n' && *text != delimiter))
        return NULL;
    if (value > field->most || (negative && !field->is_signed))
        return NULL;
    store(field, negative ? -value : value, element);
    return text;
}

/* Most floats: nothing is around them. Returns NULL if read_float() decides. */
static inline const char *read_short_float(const struct text_field *field, const char *text, char delimiter,
                                           char *element)
{
    uint64_t bits;
    const char *end = float_read(float_format_of(field->field.size), text, &bits);
    if (end == NULL || (*end != '\n' && *end != delimiter))
        return NULL;
    store(field, bits, element);
    return end;
}

/* The end of a value without the blanks behind it. */
static const char *trimmed_end(const char *text, const char *end)
{
    while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return end;
}

static const char *read_float(const struct text_field *field, const char *text, char delimiter, char *element)
{
    const struct float_format *format = float_format_of(field->field.size);
    uint64_t bits;
    const char *end = float_read(format, text, &bits);
    if (end == NULL || (end = end_of_value(end, delimiter)) == NULL) {
        end = column_end(text, delimiter);
        if (end == NULL || !float_read_any(format, text, (size_t)(trimmed_end(text, end) - text), &bits))
            return NULL;
    }
    store(field, bits, element);
    return end;
}

static int hexadecimal(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = digit == '\0' ? NULL : strchr(digits, digit);
    return at == NULL ? -1 : (int)(at - digits) % 16;
}

/* Opaque bytes, as put_field() prints them: \xHH is a byte, and zeros follow. Quotes are doubled where they enclose it.
 */
static const char *read_bytes(const struct text_field *field, const char *text, char delimiter, char *element)
{
    const char *end = column_end(text, delimiter);
    bool quoted = delimiter == '"';
    char *to = element + field->field.offset, *limit = to + field->field.size;
    if (quoted)
        end = quoted_end(text - 1);
    if (end == NULL)
        return NULL;
    const char *last = *end == '\n' && end > text && end[-1] == '\r' ? end - 1 : end;
    memset(to, 0, field->field.size);
    while (text < last) {
        int high = text + 4 <= last && text[0] == '\\' && text[1] == 'x' ? hexadecimal(text[2]) : -1;
        int low = high < 0 ? -1 : hexadecimal(text[3]);
        if (to == limit || *text == '\0')
            return NULL;
        *to++ = low < 0 ? *text : (char)(high << 4 | low);
        text += low < 0 ? 1 + (quoted && *text == '"') : 4;
    }
    return end;
}

static const char *read_plain(const struct text_field *field, const char *text, char delimiter, char *element,
                              bool *beyond)
{
    if (field->is_bytes)
        return read_bytes(field, text, delimiter, element);
    text = pass_blanks(text, delimiter);
    return field->is_float ? read_float(field, text, delimiter, element)
                           : read_integer(field, text, delimiter, element, beyond);
}

static const char *read_quoted(const struct text_field *field, const char *text, char delimiter, char *element,
                               bool *beyond)
{
    text = read_plain(field, text + 1, '"', element, beyond);
    return text == NULL || *text != '"' ? NULL : end_of_value(text + 1, delimiter);
}

static void note_error(struct line_error *error, const struct text_field *field, const char *text, char delimiter,
                       bool beyond)
{
    const char *begin = pass_blanks(text, delimiter), *end = column_end(begin, delimiter);
    *error = (struct line_error){.at = begin, .field = field, .beyond = beyond};
    if (end == NULL)
        error->what = "a quote is missing";
    else
        error->bytes = (size_t)(trimmed_end(begin, end) - begin);
}

static const char *read_any(const struct text_field *field, const char *text, char delimiter, char *element,
                            struct line_error *error)
{
    bool beyond = false;
    const char *begin = pass_blanks(text, delimiter), *end = read_plain(field, text, delimiter, element, &beyond);
    if (*begin == '"' && (end == NULL || field->is_bytes))
        end = read_quoted(field, begin, delimiter, element, &beyond);
    if (end == NULL)
        note_error(error, field, text, delimiter, beyond);
    return end;
}

const char *value_read(const struct text_field *field, const char *text, char delimiter, char *element,
                       struct line_error *error)
{
    const char *end = NULL;
    if (field->is_float)
        end = read_short_float(field, text, delimiter, element);
    else if (!field->is_bytes)
        end = read_short_integer(field, text, delimiter, element);
    return end != NULL ? end : read_any(field, text, delimiter, element, error);
}
