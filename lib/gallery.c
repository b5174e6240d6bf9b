/* gallery.c - the classic algorithms: their table, and running one by its name. */
#include <string.h>

#include "gallery.h"
#include "internal.h"

/* The operators of a row: see gallery.h. */
enum operators { any, all, few, commutative, sizes };

typedef struct entry {
    scankit_gallery_row row;
    enum operators operators;
} entry;

/* In the order of sk_gallery_row. */
static const entry table[] = {
#define ROW(kind, device, name, operators, work, steps, passes, source) \
    {{name, SCANKIT_##kind, device, work, steps, passes, SK_LIMITS_##operators, source}, operators},
#define X(function, ...) ROW(BLOCK_SCAN, "cuda", __VA_ARGS__)
    SK_BLOCK_SCANS(X)
#undef X
#define X(function, ...) ROW(GRID_SCAN, "cuda", __VA_ARGS__)
        SK_GRID_SCANS(X)
#undef X
#define X(function, ...) ROW(REDUCTION, "cuda", __VA_ARGS__)
            SK_REDUCTIONS(X)
#undef X
#define X(function, ...) ROW(COMPACTION, "cuda", __VA_ARGS__)
                SK_COMPACTIONS(X)
#undef X
#define X(function, ...) ROW(GRID_SCAN, "cpu", __VA_ARGS__)
                    SK_CPU_SCANS(X)
#undef X
#define X(function, ...) ROW(REDUCTION, "cpu", __VA_ARGS__)
                        SK_CPU_REDUCTIONS(X)
#undef X
#define X(function, ...) ROW(COMPACTION, "cpu", __VA_ARGS__)
                            SK_CPU_COMPACTIONS(X)
#undef X
};
_Static_assert(sizeof table / sizeof *table == SK_GALLERY_ROWS, "the table has the rows of gallery.h");

const scankit_gallery_row *scankit_gallery(size_t row)
{
    return row < SK_GALLERY_ROWS ? &table[row].row : NULL;
}

/* ---- what a row takes ---- */

static bool takes_operator(enum operators operators, scankit_type type, scankit_operator op)
{
    if (operators == any || operators == all)
        return true;
    if (operators == commutative && op == SCANKIT_AFFINE)
        return false;
    switch (SK_TYPE_AND_OP(sk_canonical_type(type, op), op)) {
#define X(T, op_name) case SK_TYPE_AND_OP(SK_TYPE_##T, SK_OP_##op_name):
        SK_GALLERY_OPERATORS(X)
        return true;
#undef X
    default: return false;
    }
}

static bool applies(const entry *found, scankit_type type, scankit_operator op)
{
    if (found->row.kind == SCANKIT_COMPACTION)
        return scankit_type_size(type) > 0;
    return scankit_operator_applies(op, type) && takes_operator(found->operators, type, op);
}

static bool is_named(const entry *one, const char *name, const char *device)
{
    return strcmp(one->row.name, name) == 0 && strcmp(one->row.device, device) == 0;
}

int scankit_gallery_applies(const scankit_gallery_row *row, scankit_type type, scankit_operator op)
{
    for (size_t i = 0; row != NULL && i < SK_GALLERY_ROWS; i++)
        if (is_named(&table[i], row->name, row->device) && table[i].row.kind == row->kind)
            return applies(&table[i], type, op);
    return 0;
}

/* ---- running one ---- */

static bool is_of_kind(const entry *one, scankit_gallery_kind kind)
{
    scankit_gallery_kind own = one->row.kind;
    return own == kind || (own == SCANKIT_BLOCK_SCAN && kind == SCANKIT_GRID_SCAN);
}

/* The row of that name that the context's device has: otherwise a constant text that says why there is none.
 * SCANKIT_GRID_SCAN stands for both kinds of scan. */
static const char *choose(const scankit_context *context, scankit_gallery_kind kind, const char *name,
                          scankit_type type, scankit_operator op, unsigned *row)
{
    const char *wrong = "no algorithm of the gallery has this name and does this";
    if (name == NULL)
        return "no name";
    for (size_t i = 0; i < SK_GALLERY_ROWS; i++) {
        if (!is_of_kind(&table[i], kind) || strcmp(table[i].row.name, name) != 0)
            continue;
        *row = (unsigned)i;
        if (is_named(&table[i], name, context->backend->prefix))
            return applies(&table[i], type, op) ? NULL : "the algorithm is not for this type and operator";
        wrong = "the algorithm is one of another device";
    }
    return wrong;
}

scankit_error scankit_gallery_scan(scankit_context *context, const char *name, scankit_type type, scankit_operator op,
                                   scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n)
{
    unsigned row;
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = choose(context, SCANKIT_GRID_SCAN, name, type, op, &row);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(kind == SCANKIT_INCLUSIVE || kind == SCANKIT_EXCLUSIVE, "neither inclusive nor exclusive");
    SK_REQUIRE(sk_is_array(in, n, scankit_type_size(type)), "the input is no array of n elements");
    SK_REQUIRE(sk_is_array(out, n, scankit_type_size(type)), "the output is no array of n elements");
    if (n == 0)
        return SCANKIT_OK;
    return sk_finish(context, __func__,
                     context->backend->gallery_scan(context->device, row, sk_canonical_type(type, op), op, kind,
                                                    initial, in, out, n));
}

scankit_error scankit_gallery_reduce(scankit_context *context, const char *name, scankit_type type, scankit_operator op,
                                     const void *in, void *result, size_t n)
{
    unsigned row;
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = choose(context, SCANKIT_REDUCTION, name, type, op, &row);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_is_array(in, n, scankit_type_size(type)), "the input is no array of n elements");
    SK_REQUIRE(result != NULL, "nowhere to put the result");
    if (n == 0)
        return scankit_reduce(context, type, op, in, result, n);
    return sk_finish(
        context, __func__,
        context->backend->gallery_reduce(context->device, row, sk_canonical_type(type, op), op, in, result, n));
}

scankit_error scankit_gallery_compact(scankit_context *context, const char *name, scankit_type type, const void *in,
                                      const uint8_t *flags, void *out, size_t n, size_t *count)
{
    unsigned row;
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = choose(context, SCANKIT_COMPACTION, name, type, SCANKIT_SUM, &row);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_is_array(in, n, scankit_type_size(type)), "the input is no array of n elements");
    SK_REQUIRE(sk_is_array(flags, n, 1), "the flags are no array of n bytes");
    SK_REQUIRE(n == 0 || out != NULL, "no room for n elements");
    sk_selection selection = {
        .flags = flags, .element_size = scankit_type_size(type), .in = in, .n = n, .matching = out};
    if (n == 0) {
        if (count != NULL)
            *count = 0;
        return SCANKIT_OK;
    }
    return sk_finish(context, __func__, context->backend->gallery_compact(context->device, row, &selection, count));
}
