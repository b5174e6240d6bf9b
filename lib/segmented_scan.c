/* segmented_scan.c - segmented scan: checks arguments, calls the backend. */
#include "internal.h"

scankit_error scankit_segmented_scan(scankit_context *context, scankit_type type, scankit_operator op,
                                     scankit_scan_kind kind, const void *initial, const void *in, const uint8_t *heads,
                                     void *out, size_t n)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_operator_applies(op, type), "the type does not have this operator");
    SK_REQUIRE(kind == SCANKIT_INCLUSIVE || kind == SCANKIT_EXCLUSIVE, "neither inclusive nor exclusive");
    SK_REQUIRE(sk_is_array(in, n, scankit_type_size(type)), "the input is no array of n elements");
    SK_REQUIRE(sk_is_array(heads, n, 1), "the heads are no array of n bytes");
    SK_REQUIRE(sk_is_array(out, n, scankit_type_size(type)), "the output is no array of n elements");
    SK_REQUIRE(n == 0 || out != (const void *)heads, "the output is the array of heads");
    if (n == 0)
        return SCANKIT_OK;
    return sk_finish(context, __func__,
                     context->backend->segmented_scan(context->device, sk_canonical_type(type, op), op, kind, initial,
                                                      in, heads, out, n));
}
