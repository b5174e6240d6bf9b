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

/* Reads lines, which end in line feeds, up to `end`, to consecutive elements. Returns `end`, or the first line that is
 * wrong; *element is the place of its element. */
const char *lines_read(const struct text_format *format, const char *line, const char *end, char **element,
                       struct line_error *error);

/* The columns of the format's fields, as they are, with the delimiter in between: the end in *end. NULL: the line has
 * too few. */
const char *line_columns(const struct text_format *format, const char *line, const char **end);

#endif
