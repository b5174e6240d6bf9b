/* text.c - gpurle -c: a line for each run, its count and the fields of its first element. */
#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "rle.h"
#include "stream.h"

#define BLOCK_BYTES ((size_t)1 << 20)
#define NUMBER_BYTES ((size_t)32) /* at most, of a number as text, and what separates it */
#define COUNT_COLUMNS 7

struct text {
    struct finding finding;
    struct output output;
    struct writer *writer;
    char *block;        /* or NULL */
    size_t used, bytes; /* of a block */
    size_t line;        /* at most, of a line */
};

/* ---- numbers ---- */

static char *put_unsigned(char *to, uint64_t value)
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

/* ---- fields ---- */

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

static char *put_field(char *to, const scankit_field *field, const char *from)
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

/* ---- lines ---- */

static bool is_shown(const scankit_field *field)
{
    return field->name[0] != '\0';
}

static size_t longest_line(const scankit_layout *layout)
{
    size_t bytes = NUMBER_BYTES;
    for (size_t i = 0; i < scankit_layout_count(layout); i++) {
        const scankit_field *field = scankit_layout_field(layout, i);
        bytes += field->type == SCANKIT_BYTES ? strlen("\\xHH") * field->size + 1 : NUMBER_BYTES;
    }
    return bytes;
}

static char *put_line(char *to, const scankit_layout *layout, const char *element, uint64_t count)
{
    char number[NUMBER_BYTES];
    size_t digits = (size_t)(put_unsigned(number, count) - number), spaces = COUNT_COLUMNS;
    spaces = spaces > digits ? spaces - digits : 0;
    memset(to, ' ', spaces);
    memcpy(to + spaces, number, digits);
    to += spaces + digits;
    char separator = ' ';
    for (size_t i = 0; i < scankit_layout_count(layout); i++) {
        const scankit_field *field = scankit_layout_field(layout, i);
        if (!is_shown(field))
            continue;
        *to++ = separator;
        to = put_field(to, field, element + field->offset);
        separator = '\t';
    }
    if (separator == ' ') /* there is no field to show */
        *to++ = ' ';
    *to++ = '\n';
    return to;
}

static void publish(struct text *text)
{
    if (text->block != NULL)
        writer_publish(text->writer, text->used);
    text->block = NULL;
    text->used = 0;
}

static size_t print_lines(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    struct text *text = state;
    const struct schema *schema = &text->finding.schema;
    for (size_t i = 0; i < runs; i++) {
        if (text->bytes - text->used < text->line)
            publish(text);
        if (text->block == NULL)
            text->block = writer_claim(text->writer);
        char *end = put_line(text->block + text->used, schema->layout, values + i * schema->size, counts[i]);
        text->used = (size_t)(end - text->block);
    }
    if (last)
        publish(text);
    return runs;
}

void print_runs(const struct rle *rle, char *const *paths, size_t count, struct stats *stats)
{
    struct text text = {.block = NULL};
    finding_open(&text.finding, rle, paths, count, stats);
    output_open(&text.output, rle->common.output == NULL ? "-" : rle->common.output, false, 0);
    text.line = longest_line(text.finding.schema.layout);
    text.bytes = text.line > BLOCK_BYTES ? text.line : BLOCK_BYTES;
    finding_measure(&text.finding, 0, 1);
    text.writer = writer_start(output_write, &text.output, text.bytes);
    finding_run(&text.finding, print_lines, &text, 0, true);
    writer_finish(text.writer);
    output_complete(&text.output);
    output_replace(&text.output);
    stats->bytes_out += text.output.bytes;
    finding_close(&text.finding);
}
