/* complaint.c - see complaint.h. */
#include "complaint.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES 40

static void show(char *to, const struct line_error *error)
{
    size_t bytes = error->bytes < SHOWN_BYTES ? error->bytes : SHOWN_BYTES;
    for (size_t i = 0; i < bytes; i++)
        *to++ = error->at[i] >= ' ' && error->at[i] <= '~' ? error->at[i] : '?';
    strcpy(to, bytes < error->bytes ? "..." : "");
}

void line_refuse(const char *name, uint64_t line, const char *text, const struct line_error *error)
{
    const char *begin = error->at;
    char shown[SHOWN_BYTES + 4], place[64];
    while (begin > text && begin[-1] != '\n')
        begin--;
    snprintf(place, sizeof place, "line %llu, column %zu: ", (unsigned long long)line, (size_t)(error->at - begin) + 1);
    if (error->what != NULL)
        fail(name, "%s%s", place, error->what);
    const scankit_field *field = &error->field->field;
    show(shown, error);
    if (error->field->is_bytes)
        fail(name, "%s\"%s\" is not text for bytes%zu", place, shown, field->size);
    const char *type = scankit_type_name(field->type), *article = *type == 'u' ? "a" : "an";
    fail(name, "%s\"%s\" is %s %s %s", place, shown, error->beyond ? "out of range for" : "not", article, type);
}
