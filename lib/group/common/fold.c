/* fold.c - see fold.h. */
#include "fold.h"

#include "operators.h"

void sk_combine(scankit_type type, scankit_operator op, void *total, const void *next)
{
    switch (SK_TYPE_AND_OP(sk_canonical_type(type, op), op)) {
#define FOLD(T, op)                                                                      \
    case SK_TYPE_AND_OP(SK_TYPE_##T, SK_OP_##op): {                                      \
        sk_##T a, b;                                                                     \
        memcpy(&a, total, sizeof a);                                                     \
        memcpy(&b, next, sizeof b);                                                      \
        const sk_partial_##op##_##T left = SK_LOAD(T, op, a), right = SK_LOAD(T, op, b); \
        a = SK_STORE(T, op, SK_COMBINE_##op(T, left, right));                            \
        memcpy(total, &a, sizeof a);                                                     \
        break;                                                                           \
    }
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(FOLD, name)
        SCANKIT_TYPES(X)
#undef X
    default: break;
    }
}
