/* header.c - see header.h. */
#include "header.h"

#include <string.h>

NO_RETURN void header_bad(const struct source *source)
{
    fail(source->name, "damaged header");
}

static bool is_space(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

int header_skip(struct source *source)
{
    int byte = source_byte(source);
    while (is_space(byte) || byte == '#') {
        if (byte == '#')
            while (byte >= 0 && byte != '\n' && byte != '\r')
                byte = source_byte(source);
        else
            byte = source_byte(source);
    }
    return byte;
}

size_t header_number(struct source *source)
{
    int byte = header_skip(source);
    size_t value = 0;
    if (byte < 0)
        source_short(source);
    for (bool first = true; first || (byte >= 0 && !is_space(byte)); first = false) {
        if (byte < '0' || byte > '9')
            fail(source->name, "damaged: a number holds the byte %d", byte);
        if (__builtin_mul_overflow(value, (size_t)10, &value) ||
            __builtin_add_overflow(value, (size_t)(byte - '0'), &value))
            fail(source->name, "damaged: a number is too large");
        byte = source_byte(source);
    }
    return value;
}

void header_word(struct source *source, char *word, size_t room)
{
    int byte = header_skip(source);
    size_t length = 0;
    if (byte < 0)
        source_short(source);
    for (; byte >= 0 && !is_space(byte); byte = source_byte(source))
        if (length + 1 < room)
            word[length++] = (char)byte;
    word[length] = '\0';
}
