/* merge.c - merge of two sorted arrays, of pairs and of records. */
#include "internal.h"

/* Encodes both arrays into one column of words, a's then b's. */
static scankit_error encode_both(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                 const sk_word *word, unsigned word_size, void *words)
{
    const sk_elements *parts[] = {a, b};
    char *to = words;
    for (int i = 0; i < 2; i++) {
        if (parts[i]->n > 0)
            SK_TRY(context->backend->encode(context->device, word, parts[i]->stride, parts[i]->data, word_size, to,
                                            parts[i]->n));
        to += parts[i]->n * word_size;
    }
    return SCANKIT_OK;
}

/* Keys that are whole words: encoded, merged, decoded in place. With values beside them where the shape has some. */
static scankit_error merge_plain(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns a,
                                 size_t na, sk_const_columns b, size_t nb, sk_columns out)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    bool done = false;
    if (shape.value_size == 0)
        SK_TRY(backend->merge_values(device, &piece, a.keys, na, b.keys, nb, out.keys, &done));
    if (done)
        return SCANKIT_OK;
    if (sk_piece_is_identity(&piece))
        return backend->merge(device, shape, a, na, b, nb, out);
    sk_word word = {.count = 1, .piece = {piece}};
    sk_elements keys_a = {a.keys, shape.key_size, na}, keys_b = {b.keys, shape.key_size, nb};
    char *words;
    SK_TRY(sk_take(context, na + nb, shape.key_size, &words));
    SK_TRY(encode_both(context, &keys_a, &keys_b, &word, shape.key_size, words));
    a.keys = words;
    b.keys = words + na * shape.key_size;
    SK_TRY(backend->merge(device, shape, a, na, b, nb, out));
    return backend->decode(device, &piece, out.keys, out.keys, na + nb);
}

/* The positions, counted through a and on through b, in merged order: keys of at most 8 bytes. */
static scankit_error merge_index(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                 const sk_word *word, unsigned word_size, unsigned index_size, void **index)
{
    const sk_backend *backend = context->backend;
    size_t n = a->n + b->n;
    char *words, *merged, *from;
    SK_TRY(sk_take(context, n, index_size, index));
    SK_TRY(sk_take(context, n, index_size, &from));
    SK_TRY(sk_take(context, n, word_size, &words));
    SK_TRY(sk_take(context, n, word_size, &merged));
    SK_TRY(encode_both(context, a, b, word, word_size, words));
    SK_TRY(backend->iota(context->device, index_size, 0, from, n));
    sk_const_columns of_a = {words, from}, of_b = {words + a->n * word_size, from + a->n * index_size};
    return backend->merge(context->device, (sk_shape){word_size, index_size}, of_a, a->n, of_b, b->n,
                          (sk_columns){merged, *index});
}

static scankit_error gather_both(scankit_context *context, size_t size, const void *a, size_t na, const void *b,
                                 size_t nb, unsigned index_size, const void *index, void *out)
{
    return context->backend->gather(context->device, size, a, na, b, index_size, index, out, na + nb);
}

/* Keys of more than a word: a stable sort of a with b behind it is a stable merge. */
static scankit_error merge_by_sort(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                   const scankit_key *keys, size_t key_count, void *out)
{
    const sk_backend *backend = context->backend;
    size_t size = a->stride, n = a->n + b->n;
    unsigned index_size = sk_index_size(n);
    char *both;
    void *index;
    SK_TRY(sk_take(context, n, size, &both));
    SK_TRY(sk_take(context, n, index_size, &index));
    if (a->n > 0)
        SK_TRY(backend->copy(context->device, both, a->data, a->n * size));
    if (b->n > 0)
        SK_TRY(backend->copy(context->device, both + a->n * size, b->data, b->n * size));
    sk_elements elements = {both, size, n};
    SK_TRY(sk_sort_index(context, &elements, keys, key_count, (sk_bits){0, 0}, SCANKIT_AUTO, index_size, index));
    return sk_permute(context, size, both, out, n, index_size, index);
}

scankit_error sk_merge_elements(scankit_context *context, const sk_elements *a, const sk_elements *b,
                                const scankit_key *keys, size_t key_count, void *out)
{
    size_t mark = sk_arena_mark(&context->device->workspace), bytes = sk_keys_size(keys, key_count);
    unsigned index_size = sk_index_size(a->n + b->n);
    sk_word word = sk_keys_word(keys, key_count, 0);
    void *index;
    scankit_error error;
    if (bytes > 8) {
        error = merge_by_sort(context, a, b, keys, key_count, out);
        goto done;
    }
    SK_TRY_GOTO(merge_index(context, a, b, &word, bytes <= 4 ? 4 : 8, index_size, &index));
    error = gather_both(context, a->stride, a->data, a->n, b->data, b->n, index_size, index, out);
done:
    sk_arena_reset(&context->device->workspace, mark);
    return error;
}

/* ---- the public functions ---- */

/* Merges keys and, where value_size is not 0, values. */
static scankit_error merge(scankit_context *context, const char *function, scankit_type type, sk_const_columns a,
                           size_t na, sk_const_columns b, size_t nb, sk_columns out, size_t value_size,
                           const scankit_sort_options *options)
{
    sk_bits bits;
    size_t size = scankit_type_size(type), n, mark;
    if (context == NULL)
        return SCANKIT_E_ARGUMENT;
    if (size == 0)
        return sk_refuse(context, function, "no such type");
    if (!sk_options_bits(type, options, &bits))
        return sk_refuse(context, function, "the range of key bits is not one that the type has");
    if (__builtin_add_overflow(na, nb, &n) || !sk_is_array(a.keys, na, size) || !sk_is_array(b.keys, nb, size) ||
        !sk_is_array(out.keys, n, size))
        return sk_refuse(context, function, "no arrays of so many keys");
    if (value_size > 0 && (!sk_is_array(a.values, na, value_size) || !sk_is_array(b.values, nb, value_size) ||
                           !sk_is_array(out.values, n, value_size)))
        return sk_refuse(context, function, "no arrays of so many values");
    if (n == 0)
        return SCANKIT_OK;

    scankit_key key = sk_plain_key(type, options);
    sk_piece piece = sk_piece_of_key(&key);
    bool whole = bits.begin == 0 && bits.end == 8 * size;
    bool columns = value_size == 0 || (sk_is_columns(size, value_size, a.values, out.values) &&
                                       sk_is_columns(size, value_size, b.values, out.values));
    scankit_error error;
    mark = sk_arena_mark(&context->device->workspace);
    if (whole && columns) {
        error = merge_plain(context, piece, (sk_shape){(unsigned)size, (unsigned)value_size}, a, na, b, nb, out);
    } else {
        unsigned index_size = sk_index_size(n);
        sk_elements of_a = {a.keys, size, na}, of_b = {b.keys, size, nb};
        sk_word word = {.count = 1, .piece = {piece}};
        void *index;
        word.piece[0].mask &= sk_bits_mask(bits);
        SK_TRY_GOTO(merge_index(context, &of_a, &of_b, &word, size <= 4 ? 4 : 8, index_size, &index));
        SK_TRY_GOTO(gather_both(context, size, a.keys, na, b.keys, nb, index_size, index, out.keys));
        error = value_size == 0
                    ? SCANKIT_OK
                    : gather_both(context, value_size, a.values, na, b.values, nb, index_size, index, out.values);
    }
done:
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, function, error);
}

scankit_error scankit_merge(scankit_context *context, scankit_type type, const void *a, size_t na, const void *b,
                            size_t nb, void *out, const scankit_sort_options *options)
{
    return merge(context, __func__, type, (sk_const_columns){a, NULL}, na, (sk_const_columns){b, NULL}, nb,
                 (sk_columns){out, NULL}, 0, options);
}

scankit_error scankit_merge_pairs(scankit_context *context, scankit_type type, const void *keys_a, const void *values_a,
                                  size_t na, const void *keys_b, const void *values_b, size_t nb, void *keys_out,
                                  size_t value_size, void *values_out, const scankit_sort_options *options)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(value_size > 0, "values of no bytes");
    return merge(context, __func__, type, (sk_const_columns){keys_a, values_a}, na,
                 (sk_const_columns){keys_b, values_b}, nb, (sk_columns){keys_out, values_out}, value_size, options);
}
