/* names.c - see names.h. */
#include "names.h"

#include <string.h>

#include "state.h"

/* The name after this one, or NULL. */
static const char *next_name(const char *at)
{
    const char *comma = strchr(at, ',');
    return comma != NULL ? comma + 1 : NULL;
}

bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = next_name(at))
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return list == NULL;
}

void check_names(const char *list, bool (*is_known)(const char *name, size_t length), const char *what)
{
    for (const char *at = list; at != NULL; at = next_name(at))
        if (!is_known(at, strcspn(at, ",")))
            bench_fail(at, what);
}

bool is_type_name(const char *name, size_t length)
{
#define X(enumerator, text, ctype, kind)                              \
    if (strlen(#text) == length && strncmp(#text, name, length) == 0) \
        return true;
    SCANKIT_TYPES(X)
#undef X
    return false;
}
