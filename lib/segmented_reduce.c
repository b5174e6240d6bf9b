/* segmented_reduce.c - segmented reduce: checks arguments, calls the backend. */
#include "internal.h"

scankit_error scankit_segmented_reduce(scankit_context *context, scankit_type type, scankit_operator op, const void *in,
                                       const uint64_t *offsets, void *results, size_t segments)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_operator_applies(op, type), "the type does not have this operator");
    SK_REQUIRE(segments < SIZE_MAX, "too many segments");
    SK_REQUIRE(segments == 0 || sk_is_array(offsets, segments + 1, sizeof *offsets),
               "the offsets are no array of segments + 1");
    SK_REQUIRE(sk_is_array(results, segments, scankit_type_size(type)), "the results are no array of a segment each");
    SK_REQUIRE(segments == 0 || (results != in && results != (const void *)offsets), "the results are an input");
    if (segments == 0)
        return SCANKIT_OK;
    return sk_finish(context, __func__,
                     context->backend->segmented_reduce(context->device, sk_canonical_type(type, op), op, in, offsets,
                                                        results, segments));
}
