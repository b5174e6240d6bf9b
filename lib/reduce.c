/* reduce.c - reduce: checks arguments, calls the backend. */
#include <string.h>

#include "internal.h"

/* The reduction of nothing. */
static void store_identity(scankit_type type, scankit_operator op, void *result)
{
    switch (SK_TYPE_AND_OP(type, op)) {
#define ONE(T, op_name)                                                   \
    case SK_TYPE_AND_OP(SK_TYPE_##T, SK_OP_##op_name): {                  \
        sk_##T identity = SK_STORE(T, op_name, SK_IDENTITY_##op_name(T)); \
        memcpy(result, &identity, sizeof identity);                       \
        break;                                                            \
    }
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(ONE, name)
        SCANKIT_TYPES(X)
#undef X
#undef ONE
    }
}

scankit_error scankit_reduce(scankit_context *context, scankit_type type, scankit_operator op, const void *in,
                             void *result, size_t n)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_operator_applies(op, type), "the type does not have this operator");
    SK_REQUIRE(sk_is_array(in, n, scankit_type_size(type)), "the input is no array of n elements");
    SK_REQUIRE(result != NULL, "nowhere to put the result");
    type = sk_canonical_type(type, op);
    if (n == 0) {
        store_identity(type, op, result);
        return SCANKIT_OK;
    }
    return sk_finish(context, __func__, context->backend->reduce(context->device, type, op, in, result, n));
}

scankit_error scankit_reduce_to(scankit_context *context, scankit_type type, scankit_operator op, const void *in,
                                void *result, size_t n)
{
    uint64_t identity;
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_operator_applies(op, type), "the type does not have this operator");
    SK_REQUIRE(sk_is_array(in, n, scankit_type_size(type)), "the input is no array of n elements");
    SK_REQUIRE(result != NULL, "nowhere to put the result");
    SK_REQUIRE(n == 0 || result != in, "the result is the input");
    size_t size = scankit_type_size(type);
    type = sk_canonical_type(type, op);
    if (n > 0)
        return sk_finish(context, __func__, context->backend->reduce_to(context->device, type, op, in, result, n));
    store_identity(type, op, &identity);
    return sk_finish(context, __func__, context->backend->upload(context->device, result, &identity, size));
}
