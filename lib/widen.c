/* widen.c - pairs with keys or values of 1 or 2 bytes: these are moved as words of 4. */
#include "internal.h"

static bool is_narrow(size_t size)
{
    return size <= 2;
}

static unsigned wide_size(unsigned size)
{
    return is_narrow(size) ? (unsigned)sizeof(uint32_t) : size;
}

/* A GPU does not load 2 bytes from an odd address. Where keys and values are both narrow, words take it up to 1.5 times
 * as long as positions. */
bool sk_can_be_widened(const scankit_context *context, sk_shape shape, const void *values_in, const void *values_out)
{
    if (!is_narrow(shape.value_size))
        return sk_is_columns(sizeof(uint32_t), shape.value_size, values_in, values_out);
    return context->backend->is_host ||
           (!is_narrow(shape.key_size) && sk_are_aligned(shape.value_size, values_in, values_out));
}

/* k arrays of counts[0], counts[1], ... elements become arrays of words, one directly after the other. */
static scankit_error widen(scankit_context *context, const sk_piece *piece, size_t k, const size_t *counts,
                           const void **arrays, uint32_t *words)
{
    const sk_word word = {.count = 1, .piece = {*piece}};
    for (size_t i = 0; i < k; words += counts[i++]) {
        SK_TRY(
            context->backend->encode(context->device, &word, piece->size, arrays[i], sizeof *words, words, counts[i]));
        arrays[i] = words;
    }
    return SCANKIT_OK;
}

/* The same if they are narrow. *out: the output's words, which are the input's if `in_place`. */
static scankit_error widen_narrow(scankit_context *context, const sk_piece *piece, size_t k, const size_t *counts,
                                  const void **arrays, bool in_place, void **out)
{
    size_t n = 0;
    uint32_t *words;
    if (!is_narrow(piece->size))
        return SCANKIT_OK;
    for (size_t i = 0; i < k; i++)
        n += counts[i];
    SK_TRY(sk_take(context, n, sizeof *words, &words));
    *out = words;
    if (!in_place)
        SK_TRY(sk_take(context, n, sizeof *words, out));
    return widen(context, piece, k, counts, arrays, words);
}

scankit_error sk_widen_many(scankit_context *context, const sk_piece *piece, sk_shape shape, size_t k,
                            const size_t *counts, const void **keys, const void **values, sk_columns out, bool in_place,
                            sk_widened *wide)
{
    *wide = (sk_widened){.key = *piece, .value = sk_unsigned_piece(shape.value_size), .out = out};
    wide->shape = (sk_shape){wide_size(shape.key_size), wide_size(shape.value_size)};
    wide->piece = is_narrow(piece->size) ? sk_unsigned_piece(wide->shape.key_size) : *piece;
    SK_TRY(widen_narrow(context, &wide->key, k, counts, keys, in_place, &wide->out.keys));
    return widen_narrow(context, &wide->value, k, counts, values, in_place, &wide->out.values);
}

scankit_error sk_widen(scankit_context *context, const sk_piece *piece, sk_shape shape, sk_const_columns in,
                       sk_columns out, size_t n, bool in_place, sk_widened *wide)
{
    SK_TRY(sk_widen_many(context, piece, shape, 1, &n, &in.keys, &in.values, out, in_place, wide));
    wide->in = in;
    return SCANKIT_OK;
}

static scankit_error narrow(scankit_context *context, const sk_piece *piece, const void *words, void *out, size_t n)
{
    const sk_backend *backend = context->backend;
    const sk_word word = {.count = 1, .piece = {sk_unsigned_piece(piece->size)}};
    if (!is_narrow(piece->size))
        return SCANKIT_OK;
    SK_TRY(backend->encode(context->device, &word, sizeof(uint32_t), words, piece->size, out, n));
    return sk_piece_is_identity(piece) ? SCANKIT_OK : backend->decode(context->device, piece, out, out, n);
}

scankit_error sk_narrow(scankit_context *context, const sk_widened *wide, sk_columns out, size_t n)
{
    SK_TRY(narrow(context, &wide->key, wide->out.keys, out.keys, n));
    return narrow(context, &wide->value, wide->out.values, out.values, n);
}
