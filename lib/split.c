/* split.c - split by digit and by flags: checks arguments, calls the backend. */
#include "internal.h"

static const char *wrong_digit(scankit_type type, unsigned bit, unsigned bits)
{
    if (scankit_type_size(type) == 0)
        return "no such type";
    if (bits < 1 || bits > 8 || bit > 8 * scankit_type_size(type) - bits)
        return "a digit has 1 to 8 bits, all of them in the type";
    return NULL;
}

#define REQUIRE_DIGIT()                               \
    SK_REQUIRE(context != NULL, "no context");        \
    const char *wrong = wrong_digit(type, bit, bits); \
    SK_REQUIRE(wrong == NULL, wrong);                 \
    const size_t size = scankit_type_size(type)

/* Of no elements, every digit begins at 0. */
static scankit_error split_nothing(size_t *offsets, unsigned bits)
{
    for (size_t i = 0; offsets != NULL && i <= (size_t)1 << bits; i++)
        offsets[i] = 0;
    return SCANKIT_OK;
}

scankit_error scankit_split(scankit_context *context, scankit_type type, const void *in, void *out, size_t n,
                            unsigned bit, unsigned bits, size_t *offsets)
{
    REQUIRE_DIGIT();
    SK_REQUIRE(sk_is_array(in, n, size) && sk_is_array(out, n, size), "no arrays of n elements");
    SK_REQUIRE(n == 0 || in != out, "split does not work in place");
    if (n == 0)
        return split_nothing(offsets, bits);
    return sk_finish(context, __func__,
                     context->backend->split(context->device, (sk_shape){(unsigned)size, 0},
                                             (sk_const_columns){in, NULL}, (sk_columns){out, NULL}, n, bit, bits,
                                             offsets));
}

/* A call with offsets waits for all. */
static scankit_error wait_for(scankit_context *context, const size_t *offsets)
{
    return offsets == NULL ? SCANKIT_OK : context->backend->synchronize(context->device);
}

static scankit_error split_widened(scankit_context *context, sk_shape shape, sk_const_columns in, sk_columns out,
                                   size_t n, unsigned bit, unsigned bits, size_t *offsets)
{
    const sk_backend *backend = context->backend;
    const sk_piece piece = sk_unsigned_piece(shape.key_size);
    sk_widened wide;
    SK_TRY(sk_widen(context, &piece, shape, in, out, n, false, &wide));
    SK_TRY(backend->split(context->device, wide.shape, wide.in, wide.out, n, bit, bits, offsets));
    SK_TRY(sk_narrow(context, &wide, out, n));
    return wait_for(context, offsets);
}

/* Keys and values of other sizes follow their positions. */
static scankit_error split_positions(scankit_context *context, size_t size, size_t value_size, sk_const_columns in,
                                     sk_columns out, size_t n, unsigned bit, unsigned bits, size_t *offsets)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    unsigned index_size = sk_index_size(n), word_size = size <= 4 ? 4 : 8;
    void *words, *index, *split_words, *split_index;
    SK_TRY(sk_take(context, n, word_size, &words));
    SK_TRY(sk_take(context, n, word_size, &split_words));
    SK_TRY(sk_take(context, n, index_size, &index));
    SK_TRY(sk_take(context, n, index_size, &split_index));
    sk_word word = {.count = 1, .piece = {sk_unsigned_piece(size)}};
    SK_TRY(backend->encode(device, &word, size, in.keys, word_size, words, n));
    SK_TRY(backend->iota(device, index_size, 0, index, n));
    SK_TRY(backend->split(device, (sk_shape){word_size, index_size}, (sk_const_columns){words, index},
                          (sk_columns){split_words, split_index}, n, bit, bits, offsets));
    SK_TRY(sk_permute(context, size, in.keys, out.keys, n, index_size, split_index));
    SK_TRY(sk_permute(context, value_size, in.values, out.values, n, index_size, split_index));
    return wait_for(context, offsets);
}

scankit_error scankit_split_pairs(scankit_context *context, scankit_type type, const void *keys_in, void *keys_out,
                                  size_t value_size, const void *values_in, void *values_out, size_t n, unsigned bit,
                                  unsigned bits, size_t *offsets)
{
    REQUIRE_DIGIT();
    SK_REQUIRE(value_size > 0, "values of no bytes");
    SK_REQUIRE(sk_is_array(keys_in, n, size) && sk_is_array(keys_out, n, size), "no arrays of n keys");
    SK_REQUIRE(sk_is_array(values_in, n, value_size) && sk_is_array(values_out, n, value_size),
               "no arrays of n values");
    SK_REQUIRE(n == 0 || (keys_in != keys_out && values_in != values_out), "split does not work in place");
    if (n == 0)
        return split_nothing(offsets, bits);
    size_t mark = sk_arena_mark(&context->device->workspace);
    sk_const_columns in = {keys_in, values_in};
    sk_columns out = {keys_out, values_out};
    sk_shape shape = {(unsigned)size, (unsigned)value_size};
    scankit_error error;
    if (sk_is_columns(size, value_size, values_in, values_out))
        error = context->backend->split(context->device, shape, in, out, n, bit, bits, offsets);
    else if (sk_can_be_widened(context, shape, values_in, values_out))
        error = split_widened(context, shape, in, out, n, bit, bits, offsets);
    else
        error = split_positions(context, size, value_size, in, out, n, bit, bits, offsets);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_split_flags(scankit_context *context, size_t element_size, const void *in, const uint8_t *flags,
                                  void *out, size_t n, size_t *zeros)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(element_size > 0, "elements of no bytes");
    SK_REQUIRE(sk_is_array(in, n, element_size) && sk_is_array(out, n, element_size), "no arrays of n elements");
    SK_REQUIRE(sk_is_array(flags, n, 1), "the flags are no array of n bytes");
    SK_REQUIRE(n == 0 || in != out, "split does not work in place");
    if (n == 0) {
        if (zeros != NULL)
            *zeros = 0;
        return SCANKIT_OK;
    }
    return sk_finish(context, __func__,
                     context->backend->split_flags(context->device, element_size, in, flags, out, n, zeros));
}
