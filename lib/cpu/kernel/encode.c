/* encode.c - elements to key words and back, a block of elements at a time: fetched into a small array, which simple
 * loops then take through the steps of a piece (byte order, order of values, direction, place in the word). */
#include <string.h>

#include "kernels.h"

#define BLOCK ((size_t)512)

static uint8_t swap_8(uint8_t x)
{
    return x;
}
#define swap_16 __builtin_bswap16
#define swap_32 __builtin_bswap32
#define swap_64 __builtin_bswap64

#define X(enumerator, name, ctype, kind) \
    static_assert(!SK_IS_FLOAT_##name || sizeof(ctype) > 1, "there is no order of floats of a byte");
SCANKIT_TYPES(X)
#undef X
#define FLOAT_MAPS_8(x, to) (x)
#define FLOAT_MAPS_16(x, to) (sk_##to##_f16(x))
#define FLOAT_MAPS_32(x, to) (sk_##to##_f32(x))
#define FLOAT_MAPS_64(x, to) (sk_##to##_f64(x))

#define EACH(expression)           \
    for (size_t i = 0; i < n; i++) \
        x[i] = expression;

/* Words alias, as keys that are ordered where they lie are an array of any type. */
#define STEPS(BITS)                                                                                          \
    typedef uint##BITS##_t __attribute__((may_alias)) word_##BITS;                                           \
    static void swap_each_##BITS(word_##BITS *x, size_t n)                                                   \
    {                                                                                                        \
        EACH(swap_##BITS(x[i]))                                                                              \
    }                                                                                                        \
    static void order_##BITS(const sk_piece *piece, void *keys, size_t n)                                    \
    {                                                                                                        \
        word_##BITS *x = keys;                                                                               \
        if (piece->swap)                                                                                     \
            swap_each_##BITS(x, n);                                                                          \
        if (piece->kind == SK_PIECE_SIGNED)                                                                  \
            EACH(x[i] ^ SK_SIGN_BIT(word_##BITS))                                                            \
        else if (piece->kind == SK_PIECE_FLOAT)                                                              \
            EACH(FLOAT_MAPS_##BITS(x[i], order))                                                             \
        if (piece->descending)                                                                               \
            EACH((word_##BITS) ~x[i])                                                                        \
    }                                                                                                        \
    static void order_from_##BITS(const sk_piece *piece, const void *in, void *out, size_t n)                \
    {                                                                                                        \
        const word_##BITS *restrict from = in, flip = piece->descending ? (word_##BITS) ~(word_##BITS)0 : 0; \
        const word_##BITS turn = piece->kind == SK_PIECE_SIGNED ? flip ^ SK_SIGN_BIT(word_##BITS) : flip;    \
        word_##BITS *restrict x = out;                                                                       \
        if (piece->swap) {                                                                                   \
            memcpy(x, from, n * sizeof *x);                                                                  \
            order_##BITS(piece, x, n);                                                                       \
        } else if (piece->kind == SK_PIECE_FLOAT) {                                                          \
            EACH(FLOAT_MAPS_##BITS(from[i], order) ^ flip)                                                   \
        } else {                                                                                             \
            EACH(from[i] ^ turn)                                                                             \
        }                                                                                                    \
    }                                                                                                        \
    static void value_##BITS(const sk_piece *piece, void *keys, size_t n)                                    \
    {                                                                                                        \
        word_##BITS *x = keys;                                                                               \
        if (piece->descending)                                                                               \
            EACH((word_##BITS) ~x[i])                                                                        \
        if (piece->kind == SK_PIECE_SIGNED)                                                                  \
            EACH(x[i] ^ SK_SIGN_BIT(word_##BITS))                                                            \
        else if (piece->kind == SK_PIECE_FLOAT)                                                              \
            EACH(FLOAT_MAPS_##BITS(x[i], value))                                                             \
        if (piece->swap)                                                                                     \
            swap_each_##BITS(x, n);                                                                          \
    }                                                                                                        \
    static void fetch_##BITS(const sk_piece *piece, size_t stride, const char *in, word_##BITS *x, size_t n) \
    {                                                                                                        \
        if (stride == sizeof *x)                                                                             \
            memcpy(x, in, n * sizeof *x);                                                                    \
        else                                                                                                 \
            for (size_t i = 0; i < n; i++)                                                                   \
                memcpy(x + i, in + i * stride + piece->offset, sizeof *x);                                   \
        order_##BITS(piece, x, n);                                                                           \
    }                                                                                                        \
    static void encode_##BITS(const sk_piece *piece, size_t stride, const char *in, void *out, size_t n)     \
    {                                                                                                        \
        if (stride != sizeof(word_##BITS)) {                                                                 \
            word_##BITS x[BLOCK];                                                                            \
            fetch_##BITS(piece, stride, in, x, n);                                                           \
            memcpy(out, x, n * sizeof *x);                                                                   \
            return;                                                                                          \
        }                                                                                                    \
        if (out != in)                                                                                       \
            memcpy(out, in, n * sizeof(word_##BITS));                                                        \
        order_##BITS(piece, out, n);                                                                         \
    }                                                                                                        \
    static void decode_##BITS(const sk_piece *piece, const char *in, void *out, size_t n)                    \
    {                                                                                                        \
        if (out != in)                                                                                       \
            memcpy(out, in, n * sizeof(word_##BITS));                                                        \
        value_##BITS(piece, out, n);                                                                         \
    }                                                                                                        \
    static void widen_##BITS(const sk_piece *piece, size_t stride, const char *in, uint64_t *wide, size_t n) \
    {                                                                                                        \
        word_##BITS x[BLOCK];                                                                                \
        fetch_##BITS(piece, stride, in, x, n);                                                               \
        for (size_t i = 0; i < n; i++)                                                                       \
            wide[i] = x[i];                                                                                  \
    }                                                                                                        \
    static void narrow_##BITS(const uint64_t *wide, void *out, size_t n)                                     \
    {                                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            word_##BITS x = (word_##BITS)wide[i];                                                            \
            memcpy((char *)out + i * sizeof x, &x, sizeof x);                                                \
        }                                                                                                    \
    }
STEPS(8)
STEPS(16)
STEPS(32)
STEPS(64)

/* By the logarithm of a size. */
static const struct steps {
    void (*encode)(const sk_piece *piece, size_t stride, const char *in, void *out, size_t n);
    void (*decode)(const sk_piece *piece, const char *in, void *out, size_t n);
    void (*widen)(const sk_piece *piece, size_t stride, const char *in, uint64_t *wide, size_t n);
    void (*narrow)(const uint64_t *wide, void *out, size_t n);
    void (*order)(const sk_piece *piece, void *keys, size_t n);
    void (*order_from)(const sk_piece *piece, const void *in, void *out, size_t n);
    void (*value)(const sk_piece *piece, void *keys, size_t n);
} steps[] = {{encode_8, decode_8, widen_8, narrow_8, order_8, order_from_8, value_8},
             {encode_16, decode_16, widen_16, narrow_16, order_16, order_from_16, value_16},
             {encode_32, decode_32, widen_32, narrow_32, order_32, order_from_32, value_32},
             {encode_64, decode_64, widen_64, narrow_64, order_64, order_from_64, value_64}};

static const struct steps *steps_of(unsigned size)
{
    return &steps[__builtin_ctz(size)];
}

/* Opaque bytes, the first the most significant. */
SK_INLINE void widen_bytes_of(size_t size, size_t stride, const char *in, uint64_t *wide, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t x = 0;
        memcpy(&x, in + i * stride, size);
        wide[i] = swap_64(x) >> (64 - 8 * size);
    }
}

static void widen_bytes(const sk_piece *piece, size_t stride, const char *in, uint64_t *wide, size_t n)
{
    switch (piece->size) {
#define X(size) \
    case size: widen_bytes_of(size, stride, in + piece->offset, wide, n); break;
        X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#undef X
    }
    uint64_t flip = piece->descending ? sk_low_mask(8u * piece->size) : 0;
    for (size_t i = 0; i < n; i++)
        wide[i] ^= flip;
}

/* Puts a piece where it belongs in the words. */
static void add_piece(const sk_piece *piece, const uint64_t *wide, uint64_t *words, size_t n)
{
    unsigned left = piece->shift > 0 ? (unsigned)piece->shift : 0;
    unsigned right = piece->shift < 0 ? (unsigned)-piece->shift : 0;
    for (size_t i = 0; i < n; i++)
        words[i] |= (wide[i] << left >> right) & piece->mask;
}

static void encode_block(const sk_word *word, size_t stride, const char *in, unsigned word_size, void *out, size_t n)
{
    uint64_t words[BLOCK], wide[BLOCK];
    memset(words, 0, n * sizeof *words);
    for (unsigned p = 0; p < word->count; p++) {
        const sk_piece *piece = &word->piece[p];
        if (piece->kind == SK_PIECE_BYTES)
            widen_bytes(piece, stride, in, wide, n);
        else
            steps_of(piece->size)->widen(piece, stride, in, wide, n);
        add_piece(piece, wide, words, n);
    }
    steps_of(word_size)->narrow(words, out, n);
}

/* One number that is all of the word: no need to go by 64 bits. */
static bool is_plain(const sk_word *word, unsigned word_size)
{
    const sk_piece *piece = &word->piece[0];
    return word->count == 1 && piece->kind != SK_PIECE_BYTES && piece->size == word_size && piece->shift == 0 &&
           (~piece->mask & sk_low_mask(8 * word_size)) == 0;
}

static void encode(const sk_word *word, size_t stride, const char *in, unsigned word_size, char *out, size_t n)
{
    bool plain = is_plain(word, word_size);
    for (size_t i = 0; i < n; i += BLOCK) {
        const char *from = in + i * stride;
        size_t some = sk_min(BLOCK, n - i);
        if (plain)
            steps_of(word_size)->encode(&word->piece[0], stride, from, out + i * word_size, some);
        else
            encode_block(word, stride, from, word_size, out + i * word_size, some);
    }
}

static void decode(const sk_piece *piece, const char *in, char *out, size_t n)
{
    for (size_t i = 0; i < n; i += BLOCK)
        steps_of(piece->size)->decode(piece, in + i * piece->size, out + i * piece->size, sk_min(BLOCK, n - i));
}

static void order(const sk_piece *piece, void *keys, size_t n)
{
    steps_of(piece->size)->order(piece, keys, n);
}

static void order_from(const sk_piece *piece, const void *in, void *out, size_t n)
{
    steps_of(piece->size)->order_from(piece, in, out, n);
}

static void value(const sk_piece *piece, void *keys, size_t n)
{
    steps_of(piece->size)->value(piece, keys, n);
}

const sk_encode_kernels SK_ISA_NAME(sk_encode_kernels) = {encode, decode, order, order_from, value};
