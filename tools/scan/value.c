/* value.c - see value.h. */
#include "value.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

static scankit_key only_field(const struct schema *schema)
{
    if (scankit_layout_count(schema->layout) != 1)
        fail_usage("records have %zu fields: say which one to scan with --value", scankit_layout_count(schema->layout));
    const scankit_field *field = scankit_layout_field(schema->layout, 0);
    return (scankit_key){.type = field->type, .size = field->size, .big_endian = field->big_endian};
}

void value_choose(struct value *value, const struct schema *schema, const char *text, bool big_endian)
{
    size_t count = 0;
    scankit_key key;
    if (text == NULL)
        key = only_field(schema);
    else
        schema_parse_keys(schema, "value", text, big_endian, &key, 1, &count);
    if (text != NULL && key.descending)
        fail_usage("--value=%s: values have no order, so nothing can be descending", text);
    if (key.type == SCANKIT_BYTES)
        fail_usage("opaque bytes are not numbers, and cannot be scanned");
    *value = (struct value){.type = key.type, .stored = key.type, .offset = key.offset, .element = schema->size};
    value->size = scankit_type_size(key.type);
    value->swapped = key.big_endian && value->size > 1;
    value->whole = value->size == value->element && !value->swapped;
}

void value_widen(struct value *value, scankit_operator op)
{
    if (value->stored != SCANKIT_F16 || (op != SCANKIT_SUM && op != SCANKIT_PROD))
        return;
    value->type = SCANKIT_F32;
    value->size = scankit_type_size(value->type);
    value->whole = false;
}

static bool is_widened(const struct value *value)
{
    return value->type != value->stored;
}

#define bswap_8(bits) (bits)

/* Copies values of BITS bits between two arrays with strides. */
#define MOVE(BITS)                                                                                                 \
    static void move_##BITS(char *to, size_t to_stride, const char *from, size_t from_stride, size_t n, bool swap) \
    {                                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                           \
            uint##BITS##_t bits;                                                                                   \
            memcpy(&bits, from + i * from_stride, sizeof bits);                                                    \
            if (swap)                                                                                              \
                bits = bswap_##BITS(bits);                                                                         \
            memcpy(to + i * to_stride, &bits, sizeof bits);                                                        \
        }                                                                                                          \
    }
MOVE(8)
MOVE(16)
MOVE(32)
MOVE(64)

static void move(const struct value *value, char *to, size_t to_stride, const char *from, size_t from_stride, size_t n)
{
    switch (value->size) {
    case 1: move_8(to, to_stride, from, from_stride, n, value->swapped); break;
    case 2: move_16(to, to_stride, from, from_stride, n, value->swapped); break;
    case 4: move_32(to, to_stride, from, from_stride, n, value->swapped); break;
    case 8: move_64(to, to_stride, from, from_stride, n, value->swapped); break;
    default: abort(); /* types.h has no other sizes */
    }
}

static uint16_t swap_half(const struct value *value, uint16_t bits)
{
    return value->swapped ? bswap_16(bits) : bits;
}

static void gather_halves(const struct value *value, const char *elements, size_t n, char *values)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, elements + i * value->element, sizeof bits);
        float wide = scankit_f16_to_f32((scankit_f16){swap_half(value, bits)});
        memcpy(values + i * sizeof wide, &wide, sizeof wide);
    }
}

static void scatter_halves(const struct value *value, const char *values, size_t n, char *elements)
{
    for (size_t i = 0; i < n; i++) {
        float wide;
        memcpy(&wide, values + i * sizeof wide, sizeof wide);
        uint16_t bits = swap_half(value, scankit_f16_from_f32(wide).bits);
        memcpy(elements + i * value->element, &bits, sizeof bits);
    }
}

scankit_field value_store(const struct value *value, const char *scanned, char *stored)
{
    struct value alone = *value;
    alone.offset = 0;
    alone.swapped = false;
    value_scatter(&alone, scanned, 1, stored);
    return (scankit_field){.type = value->stored, .size = scankit_type_size(value->stored)};
}

void value_gather(const struct value *value, const char *elements, size_t n, char *values)
{
    if (is_widened(value)) {
        gather_halves(value, elements + value->offset, n, values);
        return;
    }
    move(value, values, value->size, elements + value->offset, value->element, n);
}

void value_scatter(const struct value *value, const char *values, size_t n, char *elements)
{
    if (is_widened(value)) {
        scatter_halves(value, values, n, elements + value->offset);
        return;
    }
    move(value, elements + value->offset, value->element, values, value->size, n);
}
