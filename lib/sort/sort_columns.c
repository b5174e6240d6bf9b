/* sort_columns.c - the order of several columns: positions are sorted by one column after the other, the last one
 * first, stably. */
#include "internal.h"

static const char *wrong_columns(const scankit_column *columns, size_t count, size_t n)
{
    if (columns == NULL || count == 0 || count > SK_MAX_KEYS)
        return "there must be 1 to 64 columns";
    for (size_t c = 0; c < count; c++) {
        scankit_key key = {.type = columns[c].type, .size = columns[c].size};
        size_t size = sk_keys_size(&key, 1);
        if (size == 0 || size > SK_MAX_BYTES_FIELD)
            return "a column of no known type or size";
        if (!sk_is_array(columns[c].data, n, size))
            return "a column that is no array of n elements";
    }
    return NULL;
}

static scankit_error sort_index(scankit_context *context, const scankit_column *columns, size_t count, size_t n,
                                scankit_algorithm algorithm, unsigned index_size, void *index)
{
    SK_TRY(context->backend->iota(context->device, index_size, 0, index, n));
    for (size_t c = count; c-- > 0;) {
        scankit_key key = {.type = columns[c].type, .size = columns[c].size, .descending = columns[c].descending};
        sk_elements elements = {columns[c].data, sk_keys_size(&key, 1), n};
        SK_TRY(sk_refine_index(context, &elements, &key, 1, (sk_bits){0, 0}, algorithm, c + 1 == count, index_size,
                               index));
    }
    return SCANKIT_OK;
}

static scankit_error sort_columns(scankit_context *context, const scankit_column *columns, size_t count, size_t n,
                                  scankit_algorithm algorithm, uint64_t *positions)
{
    void *index;
    if (sk_index_size(n) == 8)
        return sort_index(context, columns, count, n, algorithm, 8, positions);
    SK_TRY(sk_take(context, n, 4, &index));
    SK_TRY(sort_index(context, columns, count, n, algorithm, 4, index));
    return sk_widen_index(context, index, positions, n);
}

scankit_error scankit_sort_columns(scankit_context *context, const scankit_column *columns, size_t count,
                                   uint64_t *positions, size_t n, const scankit_sort_options *options)
{
    SK_REQUIRE(context != NULL, "no context");
    const char *wrong = wrong_columns(columns, count, n);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_is_array(positions, n, sizeof *positions), "the positions are no array of n elements");
    scankit_algorithm algorithm = options == NULL ? SCANKIT_AUTO : options->algorithm;
    SK_REQUIRE(scankit_algorithm_name(algorithm) != NULL, "no such algorithm");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    scankit_error error = sort_columns(context, columns, count, n, algorithm, positions);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}
