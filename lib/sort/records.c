/* records.c - sorting, checking and merging of records by several keys: checks arguments, composes. */
#include "internal.h"

#define REQUIRE_KEYS()                                               \
    SK_REQUIRE(context != NULL, "no context");                       \
    const char *wrong = sk_wrong_keys(record_size, keys, key_count); \
    SK_REQUIRE(wrong == NULL, wrong)

/* Progress begins with the last step: what the sorts of positions would report is not final. */
static scankit_error sort_by_index(scankit_context *context, const sk_elements *records, const scankit_key *keys,
                                   size_t key_count, void *out, const scankit_sort_options *options)
{
    scankit_algorithm algorithm = options == NULL ? SCANKIT_AUTO : options->algorithm;
    unsigned index_size = sk_index_size(records->n);
    void *index;
    SK_TRY(sk_take(context, records->n, index_size, &index));
    SK_TRY(sk_sort_index(context, records, keys, key_count, (sk_bits){0, 0}, algorithm, index_size, index));
    sk_begin_progress(context, options);
    return sk_permute(context, records->stride, records->data, out, records->n, index_size, index);
}

scankit_error scankit_sort_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                   size_t key_count, const void *in, void *out, size_t n,
                                   const scankit_sort_options *options)
{
    REQUIRE_KEYS();
    SK_REQUIRE(sk_is_array(in, n, record_size) && sk_is_array(out, n, record_size), "no arrays of n records");
    scankit_algorithm algorithm = options == NULL ? SCANKIT_AUTO : options->algorithm;
    SK_REQUIRE(scankit_algorithm_name(algorithm) != NULL, "no such algorithm");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_elements records = {in, record_size, n};
    scankit_error error;
    if (sk_is_plain_record(record_size, keys, key_count, (uintptr_t)in | (uintptr_t)out)) {
        const sk_piece piece = sk_piece_of_key(&keys[0]);
        sk_begin_progress(context, options);
        void *spare = sk_spare_input(context, options, in, out);
        error = sk_sort_plain(context, &piece, in, out, spare, n, (sk_bits){0, 0}, algorithm);
    } else {
        error = sort_by_index(context, &records, keys, key_count, out, options);
    }
    error = sk_end_progress(context, n, error);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_argsort_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                      size_t key_count, const void *in, uint64_t *positions, size_t n,
                                      const scankit_sort_options *options)
{
    REQUIRE_KEYS();
    SK_REQUIRE(sk_is_array(in, n, record_size), "the input is no array of n records");
    SK_REQUIRE(sk_is_array(positions, n, sizeof *positions), "the positions are no array of n elements");
    scankit_algorithm algorithm = options == NULL ? SCANKIT_AUTO : options->algorithm;
    SK_REQUIRE(scankit_algorithm_name(algorithm) != NULL, "no such algorithm");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_elements records = {in, record_size, n};
    scankit_error error = sk_positions(context, &records, keys, key_count, (sk_bits){0, 0}, algorithm, positions);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_is_sorted_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                        size_t key_count, const void *in, size_t n, size_t *first)
{
    REQUIRE_KEYS();
    SK_REQUIRE(sk_is_array(in, n, record_size), "the input is no array of n records");
    SK_REQUIRE(first != NULL, "nowhere to put the result");
    *first = n;
    if (n < 2)
        return SCANKIT_OK;
    sk_elements records = {in, record_size, n};
    return sk_finish(context, __func__, sk_first_descent(context, &records, keys, key_count, (sk_bits){0, 0}, first));
}

scankit_error scankit_merge_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                    size_t key_count, const void *a, size_t na, const void *b, size_t nb, void *out)
{
    REQUIRE_KEYS();
    size_t n;
    SK_REQUIRE(!__builtin_add_overflow(na, nb, &n), "too many records");
    SK_REQUIRE(sk_is_array(a, na, record_size) && sk_is_array(b, nb, record_size) && sk_is_array(out, n, record_size),
               "no arrays of na, nb and na + nb records");
    if (n == 0)
        return SCANKIT_OK;
    const void *const arrays[] = {a, b};
    const size_t counts[] = {na, nb};
    return sk_finish(context, __func__,
                     sk_merge_records(context, record_size, keys, key_count, 2, arrays, counts, out));
}

scankit_error scankit_merge_many_records(scankit_context *context, size_t record_size, const scankit_key *keys,
                                         size_t key_count, size_t k, const void *const *arrays, const size_t *counts,
                                         void *out)
{
    REQUIRE_KEYS();
    size_t n;
    wrong = sk_wrong_arrays(k, arrays, counts, record_size, &n);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_is_array(out, n, record_size), "the output is no array of that many records");
    if (n == 0)
        return SCANKIT_OK;
    return sk_finish(context, __func__,
                     sk_merge_records(context, record_size, keys, key_count, k, arrays, counts, out));
}
