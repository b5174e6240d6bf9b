/* fold.c - computes regular steps on constants, with the expressions of steps.h that the backends compute too. */
#include <string.h>

#include "fold.h"

sk_value_type sk_result_type(unsigned code)
{
    static const uint8_t types[] = {
#define X(name, R, T, expression) SK_##R,
        SK_STEPS(X)
#undef X
    };
    return (sk_value_type)types[code];
}

/* bits_of_T: narrow signed integers are sign-extended, all other narrow values zero-extended. */
#define X(name, ctype)                             \
    static uint64_t bits_of_##name(ctype value)    \
    {                                              \
        uint64_t bits = 0;                         \
        if ((ctype)0.5 == 0)                       \
            return (uint64_t)value; /* integers */ \
        memcpy(&bits, &value, sizeof value);       \
        return bits;                               \
    }
SK_VALUES(X)
#undef X

/* One function per step. */
#define X(name, R, T, expression)                             \
    static uint64_t fold_##name##_##T(uint64_t x, uint64_t y) \
    {                                                         \
        SK_C_##T a, b;                                        \
        memcpy(&a, &x, sizeof a);                             \
        memcpy(&b, &y, sizeof b);                             \
        (void)b;                                              \
        return bits_of_##R((SK_C_##R)(expression));           \
    }
/* cppcheck-suppress shiftTooManyBitsSigned */
SK_STEPS(X)
#undef X

uint64_t sk_fold(unsigned code, uint64_t a, uint64_t b)
{
    static uint64_t (*const folds[])(uint64_t, uint64_t) = {
#define X(name, R, T, expression) fold_##name##_##T,
        SK_STEPS(X)
#undef X
    };
    return folds[code](a, b);
}
