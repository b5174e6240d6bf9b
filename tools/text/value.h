/* value.h - one column of a line as a field's value. */
#ifndef VALUE_H
#define VALUE_H

#include "line.h"

/* Reads a value, to the field's place in the element. Returns the delimiter or line feed behind it, or NULL. */
const char *value_read(const struct text_field *field, const char *text, char delimiter, char *element,
                       struct line_error *error);

/* The end of a column, which may be quoted: a delimiter or a line feed. NULL: a quote is missing. */
const char *column_end(const char *text, char delimiter);

#endif
