/* line.c - see line.h. */
#include "line.h"

#include <string.h>

#include "float_read.h"
#include "value.h"

static const char *refuse(struct line_error *error, const char *at, const char *what)
{
    *error = (struct line_error){.at = at, .what = what};
    return NULL;
}

/* Passes over columns. Returns the first one behind them. */
static const char *pass_columns(const struct text_format *format, const char *line, size_t columns,
                                struct line_error *error)
{
    for (; columns > 0; columns--) {
        const char *end = column_end(line, format->delimiter);
        if (end == NULL)
            return refuse(error, line, "a quote is missing");
        if (*end == '\n')
            return refuse(error, end, "a column is missing");
        line = end + 1;
    }
    return line;
}

static const char *read_columns(const struct text_format *format, const char *line, char *element,
                                struct line_error *error)
{
    const char *at = format->column == 0 ? line : pass_columns(format, line, format->column, error);
    for (size_t i = 0; at != NULL && i < format->count; i++) {
        if (i > 0 && *at == '\n')
            return refuse(error, at, "a column is missing");
        at = value_read(&format->fields[i], at + (i > 0), format->delimiter, element, error);
    }
    if (at == NULL || *at == '\n')
        return at == NULL ? NULL : at + 1;
    if (format->only)
        return refuse(error, at + 1, "there are more columns than fields");
    at = rawmemchr(at, '\n');
    return at + 1;
}

static const char *read_line(const struct text_format *format, const char *line, char *element,
                             struct line_error *error)
{
    if (format->padded)
        memset(element, 0, format->size);
    if (format->separated)
        return read_columns(format, line, element, error);
    const char *end = value_read(&format->fields[0], line, '\n', element, error);
    return end == NULL ? NULL : end + 1;
}

const char *lines_read(const struct text_format *format, const char *line, const char *end, char **element,
                       struct line_error *error)
{
    while (true) {
        if (format->floats)
            line = float_read_lines(float_format_of(format->size), line, end, element);
        const char *next = line < end ? read_line(format, line, *element, error) : NULL;
        if (next == NULL)
            return line;
        line = next;
        *element += format->size;
    }
}

const char *line_columns(const struct text_format *format, const char *line, const char **end)
{
    struct line_error error;
    *end = NULL;
    const char *begin = pass_columns(format, line, format->column, &error), *at = begin;
    for (size_t i = 0; at != NULL && i < format->count; i++) {
        *end = column_end(at, format->delimiter);
        at = *end == NULL || **end == '\n' ? NULL : *end + 1;
        if (at == NULL && i + 1 < format->count)
            return NULL;
    }
    return *end == NULL ? NULL : begin;
}
