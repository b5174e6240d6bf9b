/* text_format.c - see text_format.h. */
#include "text_format.h"

#include <stdlib.h>

#include "common/types.h"
#include "number.h"

#define DELIMITER '\t'

static struct text_field field_of(const scankit_field *field)
{
    enum type_kind kind = type_kind(field->type);
    struct text_field text = {.field = *field,
                              .is_signed = kind == TYPE_signed,
                              .is_float = kind == TYPE_float,
                              .is_bytes = kind == TYPE_opaque};
    if (field->size <= sizeof text.most)
        text.most = UINT64_MAX >> (64 - 8 * field->size + text.is_signed);
    return text;
}

void text_format_open(struct text_format *format, const scankit_layout *layout, const struct common *common)
{
    size_t count = scankit_layout_count(layout);
    *format = (struct text_format){.size = scankit_layout_size(layout),
                                   .delimiter = common->delimiter != '\0' ? common->delimiter : DELIMITER,
                                   .column = common->column > 0 ? common->column - 1 : 0,
                                   .only = common->column == 0};
    format->fields = get_memory(count * sizeof *format->fields);
    for (size_t i = 0; i < count; i++)
        if (is_shown(scankit_layout_field(layout, i)))
            format->fields[format->count++] = field_of(scankit_layout_field(layout, i));
    format->padded = format->count < count;
    format->separated = format->count != 1 || common->column > 0 || common->delimiter != '\0';
    format->floats = format->count == 1 && !format->separated && !format->padded && format->fields[0].is_float &&
                     !format->fields[0].field.big_endian;
    if (format->count == 0)
        fail_usage("records without a named field cannot be text");
}

void text_format_close(struct text_format *format)
{
    free(format->fields);
}
