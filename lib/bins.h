/* bins.h - the bin of a key, the same on every device.
 *
 * Keys become words that compare as unsigned integers: of 4 bytes, or of 8 for types of 8. Floats of even bins are
 * compared as f64 instead. A key outside of all bins, or a NaN, has bin number `count`. */
#ifndef SK_BINS_H
#define SK_BINS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "half.h"
#include "order.h"
#include "scankit.h"

#define SK_BINS_MOST ((size_t)1 << 24)

typedef struct sk_bins {
    scankit_binning kind;
    uint32_t count;
    const void *edges; /* of the device, count + 1 words, ascending */
    uint32_t step;     /* the largest power of two up to count + 1 */
    uint64_t low;      /* integers: the word of the first value */
    /* Even bins of integers: width of all (0: 2^64); count / range; the rest of it; and floor(2^64 * rest / range). */
    uint64_t range, whole, rest, reciprocal;
    /* Words of 4 bytes: ceil(2^64 * rest / range), and the greatest distance from the first value. */
    uint64_t scale_32;
    uint32_t most_32;
    double float_low, float_high, scale; /* even bins of floats */
    float low_32, high_32;               /* the least and the greatest f32 between low and high */
} sk_bins;

SK_INLINE uint64_t sk_high_product(uint64_t a, uint64_t b)
{
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
#endif
}

/* floor(distance * count / range), exactly; the last bin has its upper end. Let q be the exact quotient. The scale is
 * too large by less than 1, so the product is too large by less than 2^-32. Below 2^32, that is less than the distance
 * from q to the next integer, which is at least 1 / range. So both have the same floor. */
SK_INLINE uint32_t sk_even_bin_32(uint32_t word, const sk_bins *bins)
{
    uint32_t distance = word - (uint32_t)bins->low;
    uint64_t low = (uint64_t)distance * (uint32_t)bins->scale_32 >> 32;
    uint64_t sum = (uint64_t)distance * (uint32_t)(bins->scale_32 >> 32) + low;
    uint32_t bin = distance * (uint32_t)bins->whole + (uint32_t)(sum >> 32);
    bin = bin < bins->count ? bin : bins->count - 1;
    return distance > bins->most_32 ? bins->count : bin; /* at the end, so that no branch is needed */
}

/* The same for words of 8 bytes. The reciprocal is too small by less than 1, so the quotient is right or too small by
 * 1: the remainder tells. */
SK_INLINE uint32_t sk_even_bin_64(uint64_t word, const sk_bins *bins)
{
    uint64_t distance = word - bins->low;
    if (word < bins->low || (bins->range != 0 && distance > bins->range))
        return bins->count;
    uint64_t quotient = sk_high_product(distance, bins->reciprocal);
    uint64_t exact = distance * bins->rest, below = quotient * bins->range, rest = exact - below;
    bool more = false;
    if (bins->range != 0)
        more = rest >= bins->range ||
               sk_high_product(distance, bins->rest) - sk_high_product(quotient, bins->range) - (exact < below) != 0;
    uint64_t bin = distance * bins->whole + quotient + more;
    return bin < bins->count ? (uint32_t)bin : bins->count - 1;
}

/* The last edge that is not above the word begins its bin. */
#define SK_EDGE_BIN(WORD, BITS)                                                          \
    SK_INLINE uint32_t sk_edge_bin_##BITS(WORD word, const sk_bins *bins)                \
    {                                                                                    \
        const WORD *edges = (const WORD *)bins->edges;                                   \
        uint32_t edges_count = bins->count + 1, passed = 0;                              \
        for (uint32_t step = bins->step; step > 0; step >>= 1)                           \
            if (passed + step <= edges_count && edges[passed + step - 1] <= word)        \
                passed += step;                                                          \
        if (passed < edges_count)                                                        \
            return passed > 0 ? passed - 1 : bins->count;                                \
        return edges[bins->count] == word ? bins->count - 1 : bins->count;               \
    }                                                                                    \
    SK_INLINE uint32_t sk_word_bin_##BITS(WORD word, const sk_bins *bins)                \
    {                                                                                    \
        if (bins->kind == SCANKIT_BINS_EDGES)                                            \
            return sk_edge_bin_##BITS(word, bins);                                       \
        if (bins->kind == SCANKIT_BINS_EVEN)                                             \
            return sk_even_bin_##BITS(word, bins);                                       \
        WORD low = (WORD)bins->low, distance = (WORD)(word - low);                       \
        return word >= low && distance < bins->count ? (uint32_t)distance : bins->count; \
    }
SK_EDGE_BIN(uint32_t, 32)
SK_EDGE_BIN(uint64_t, 64)

/* The words. -0 becomes +0, which it equals. */
#define SK_UNSIGNED_WORD(name, ctype, WORD)      \
    SK_INLINE WORD sk_bin_word_##name(ctype key) \
    {                                            \
        return (WORD)key;                        \
    }
#define SK_SIGNED_WORD(name, ctype, utype, WORD)               \
    SK_INLINE WORD sk_bin_word_##name(ctype key)               \
    {                                                          \
        return (WORD)(utype)((utype)key ^ SK_SIGN_BIT(utype)); \
    }
SK_UNSIGNED_WORD(u8, uint8_t, uint32_t)
SK_UNSIGNED_WORD(u16, uint16_t, uint32_t)
SK_UNSIGNED_WORD(u32, uint32_t, uint32_t)
SK_UNSIGNED_WORD(u64, uint64_t, uint64_t)
SK_SIGNED_WORD(i8, int8_t, uint8_t, uint32_t)
SK_SIGNED_WORD(i16, int16_t, uint16_t, uint32_t)
SK_SIGNED_WORD(i32, int32_t, uint32_t, uint32_t)
SK_SIGNED_WORD(i64, int64_t, uint64_t, uint64_t)

SK_INLINE uint32_t sk_bin_word_f32(float key)
{
    uint32_t bits = sk_f32_bits(key + 0.0f);
    return bits ^ ((0 - (bits >> 31)) | SK_SIGN_BIT(uint32_t));
}

SK_INLINE uint32_t sk_bin_word_f16(scankit_f16 key)
{
    return sk_bin_word_f32(sk_f32_from_f16(key));
}

SK_INLINE uint64_t sk_bin_word_f64(double key)
{
    uint64_t bits;
    double sum = key + 0.0;
    memcpy(&bits, &sum, sizeof bits);
    return bits ^ ((0 - (bits >> 63)) | SK_SIGN_BIT(uint64_t));
}

/* For a key from low to high. */
SK_INLINE uint32_t sk_even_float_bin(double key, const sk_bins *bins)
{
    uint32_t bin = (uint32_t)((key - bins->float_low) * bins->scale);
    return bin < bins->count ? bin : bins->count - 1;
}

/* sk_bin_u8() and so on. */
#define SK_INTEGER_BIN(name, ctype, BITS)                            \
    SK_INLINE uint32_t sk_bin_##name(ctype key, const sk_bins *bins) \
    {                                                                \
        return sk_word_bin_##BITS(sk_bin_word_##name(key), bins);    \
    }
SK_INTEGER_BIN(u8, uint8_t, 32)
SK_INTEGER_BIN(u16, uint16_t, 32)
SK_INTEGER_BIN(u32, uint32_t, 32)
SK_INTEGER_BIN(u64, uint64_t, 64)
SK_INTEGER_BIN(i8, int8_t, 32)
SK_INTEGER_BIN(i16, int16_t, 32)
SK_INTEGER_BIN(i32, int32_t, 32)
SK_INTEGER_BIN(i64, int64_t, 64)

SK_INLINE uint32_t sk_bin_f32(float key, const sk_bins *bins)
{
    if (bins->kind == SCANKIT_BINS_EVEN)
        return key >= bins->low_32 && key <= bins->high_32 ? sk_even_float_bin((double)key, bins) : bins->count;
    return key != key ? bins->count : sk_edge_bin_32(sk_bin_word_f32(key), bins);
}

SK_INLINE uint32_t sk_bin_f16(scankit_f16 key, const sk_bins *bins)
{
    return sk_bin_f32(sk_f32_from_f16(key), bins);
}

SK_INLINE uint32_t sk_bin_f64(double key, const sk_bins *bins)
{
    if (bins->kind == SCANKIT_BINS_EVEN)
        return key >= bins->float_low && key <= bins->float_high ? sk_even_float_bin(key, bins) : bins->count;
    return key != key ? bins->count : sk_edge_bin_64(sk_bin_word_f64(key), bins);
}

/* A weight as a word of its sum: integers in 64 bits, modulo 2^64, and floats as the bits of an f64. */
#define SK_WEIGHT(name, ctype)                        \
    SK_INLINE uint64_t sk_weight_##name(ctype weight) \
    {                                                 \
        return (uint64_t)(int64_t)weight;             \
    }
SK_WEIGHT(u8, uint8_t)
SK_WEIGHT(u16, uint16_t)
SK_WEIGHT(u32, uint32_t)
SK_WEIGHT(u64, uint64_t)
SK_WEIGHT(i8, int8_t)
SK_WEIGHT(i16, int16_t)
SK_WEIGHT(i32, int32_t)
SK_WEIGHT(i64, int64_t)

SK_INLINE uint64_t sk_weight_f64(double weight)
{
    uint64_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
}

SK_INLINE uint64_t sk_weight_f32(float weight)
{
    return sk_weight_f64((double)weight);
}

SK_INLINE uint64_t sk_weight_f16(scankit_f16 weight)
{
    return sk_weight_f32(sk_f32_from_f16(weight));
}

/* Element i of weights of a type. */
SK_INLINE uint64_t sk_weight_at(scankit_type type, const void *weights, size_t i)
{
    switch (type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return sk_weight_##name(((const ctype *)weights)[i]);
        SCANKIT_TYPES(X)
#undef X
    default: return 0;
    }
}

#endif
