/* segmented_sort.c - segmented sorts: checks arguments; types and options become words, which the backend sorts. */
#include "internal.h"

#define REQUIRE_SEGMENTS()                                                                                   \
    sk_bits bits;                                                                                            \
    SK_REQUIRE(context != NULL, "no context");                                                               \
    SK_REQUIRE(scankit_type_size(type) != 0, "no such type");                                                \
    SK_REQUIRE(sk_options_bits(type, options, &bits), "the range of key bits is not one that the type has"); \
    SK_REQUIRE(options == NULL || scankit_algorithm_name(options->algorithm) != NULL, "no such algorithm");  \
    SK_REQUIRE(segments < SIZE_MAX, "too many segments");                                                    \
    SK_REQUIRE(segments == 0 || sk_is_array(offsets, segments + 1, sizeof *offsets),                         \
               "the offsets are no array of segments + 1");                                                  \
    const size_t size = scankit_type_size(type);                                                             \
    const scankit_key key = sk_plain_key(type, options);                                                     \
    const sk_segments where = {offsets, segments, n}

typedef struct sk_segments {
    const uint64_t *offsets;
    size_t count, n;
} sk_segments;

static bool all_bits_count(sk_bits bits, size_t size)
{
    return bits.begin == 0 && bits.end == 8 * size;
}

/* By the order of the piece, if the backend can do so. Without segments, all elements are outside of segments. */
static scankit_error sort_numbers(scankit_context *context, const sk_piece *piece, sk_shape shape, sk_const_columns in,
                                  sk_columns out, sk_segments where, bool *done)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    if (where.count > 0)
        return backend->segmented_sort(device, piece, shape, in, out, where.offsets, where.count, where.n, done);
    *done = true;
    if (in.keys != out.keys)
        SK_TRY(backend->copy(device, out.keys, in.keys, where.n * shape.key_size));
    if (shape.value_size > 0 && in.values != out.values)
        SK_TRY(backend->copy(device, out.values, in.values, where.n * shape.value_size));
    return SCANKIT_OK;
}

static scankit_error sort_words(scankit_context *context, sk_shape shape, sk_const_columns in, sk_columns out,
                                sk_segments where)
{
    const sk_piece piece = sk_unsigned_piece(shape.key_size);
    bool done; /* always */
    return sort_numbers(context, &piece, shape, in, out, where, &done);
}

/* Elements that the backend moves itself, by all bits of their keys. */
static scankit_error sort_columns(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns in,
                                  sk_columns out, sk_segments where)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    bool done;
    SK_TRY(sort_numbers(context, &piece, shape, in, out, where, &done));
    if (done)
        return SCANKIT_OK;
    sk_word word = {.count = 1, .piece = {piece}};
    SK_TRY(backend->encode(device, &word, piece.size, in.keys, shape.key_size, out.keys, where.n));
    in.keys = out.keys;
    scankit_error error = sort_words(context, shape, in, out, where);
    scankit_error decoded = backend->decode(device, &piece, out.keys, out.keys, where.n);
    return error != SCANKIT_OK ? error : decoded;
}

static scankit_error sort_widened(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns in,
                                  sk_columns out, sk_segments where)
{
    sk_widened wide;
    SK_TRY(sk_widen(context, &piece, shape, in, out, where.n, true, &wide));
    SK_TRY(sort_columns(context, wide.piece, wide.shape, wide.in, wide.out, where));
    return sk_narrow(context, &wide, out, where.n);
}

/* A GPU may move narrow keys with values as they are. */
static scankit_error sort_narrow(scankit_context *context, sk_piece piece, sk_shape shape, sk_const_columns in,
                                 sk_columns out, sk_segments where)
{
    bool done = false;
    if (!context->backend->is_host && shape.key_size < sizeof(uint32_t) && shape.value_size >= sizeof(uint32_t))
        SK_TRY(sort_numbers(context, &piece, shape, in, out, where, &done));
    return done ? SCANKIT_OK : sort_widened(context, piece, shape, in, out, where);
}

/* index[i] = the position of the i-th element, each within its segment. */
static scankit_error sort_index(scankit_context *context, sk_piece piece, sk_bits bits, const void *in,
                                unsigned index_size, void *index, sk_segments where)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    unsigned word_size = piece.size == 8 ? 8 : 4;
    sk_shape shape = {word_size, index_size};
    void *words;
    bool done = false;
    SK_TRY(sk_take(context, where.n, word_size, &words));
    SK_TRY(backend->iota(device, index_size, 0, index, where.n));
    sk_columns out = {words, index};
    if (piece.size == word_size && all_bits_count(bits, piece.size))
        SK_TRY(sort_numbers(context, &piece, shape, (sk_const_columns){in, index}, out, where, &done));
    if (done)
        return SCANKIT_OK;
    piece.mask &= sk_bits_mask(bits);
    sk_word word = {.count = 1, .piece = {piece}};
    SK_TRY(backend->encode(device, &word, piece.size, in, word_size, words, where.n));
    return sort_words(context, shape, (sk_const_columns){words, index}, out, where);
}

/* Others follow the sorted positions. */
static scankit_error sort_positions(scankit_context *context, sk_piece piece, sk_bits bits, size_t value_size,
                                    sk_const_columns in, sk_columns out, sk_segments where)
{
    unsigned index_size = sk_index_size(where.n);
    void *index;
    SK_TRY(sk_take(context, where.n, index_size, &index));
    SK_TRY(sort_index(context, piece, bits, in.keys, index_size, index, where));
    SK_TRY(sk_permute(context, piece.size, in.keys, out.keys, where.n, index_size, index));
    return value_size == 0 ? SCANKIT_OK
                           : sk_permute(context, value_size, in.values, out.values, where.n, index_size, index);
}

scankit_error scankit_segmented_sort(scankit_context *context, scankit_type type, const void *in, void *out, size_t n,
                                     const uint64_t *offsets, size_t segments, const scankit_sort_options *options)
{
    REQUIRE_SEGMENTS();
    SK_REQUIRE(sk_is_array(in, n, size) && sk_is_array(out, n, size), "no arrays of n elements");
    SK_REQUIRE(n == 0 || segments == 0 || out != (const void *)offsets, "the output is the array of offsets");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_const_columns from = {in, NULL};
    sk_columns to = {out, NULL};
    sk_piece piece = sk_piece_of_key(&key);
    scankit_error error = all_bits_count(bits, size)
                              ? sort_columns(context, piece, (sk_shape){(unsigned)size, 0}, from, to, where)
                              : sort_positions(context, piece, bits, 0, from, to, where);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_segmented_sort_pairs(scankit_context *context, scankit_type type, const void *keys_in,
                                           void *keys_out, size_t value_size, const void *values_in, void *values_out,
                                           size_t n, const uint64_t *offsets, size_t segments,
                                           const scankit_sort_options *options)
{
    REQUIRE_SEGMENTS();
    SK_REQUIRE(value_size > 0, "values of no bytes");
    SK_REQUIRE(sk_is_array(keys_in, n, size) && sk_is_array(keys_out, n, size), "no arrays of n keys");
    SK_REQUIRE(sk_is_array(values_in, n, value_size) && sk_is_array(values_out, n, value_size),
               "no arrays of n values");
    SK_REQUIRE(n == 0 || segments == 0 || (keys_out != (const void *)offsets && values_out != (const void *)offsets),
               "an output is the array of offsets");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_const_columns from = {keys_in, values_in};
    sk_columns to = {keys_out, values_out};
    sk_piece piece = sk_piece_of_key(&key);
    sk_shape shape = {(unsigned)size, (unsigned)value_size};
    scankit_error error;
    if (all_bits_count(bits, size) && sk_is_columns(size, value_size, values_in, values_out))
        error = sort_columns(context, piece, shape, from, to, where);
    else if (all_bits_count(bits, size) && sk_can_be_widened(context, shape, values_in, values_out))
        error = sort_narrow(context, piece, shape, from, to, where);
    else
        error = sort_positions(context, piece, bits, value_size, from, to, where);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_segmented_argsort(scankit_context *context, scankit_type type, const void *in,
                                        uint64_t *positions, size_t n, const uint64_t *offsets, size_t segments,
                                        const scankit_sort_options *options)
{
    REQUIRE_SEGMENTS();
    SK_REQUIRE(sk_is_array(in, n, size), "the input is no array of n elements");
    SK_REQUIRE(sk_is_array(positions, n, sizeof *positions), "the positions are no array of n elements");
    SK_REQUIRE(n == 0 || segments == 0 || positions != offsets, "the output is the array of offsets");
    if (n == 0)
        return SCANKIT_OK;
    size_t mark = sk_arena_mark(&context->device->workspace);
    scankit_error error = sort_index(context, sk_piece_of_key(&key), bits, in, 8, positions, where);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}
