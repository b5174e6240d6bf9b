/* float_read.h - decimal numbers as floats, correctly rounded. */
#ifndef FLOAT_READ_H
#define FLOAT_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "float_format.h"

#define FLOAT_TEXT_MOST 65536 /* bytes of a number */

/* Reads a plain number, such as -12.5e-3 with up to 19 digits. Returns its end, or NULL: then float_read_any() decides.
 * Text is read up to DIGITS_AHEAD bytes past the number. */
const char *float_read(const struct float_format *format, const char *text, uint64_t *bits);

/* Reads lines of one plain number each, up to `end`, to consecutive little-endian values. Returns the first line that
 * is something else, or `end`; *values is the place of its value. */
const char *float_read_lines(const struct float_format *format, const char *line, const char *end, char **values);

/* Reads `bytes` bytes as strtod() does in the C locale, hexadecimal numbers, infinities and NaNs too, and rounds once
 * to the format. Returns false if they are no number. */
bool float_read_any(const struct float_format *format, const char *text, size_t bytes, uint64_t *bits);

#endif
