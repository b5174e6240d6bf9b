/* element.c - see element.h. */
#include "element.h"

#include <float.h>
#include <string.h>

#define BITS_unsigned(ctype) (8 * sizeof(ctype))
#define BITS_signed(ctype) (8 * sizeof(ctype) - 1)
#define BITS_half(ctype) 11
#define BITS_float(ctype) (sizeof(ctype) == sizeof(float) ? FLT_MANT_DIG : DBL_MANT_DIG)

static const struct {
    unsigned char size, kind, bits;
} types[] = {
#define X(enumerator, name, ctype, kind) {sizeof(ctype), ELEMENT_##kind, BITS_##kind(ctype)},
    SCANKIT_TYPES(X)
#undef X
};

size_t element_size(scankit_type type)
{
    return types[type].size;
}

element_kind element_kind_of(scankit_type type)
{
    return (element_kind)types[type].kind;
}

bool element_is_float(scankit_type type)
{
    return element_kind_of(type) >= ELEMENT_half;
}

unsigned element_bits(scankit_type type)
{
    return types[type].bits;
}

#define FROM_unsigned(ctype, value) ((ctype)(value))
#define FROM_signed(ctype, value) ((ctype)(value))
#define FROM_half(ctype, value) scankit_f16_from_f32((float)(value))
#define FROM_float(ctype, value) ((ctype)(value))

void element_store(scankit_type type, double value, void *element)
{
    switch (type) {
#define X(enumerator, name, ctype, kind)          \
    case SCANKIT_##enumerator: {                  \
        ctype stored = FROM_##kind(ctype, value); \
        memcpy(element, &stored, sizeof stored);  \
        break;                                    \
    }
        SCANKIT_TYPES(X)
#undef X
    default: break;
    }
}

#define TO_unsigned(stored) ((double)(stored))
#define TO_signed(stored) ((double)(stored))
#define TO_half(stored) ((double)scankit_f16_to_f32(stored))
#define TO_float(stored) ((double)(stored))

double element_load(scankit_type type, const void *element)
{
    switch (type) {
#define X(enumerator, name, ctype, kind)         \
    case SCANKIT_##enumerator: {                 \
        ctype stored;                            \
        memcpy(&stored, element, sizeof stored); \
        return TO_##kind(stored);                \
    }
        SCANKIT_TYPES(X)
#undef X
    default: return 0;
    }
}
