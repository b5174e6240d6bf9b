/* transpose.c - transposition, and scans of rows: checks arguments, calls the backend. */
#include "check.h"

scankit_error scankit_transpose(scankit_context *context, size_t element_size, const void *in, size_t in_pitch,
                                void *out, size_t out_pitch, size_t rows, size_t columns)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(element_size > 0, "elements have at least one byte");
    const char *wrong = sk_wrong_matrix(in, in_pitch, rows, columns, element_size);
    SK_REQUIRE(wrong == NULL, wrong);
    wrong = sk_wrong_matrix(out, out_pitch, columns, rows, element_size);
    SK_REQUIRE(wrong == NULL, wrong);
    if (rows == 0 || columns == 0)
        return SCANKIT_OK;
    in_pitch = sk_pitch(in_pitch, columns * element_size);
    out_pitch = sk_pitch(out_pitch, rows * element_size);
    SK_REQUIRE(in != out || (rows == columns && in_pitch == out_pitch),
               "only a square matrix is transposed in place, with one pitch");
    return sk_finish(
        context, __func__,
        context->backend->transpose(context->device, element_size, in, in_pitch, out, out_pitch, rows, columns));
}

scankit_error scankit_scan_rows(scankit_context *context, scankit_type type, scankit_operator op,
                                scankit_scan_kind kind, const void *in, size_t in_pitch, void *out, size_t out_pitch,
                                size_t rows, size_t columns)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_operator_applies(op, type), "the type does not have this operator");
    SK_REQUIRE(kind == SCANKIT_INCLUSIVE || kind == SCANKIT_EXCLUSIVE, "neither inclusive nor exclusive");
    size_t size = scankit_type_size(type);
    SK_REQUIRE(in_pitch % size == 0 && out_pitch % size == 0, "a pitch is no multiple of the type's size");
    const char *wrong = sk_wrong_matrix(in, in_pitch, rows, columns, size);
    SK_REQUIRE(wrong == NULL, wrong);
    wrong = sk_wrong_matrix(out, out_pitch, rows, columns, size);
    SK_REQUIRE(wrong == NULL, wrong);
    if (rows == 0 || columns == 0)
        return SCANKIT_OK;
    in_pitch = sk_pitch(in_pitch, columns * size);
    out_pitch = sk_pitch(out_pitch, columns * size);
    SK_REQUIRE(in != out || in_pitch == out_pitch, "rows are scanned in place with one pitch");
    return sk_finish(context, __func__,
                     context->backend->scan_rows(context->device, sk_canonical_type(type, op), op, kind, in, in_pitch,
                                                 out, out_pitch, rows, columns));
}
