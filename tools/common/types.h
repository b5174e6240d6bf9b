/* types.h - properties of element types, derived from SCANKIT_TYPES. What a new type lacks does not compile. */
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>

#include "scankit.h"

/* Room for a value of any type, and its size. */
union any_value {
#define X(enumerator, name, ctype, kind) ctype name##_value;
    SCANKIT_TYPES(X)
#undef X
};
#define VALUE_BYTES sizeof(union any_value)

/* Values are loaded as unsigned numbers of 1, 2, 4 or 8 bytes. */
#define X(enumerator, name, ctype, kind)                                                                 \
    _Static_assert(sizeof(ctype) == 1 || sizeof(ctype) == 2 || sizeof(ctype) == 4 || sizeof(ctype) == 8, \
                   "values of " #name " have no unsigned type of their size");
SCANKIT_TYPES(X)
#undef X

/* Halves are floats: only what they are computed as differs. */
enum type_kind { TYPE_unsigned, TYPE_signed, TYPE_float, TYPE_half = TYPE_float, TYPE_opaque };

static inline enum type_kind type_kind(scankit_type type)
{
    static const enum type_kind kinds[] = {
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = TYPE_##kind,
        SCANKIT_TYPES(X)
#undef X
            [SCANKIT_BYTES] = TYPE_opaque};
    return kinds[type];
}

#endif
