/* records.c - sorting, checking and merging of records by several keys, and the sort of positions that this and the
 * sorts of pairs rest on. */
#include "internal.h"

/* Sorts (word, index) pairs by one word more, the next more significant one: the words of the elements in their present
 * order are fetched, then sorted with their indices, stably. */
static scankit_error sort_by_word(scankit_context *context, const sk_elements *elements, const sk_word *word,
                                  sk_bits bits, bool first, unsigned index_size, void *index,
                                  scankit_algorithm algorithm)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    size_t n = elements->n;
    unsigned word_size = bits.end <= 32 ? 4 : 8;
    void *words, *ordered;
    SK_TRY(sk_take(context, n, word_size, &words));
    SK_TRY(backend->encode(device, word, elements->stride, elements->data, word_size, words, n));
    ordered = words;
    if (!first) {
        SK_TRY(sk_take(context, n, word_size, &ordered));
        SK_TRY(backend->gather(device, word_size, words, n, NULL, index_size, index, ordered, n));
    }
    return backend->sort(device, (sk_shape){word_size, index_size}, (sk_const_columns){ordered, index},
                         (sk_columns){ordered, index}, NULL, n, bits.begin, bits.end, algorithm);
}

scankit_error sk_sort_index(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                            size_t key_count, sk_bits bits, scankit_algorithm algorithm, unsigned index_size,
                            void *index)
{
    size_t bytes = sk_keys_size(keys, key_count);
    size_t words = (bytes + 7) / 8;
    SK_TRY(context->backend->iota(context->device, index_size, 0, index, elements->n));
    for (size_t w = words; w-- > 0;) {
        size_t mark = sk_arena_mark(&context->device->workspace);
        sk_word word = sk_keys_word(keys, key_count, w);
        sk_bits part = {0, (unsigned)(8 * (w + 1 < words ? 8 : bytes - 8 * w))};
        if (bits.end != 0)
            part = bits;
        scankit_error error =
            sort_by_word(context, elements, &word, part, w + 1 == words, index_size, index, algorithm);
        sk_arena_reset(&context->device->workspace, mark);
        SK_TRY(error);
    }
    return SCANKIT_OK;
}

scankit_error sk_permute(scankit_context *context, size_t size, const void *in, void *out, size_t n,
                         unsigned index_size, const void *index)
{
    const sk_backend *backend = context->backend;
    if (in != out)
        return backend->gather(context->device, size, in, n, NULL, index_size, index, out, n);
    void *moved;
    SK_TRY(sk_take(context, n, size, &moved));
    SK_TRY(backend->gather(context->device, size, in, n, NULL, index_size, index, moved, n));
    return backend->copy(context->device, out, moved, n * size);
}

/* ---- the public functions ---- */

#define REQUIRE_KEYS()                                               \
    SK_REQUIRE(context != NULL, "no context");                       \
    const char *wrong = sk_wrong_keys(record_size, keys, key_count); \
    SK_REQUIRE(wrong == NULL, wrong)

/* One key of 1, 2, 4 or 8 bytes that is the whole record, and aligned as such: the records are plain keys. */
static bool is_plain(size_t record_size, const scankit_key *keys, size_t key_count, const void *in, const void *out)
{
    return key_count == 1 && keys[0].offset == 0 && sk_keys_size(keys, 1) == record_size && record_size <= 8 &&
           (record_size & (record_size - 1)) == 0 && (((uintptr_t)in | (uintptr_t)out) & (record_size - 1)) == 0;
}

static scankit_error sort_by_index(scankit_context *context, const sk_elements *records, const scankit_key *keys,
                                   size_t key_count, void *out, scankit_algorithm algorithm)
{
    unsigned index_size = sk_index_size(records->n);
    void *index;
    SK_TRY(sk_take(context, records->n, index_size, &index));
    SK_TRY(sk_sort_index(context, records, keys, key_count, (sk_bits){0, 0}, algorithm, index_size, index));
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
    if (is_plain(record_size, keys, key_count, in, out))
        error = sk_sort_plain(context, sk_piece_of_key(&keys[0]), in, out, NULL, n, (sk_bits){0, 0}, algorithm);
    else
        error = sort_by_index(context, &records, keys, key_count, out, algorithm);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error sk_positions(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                           size_t key_count, sk_bits bits, scankit_algorithm algorithm, uint64_t *positions)
{
    unsigned index_size = sk_index_size(elements->n);
    if (index_size == 8)
        return sk_sort_index(context, elements, keys, key_count, bits, algorithm, 8, positions);
    void *index;
    SK_TRY(sk_take(context, elements->n, 4, &index));
    SK_TRY(sk_sort_index(context, elements, keys, key_count, bits, algorithm, 4, index));
    scankit_key narrow = {.type = SCANKIT_U32};
    sk_word widened = {.count = 1, .piece = {sk_piece_of_key(&narrow)}};
    return context->backend->encode(context->device, &widened, 4, index, 8, positions, elements->n);
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
               "no arrays of so many records");
    if (n == 0)
        return SCANKIT_OK;
    sk_elements of_a = {a, record_size, na}, of_b = {b, record_size, nb};
    return sk_finish(context, __func__, sk_merge_elements(context, &of_a, &of_b, keys, key_count, out));
}
