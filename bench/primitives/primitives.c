/* primitives.c - see primitives.h. */
#include "primitives.h"

#include <string.h>

const primitive primitives[] = {
#define X(name, by_name) {#name, bench_##name, by_name},
    PRIMITIVES(X)
#undef X
    {NULL, NULL, false},
};

bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return list == NULL;
}
