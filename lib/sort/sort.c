/* sort.c - sort, sort of pairs, argsort, is_sorted: types and options become unsigned integers and bits, the backend
 * sorts. */
#include "internal.h"

#define REQUIRE_SORTABLE()                                                                                   \
    const size_t size = sk_type_size(type);                                                                  \
    SK_REQUIRE(context != NULL, "no context");                                                               \
    SK_REQUIRE(size != 0, "no such type");                                                                   \
    sk_bits bits;                                                                                            \
    SK_REQUIRE(sk_options_bits(type, options, &bits), "the range of key bits is not one that the type has"); \
    const scankit_algorithm algorithm = options == NULL ? SCANKIT_AUTO : options->algorithm;                 \
    SK_REQUIRE(algorithm == SCANKIT_AUTO || scankit_algorithm_name(algorithm) != NULL, "no such algorithm")

/* Decodes sorted words as soon as they are final, while they are still in a cache. */
typedef struct decoding {
    scankit_context *context;
    const sk_piece *piece;
    char *out;
    size_t done; /* elements decoded */
    sk_progress caller;
    scankit_error error;
} decoding;

static void decode_ready(void *state, size_t n)
{
    decoding *d = state;
    char *from = d->out + d->done * d->piece->size;
    if (d->error == SCANKIT_OK)
        d->error = d->context->backend->decode(d->context->device, d->piece, from, from, n - d->done);
    d->done = n;
    if (d->error == SCANKIT_OK)
        sk_report(&d->caller, n);
}

/* Keys of other types than unsigned integers: encoded, sorted in place, and decoded. */
static scankit_error sort_encoded(scankit_context *context, const sk_piece *piece, const void *in, void *out,
                                  void *spare, size_t n, sk_bits bits, scankit_algorithm algorithm)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    sk_word word = {.count = 1, .piece = {*piece}};
    decoding d = {.context = context, .piece = piece, .out = out, .caller = device->progress};
    SK_TRY(backend->encode(device, &word, piece->size, in, piece->size, out, n));
    device->progress = (sk_progress){decode_ready, &d, 0};
    scankit_error error = backend->sort(device, (sk_shape){piece->size, 0}, (sk_const_columns){out, NULL},
                                        (sk_columns){out, NULL}, spare, n, bits.begin, bits.end, algorithm);
    device->progress = d.caller;
    /* Nothing was sorted yet: an array in place gets its values back. */
    if (error == SCANKIT_E_MEMORY && in == out)
        (void)backend->decode(device, piece, out, out, n);
    SK_TRY(error);
    SK_TRY(d.error);
    char *rest = (char *)out + d.done * piece->size;
    return d.done < n ? backend->decode(device, piece, rest, rest, n - d.done) : SCANKIT_OK;
}

void *sk_spare_input(const scankit_context *context, const scankit_sort_options *options, const void *in,
                     const void *out)
{
    bool overwrite = options != NULL && options->overwrite_input && (in != out || context->backend->is_host);
    return overwrite ? (void *)in : NULL;
}

/* A part of its callers: few elements are sorted in the time of some calls. */
SK_INLINE scankit_error sort_plain(scankit_context *context, const sk_piece *piece, const void *in, void *out,
                                   void *spare, size_t n, sk_bits bits, scankit_algorithm algorithm)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    bool done = false;
    if (bits.end == 0)
        bits.end = 8u * piece->size;
    if (bits.end - bits.begin == 8u * piece->size)
        SK_TRY(backend->sort_values(device, piece, in, out, spare, n, algorithm, &done));
    if (done)
        return SCANKIT_OK;
    if (!sk_piece_is_identity(piece))
        return sort_encoded(context, piece, in, out, spare, n, bits, algorithm);
    return backend->sort(device, (sk_shape){piece->size, 0}, (sk_const_columns){in, NULL}, (sk_columns){out, NULL},
                         spare, n, bits.begin, bits.end, algorithm);
}

scankit_error sk_sort_plain(scankit_context *context, const sk_piece *piece, const void *in, void *out, void *spare,
                            size_t n, sk_bits bits, scankit_algorithm algorithm)
{
    return sort_plain(context, piece, in, out, spare, n, bits, algorithm);
}

scankit_error scankit_sort(scankit_context *context, scankit_type type, const void *in, void *out, size_t n,
                           const scankit_sort_options *options)
{
    REQUIRE_SORTABLE();
    SK_REQUIRE(sk_is_array(in, n, size) && sk_is_array(out, n, size), "no arrays of n elements");
    if (n == 0)
        return SCANKIT_OK;
    void *spare = sk_spare_input(context, options, in, out);
    const sk_piece piece = sk_plain_piece(type, options);
    sk_begin_progress(context, options);
    scankit_error error = sort_plain(context, &piece, in, out, spare, n, bits, algorithm);
    return sk_finish(context, __func__, sk_end_progress(context, n, error));
}

/* Keys and values of 4 and 8 bytes move with the sort itself. */
static scankit_error sort_columns(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns in,
                                  sk_columns out, size_t n, sk_bits bits, scankit_algorithm algorithm)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    if (sk_piece_is_identity(&piece))
        return backend->sort(device, shape, in, out, NULL, n, bits.begin, bits.end, algorithm);
    bool done = false;
    if (bits.begin == 0 && bits.end == 8 * shape.key_size)
        SK_TRY(backend->sort_pairs(device, &piece, shape.value_size, in, out, n, algorithm, &done));
    if (done)
        return SCANKIT_OK;
    sk_word word = {.count = 1, .piece = {piece}};
    SK_TRY(backend->encode(device, &word, shape.key_size, in.keys, shape.key_size, out.keys, n));
    in.keys = out.keys;
    SK_TRY(backend->sort(device, shape, in, out, NULL, n, bits.begin, bits.end, algorithm));
    return backend->decode(device, &piece, out.keys, out.keys, n);
}

/* A GPU moves most whole keys as they are, with values of 1, 2, 4, 8 and 16 bytes. */
static scankit_error sort_as_they_are(scankit_context *context, const sk_piece *piece, sk_shape shape,
                                      sk_const_columns in, sk_columns out, size_t n, sk_bits bits,
                                      scankit_algorithm algorithm, bool *done)
{
    *done = false;
    if (context->backend->is_host || algorithm != SCANKIT_AUTO || bits.end - bits.begin != 8 * shape.key_size)
        return SCANKIT_OK;
    if (!sk_are_words(shape.value_size, in.values, out.values) &&
        !(shape.value_size == 16 && sk_are_aligned(16, in.values, out.values)))
        return SCANKIT_OK;
    return context->backend->sort_pairs(context->device, piece, shape.value_size, in, out, n, SCANKIT_AUTO, done);
}

/* Narrow keys and values move as words. Sorts do more with keys that count as a whole. */
static scankit_error sort_widened(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns in,
                                  sk_columns out, size_t n, sk_bits bits, scankit_algorithm algorithm)
{
    sk_widened wide;
    const bool is_whole = bits.begin == 0 && bits.end == 8 * shape.key_size;
    SK_TRY(sk_widen(context, &piece, shape, in, out, n, true, &wide));
    if (is_whole)
        bits.end = 8 * wide.shape.key_size;
    SK_TRY(sort_columns(context, wide.piece, wide.shape, wide.in, wide.out, n, bits, algorithm));
    return sk_narrow(context, &wide, out, n);
}

/* A GPU sorts whole keys beside their positions. */
static bool moves_keys(const scankit_context *context, size_t key_size, sk_bits bits)
{
    return !context->backend->is_host && key_size >= 4 && bits.end - bits.begin == 8 * key_size;
}

/* Others follow the sorted positions. */
static scankit_error sort_positions(scankit_context *context, const scankit_key *key, sk_bits bits, size_t value_size,
                                    sk_const_columns in, sk_columns out, size_t n, scankit_algorithm algorithm)
{
    unsigned index_size = sk_index_size(n);
    size_t key_size = scankit_type_size(key->type);
    sk_elements keys = {in.keys, key_size, n};
    void *index;
    SK_TRY(sk_take(context, n, index_size, &index));
    if (moves_keys(context, key_size, bits)) {
        SK_TRY(context->backend->iota(context->device, index_size, 0, index, n));
        SK_TRY(sort_columns(context, sk_piece_of_key(key), (sk_shape){(unsigned)key_size, index_size},
                            (sk_const_columns){in.keys, index}, (sk_columns){out.keys, index}, n, bits, algorithm));
    } else {
        SK_TRY(sk_sort_index(context, &keys, key, 1, bits, algorithm, index_size, index));
        SK_TRY(sk_permute(context, key_size, in.keys, out.keys, n, index_size, index));
    }
    return sk_permute(context, value_size, in.values, out.values, n, index_size, index);
}

/* By the first of these ways that the shape allows. */
static scankit_error sort_pairs(scankit_context *context, const scankit_key *key, sk_piece piece, sk_shape shape,
                                sk_const_columns in, sk_columns out, size_t n, sk_bits bits,
                                scankit_algorithm algorithm)
{
    bool done;
    if (sk_is_columns(shape.key_size, shape.value_size, in.values, out.values))
        return sort_columns(context, piece, shape, in, out, n, bits, algorithm);
    SK_TRY(sort_as_they_are(context, &piece, shape, in, out, n, bits, algorithm, &done));
    if (done)
        return SCANKIT_OK;
    if (sk_can_be_widened(context, shape, in.values, out.values))
        return sort_widened(context, piece, shape, in, out, n, bits, algorithm);
    return sort_positions(context, key, bits, shape.value_size, in, out, n, algorithm);
}

scankit_error scankit_sort_pairs(scankit_context *context, scankit_type type, const void *keys_in, void *keys_out,
                                 size_t value_size, const void *values_in, void *values_out, size_t n,
                                 const scankit_sort_options *options)
{
    REQUIRE_SORTABLE();
    const scankit_key key = sk_plain_key(type, options);
    SK_REQUIRE(value_size > 0, "values of no bytes");
    SK_REQUIRE(sk_is_array(keys_in, n, size) && sk_is_array(keys_out, n, size), "no arrays of n keys");
    SK_REQUIRE(sk_is_array(values_in, n, value_size) && sk_is_array(values_out, n, value_size),
               "no arrays of n values");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_const_columns in = {keys_in, values_in};
    sk_columns out = {keys_out, values_out};
    sk_shape shape = {(unsigned)size, (unsigned)value_size};
    const sk_piece piece = sk_plain_piece(type, options);
    scankit_error error = sort_pairs(context, &key, piece, shape, in, out, n, bits, algorithm);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_argsort(scankit_context *context, scankit_type type, const void *in, uint64_t *positions,
                              size_t n, const scankit_sort_options *options)
{
    REQUIRE_SORTABLE();
    SK_REQUIRE(sk_is_array(in, n, size), "the input is no array of n elements");
    SK_REQUIRE(sk_is_array(positions, n, sizeof *positions), "the positions are no array of n elements");
    if (n == 0)
        return SCANKIT_OK;
    const scankit_key key = sk_plain_key(type, options);
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_elements elements = {in, size, n};
    scankit_error error = sk_positions(context, &elements, &key, 1, bits, algorithm, positions);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

/* ---- is_sorted ---- */

scankit_error scankit_is_sorted(scankit_context *context, scankit_type type, const void *in, size_t n,
                                const scankit_sort_options *options, size_t *first)
{
    REQUIRE_SORTABLE();
    (void)algorithm;
    SK_REQUIRE(sk_is_array(in, n, size), "the input is no array of n elements");
    SK_REQUIRE(first != NULL, "nowhere to put the result");
    const scankit_key key = sk_plain_key(type, options);
    const sk_piece piece = sk_plain_piece(type, options);
    *first = n;
    if (n < 2)
        return SCANKIT_OK;
    if (sk_piece_is_identity(&piece) && bits.begin == 0 && bits.end == 8 * size)
        return sk_finish(context, __func__,
                         context->backend->first_descent(context->device, (unsigned)size, 1, in, n, first));
    sk_elements elements = {in, size, n};
    return sk_finish(context, __func__, sk_first_descent(context, &elements, &key, 1, bits, first));
}
