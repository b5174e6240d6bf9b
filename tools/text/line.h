/* line.h - one line of text as an element. */
#ifndef LINE_H
#define LINE_H

#include "text_format.h"

#define LINE_AHEAD 16 /* bytes past a line that may be read; their values have no effect */

/* What is wrong with a line, and where: `bytes` bytes at `at`. */
struct line_error {
    const char *at;
    size_t bytes;
    const char *what;               /* a message for the text, or NULL: */
    const struct text_field *field; /* it is no value of this field */
    bool beyond;                    /* it is an integer past the field's limits */
};

/* Reads a line, which ends in a line feed, to an element. Returns the next line's beginning, or NULL. */
const char *line_read(const struct text_format *format, const char *line, char *element, struct line_error *error);

/* The columns of the format's fields, as they are, with the delimiter in between: the end in *end. NULL: the line has
 * too few. */
const char *line_columns(const struct text_format *format, const char *line, const char **end);

#endif
