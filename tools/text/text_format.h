/* text_format.h - how elements are written as lines of text. */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

#include "common/options.h"
#include "scankit.h"

/* A field that is shown. */
struct text_field {
    scankit_field field;
    bool is_signed, is_float, is_bytes;
    uint64_t most; /* the greatest integer of the type */
};

/* An element is a line. Its fields are consecutive columns, between delimiters. */
struct text_format {
    struct text_field *fields;
    size_t count, size; /* of the fields; bytes of an element */
    bool padded;        /* elements have bytes that are not shown: zeros */
    char delimiter;
    bool separated; /* a line may have several columns */
    size_t column;  /* of the first field, from 0 */
    bool floats;    /* a line is one little-endian float, and nothing else */
    bool only;      /* no other columns may follow or precede the fields */
};

/* For elements of a layout, by --column and --delimiter. */
void text_format_open(struct text_format *format, const scankit_layout *layout, const struct common *common);
void text_format_close(struct text_format *format);

#endif
