/* names.c - names of what images are made by, from the lists of scankit.h. */
#include <string.h>

#include "internal.h"

/* NAMES(what, LIST, type): scankit_what_name() and scankit_what_from_name(). */
#define NAME(enumerator, name, text) [SCANKIT_##enumerator] = name,
#define NAMES(what, LIST)                                                             \
    static const char *const what##_names[] = {LIST(NAME)};                           \
    const char *scankit_##what##_name(scankit_##what value)                           \
    {                                                                                 \
        size_t count = sizeof what##_names / sizeof what##_names[0];                  \
        return (size_t)value < count ? what##_names[value] : NULL;                    \
    }                                                                                 \
    scankit_error scankit_##what##_from_name(scankit_##what *value, const char *name) \
    {                                                                                 \
        size_t count = sizeof what##_names / sizeof what##_names[0];                  \
        for (size_t i = 0; value != NULL && name != NULL && i < count; i++)           \
            if (strcmp(what##_names[i], name) == 0) {                                 \
                *value = (scankit_##what)i;                                           \
                return SCANKIT_OK;                                                    \
            }                                                                         \
        return SCANKIT_E_ARGUMENT;                                                    \
    }

NAMES(table_method, SCANKIT_TABLE_METHODS)
NAMES(edge, SCANKIT_EDGES)
NAMES(sampling, SCANKIT_SAMPLINGS)
