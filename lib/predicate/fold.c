/* fold.c - regular steps on constants, by the very expressions that backends compute. */
#include <string.h>

#include "predicate.h"

sk_value_type sk_result_type(unsigned code)
{
    static const uint8_t types[] = {
#define X(name, R, T, expression) SK_##R,
        SK_STEPS(X)
#undef X
    };
    return (sk_value_type)types[code];
}

/* One function a step. */
#define X(name, R, T, expression)                                 \
    static uint64_t fold_##name##_##T(uint64_t x, uint64_t y)     \
    {                                                             \
        SK_C_##T a, b;                                            \
        memcpy(&a, &x, sizeof a);                                 \
        memcpy(&b, &y, sizeof b);                                 \
        (void)b;                                                  \
        SK_C_##R result = (SK_C_##R)(expression);                 \
        uint64_t bits = 0;                                        \
        memcpy(&bits, &result, sizeof result);                    \
        return SK_##R == SK_I32 ? (uint64_t)(int32_t)bits : bits; \
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
