/* gallery.c - the classic algorithms: their table, and running one by its name. */
#include <string.h>

#include "gallery.h"
#include "internal.h"

/* The operators of a row: see gallery.h. */
enum operators { any, all, few, commutative, sizes, words, keys };

enum order { unstable, stable };

typedef struct entry {
    scankit_gallery_row row;
    enum operators operators;
} entry;

/* In the order of sk_gallery_row. */
static const entry table[] = {
#define ROW(kind, device, name, operators, work, steps, passes, source) \
    SORT_ROW(kind, device, name, operators, stable, work, steps, passes, source)
#define SORT_ROW(kind, device, name, operators, order, work, steps, passes, source) \
    {{name, SCANKIT_##kind, device, work, steps, passes, order, SK_LIMITS_##operators, source}, operators},
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
#define X(function, ...) SORT_ROW(SORT, "cuda", __VA_ARGS__)
                    SK_GALLERY_CUDA_SORTS(X) SK_PRODUCTION_SORTS(X)
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
#define X(function, ...) SORT_ROW(SORT, "cpu", __VA_ARGS__)
                                    SK_GALLERY_CPU_SORTS(X) SK_PRODUCTION_SORTS(X)
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
    if (found->row.kind == SCANKIT_SORT)
        return scankit_type_size(type) >= (found->operators == any ? 1 : 4);
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

/* ---- sorts ---- */

/* row: of the sort, and of the block scan that it uses, or SK_GALLERY_ROWS. Keys become words: into the output, if the
 * row does not read them as they are. */
static scankit_error sort_words(scankit_context *context, const unsigned row[2], const scankit_key *key, sk_shape shape,
                                sk_const_columns in, sk_columns out, size_t n)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    sk_piece piece = sk_piece_of_key(key);
    if (sk_piece_is_identity(&piece))
        return backend->gallery_sort(device, row[0], row[1], shape, in, out, n);
    sk_word word = {.count = 1, .piece = {piece}};
    SK_TRY(backend->encode(device, &word, shape.key_size, in.keys, shape.key_size, out.keys, n));
    in.keys = out.keys;
    SK_TRY(backend->gallery_sort(device, row[0], row[1], shape, in, out, n));
    return backend->decode(device, &piece, out.keys, out.keys, n);
}

/* Of production's rows, the name is the algorithm's. */
static scankit_error sort_by_production(scankit_context *context, const char *name, scankit_type type, bool descending,
                                        sk_shape shape, sk_const_columns in, sk_columns out, size_t n)
{
    scankit_sort_options options = {.descending = descending};
    SK_TRY(scankit_algorithm_from_name(&options.algorithm, name));
    if (shape.value_size == 0)
        return scankit_sort(context, type, in.keys, out.keys, n, &options);
    return scankit_sort_pairs(context, type, in.keys, out.keys, shape.value_size, in.values, out.values, n, &options);
}

/* The name of a row, or "split-radix:NAME" with the name of a block scan. rows: see sort_words(). */
static const char *choose_sort(const scankit_context *context, const char *name, scankit_type type, unsigned rows[2])
{
    static const char prefix[] = "split-radix:";
    size_t length = sizeof prefix - 1;
    rows[1] = SK_GALLERY_ROWS;
    if (name == NULL || strncmp(name, prefix, length) != 0)
        return choose(context, SCANKIT_SORT, name, type, SCANKIT_SUM, &rows[0]);
    const char *wrong = choose(context, SCANKIT_GRID_SCAN, name + length, SCANKIT_U32, SCANKIT_SUM, &rows[1]);
    if (wrong == NULL && table[rows[1]].row.kind != SCANKIT_BLOCK_SCAN)
        wrong = "split-radix uses block scans";
    return wrong != NULL ? wrong : choose(context, SCANKIT_SORT, "split-radix", type, SCANKIT_SUM, &rows[0]);
}

scankit_error scankit_gallery_sort(scankit_context *context, const char *name, scankit_type type, int descending,
                                   const void *keys_in, void *keys_out, size_t value_size, const void *values_in,
                                   void *values_out, size_t n)
{
    unsigned rows[2];
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = choose_sort(context, name, type, rows);
    SK_REQUIRE(wrong == NULL, wrong);
    const entry *row = &table[rows[0]];
    size_t size = scankit_type_size(type);
    SK_REQUIRE(rows[1] == SK_GALLERY_ROWS || (size == 4 && value_size == 0),
               "with a block scan, split-radix takes keys of 4 bytes alone");
    SK_REQUIRE(sk_is_array(keys_in, n, size) && sk_is_array(keys_out, n, size), "no arrays of n keys");
    SK_REQUIRE(value_size == 0 || value_size == 4 || value_size == 8, "values have 4 or 8 bytes");
    SK_REQUIRE(value_size == 0 || row->row.is_stable, "the algorithm is not stable, so it takes keys alone");
    SK_REQUIRE(value_size == 0 || (sk_is_array(values_in, n, value_size) && sk_is_array(values_out, n, value_size)),
               "no arrays of n values");
    bool is_own = row->operators != any;
    SK_REQUIRE(!is_own || value_size == 0 || sk_is_columns(size, value_size, values_in, values_out),
               "values are not aligned to their size");
    if (n == 0)
        return SCANKIT_OK;
    sk_shape shape = {(unsigned)size, (unsigned)value_size};
    sk_const_columns in = {keys_in, values_in};
    sk_columns out = {keys_out, values_out};
    if (!is_own)
        return sort_by_production(context, name, type, descending != 0, shape, in, out, n);
    scankit_sort_options options = {.descending = descending != 0};
    scankit_key key = sk_plain_key(type, &options);
    return sk_finish(context, __func__, sort_words(context, rows, &key, shape, in, out, n));
}
