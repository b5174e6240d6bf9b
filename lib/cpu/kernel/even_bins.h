/* even_bins.h - even bins of integers, by registers where there are such. */
#ifndef SK_EVEN_BINS_H
#define SK_EVEN_BINS_H

#include "bins.h"
#include "lanes.h"

/* bin: an expression of the key and `of`. */
#define BINS(linkage, name, ctype, bin)                                                       \
    linkage void name(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to) \
    {                                                                                         \
        const ctype *restrict from = keys;                                                    \
        const sk_bins of = *bins;                                                             \
        for (size_t i = 0; i < n; i++) {                                                      \
            const ctype key = from[i];                                                        \
            to[i] = bin;                                                                      \
        }                                                                                     \
    }

#define FEW_EVEN(name, ctype, bits) \
    BINS(SK_INLINE, few_even_##name, ctype, sk_even_bin_##bits(sk_bin_word_##name(key), &of))
FEW_EVEN(u8, uint8_t, 32)
FEW_EVEN(u16, uint16_t, 32)
FEW_EVEN(u32, uint32_t, 32)
FEW_EVEN(u64, uint64_t, 64)
FEW_EVEN(i8, int8_t, 32)
FEW_EVEN(i16, int16_t, 32)
FEW_EVEN(i32, int32_t, 32)
FEW_EVEN(i64, int64_t, 64)

#if defined(__AVX512F__)
#define AT_ONCE 16
typedef __m512i words;
#define ON_WORDS(operation) _mm512_##operation
#define EACH_64(x) _mm512_set1_epi64(x)
#define ODD_OF(even, odd) _mm512_mask_mov_epi32(even, 0xaaaa, odd)
#define STORE(to, x) _mm512_storeu_si512(to, x)
#define WORDS_u8(from) _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(from)))
#define WORDS_u16(from) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(from)))
#define WORDS_u32(from) _mm512_loadu_si512(from)
#define XOR(x, y) _mm512_xor_si512(x, y)

/* The bin, or the last one, where the distance is at most `most`; else `outside`. */
SK_INLINE words bin_within(words distance, words most, words bin, words last, words outside)
{
    return _mm512_mask_min_epu32(outside, _mm512_cmple_epu32_mask(distance, most), bin, last);
}

/* The same of the lower halves of lanes. */
SK_INLINE words bin_within_64(words distance, uint64_t most, words bin, words outside)
{
    return _mm512_mask_mov_epi64(outside, _mm512_cmple_epu64_mask(distance, EACH_64((int64_t)most)), bin);
}

/* The integer next to x * ratio, in the lower halves of lanes: the last bit of a sum with 2^52 stands for 1. */
SK_INLINE words nearest(words x, double ratio)
{
    const __m512d product = _mm512_mul_pd(_mm512_cvtepu64_pd(x), _mm512_set1_pd(ratio));
    return _mm512_castpd_si512(_mm512_add_pd(product, _mm512_set1_pd(0x1p52)));
}

SK_INLINE words lower_halves(words a, words b)
{
    const words even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_epi32(a, even, b);
}
#elif defined(__AVX2__)
#define AT_ONCE 8
typedef __m256i words;
#define ON_WORDS(operation) _mm256_##operation
#define EACH_64(x) _mm256_set1_epi64x(x)
#define ODD_OF(even, odd) _mm256_blend_epi32(even, odd, 0xaa)
#define STORE(to, x) _mm256_storeu_si256((void *)(to), x)
#define WORDS_u8(from) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(from)))
#define WORDS_u16(from) _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(from)))
#define WORDS_u32(from) _mm256_loadu_si256((const void *)(from))
#define XOR(x, y) _mm256_xor_si256(x, y)

SK_INLINE words bin_within(words distance, words most, words bin, words last, words outside)
{
    const words least = _mm256_min_epu32(distance, most);
    return _mm256_blendv_epi8(outside, _mm256_min_epu32(bin, last), _mm256_cmpeq_epi32(distance, least));
}

/* The same of the lower halves of lanes. */
SK_INLINE words bin_within_64(words distance, uint64_t most, words bin, words outside)
{
    const uint64_t sign = SK_SIGN_BIT(uint64_t);
    const words beyond = _mm256_cmpgt_epi64(XOR(distance, EACH_64((int64_t)sign)), EACH_64((int64_t)(most ^ sign)));
    return _mm256_blendv_epi8(bin, outside, beyond);
}

/* The integer next to x * ratio, in the lower halves of lanes: the last bit of a sum with 2^52 stands for 1. AVX2 does
 * not convert integers of 64 bits. Each half of x becomes the last bits of a float with a large exponent, which is then
 * taken away. */
SK_INLINE words nearest(words x, double ratio)
{
    const __m256d one = _mm256_set1_pd(0x1p52), upper = _mm256_set1_pd(0x1p84);
    const __m256d low = _mm256_castsi256_pd(_mm256_blend_epi32(x, _mm256_castpd_si256(one), 0xaa));
    const __m256d high = _mm256_or_pd(_mm256_castsi256_pd(_mm256_srli_epi64(x, 32)), upper);
    const __m256d wide = _mm256_add_pd(_mm256_sub_pd(high, _mm256_set1_pd(0x1p84 + 0x1p52)), low);
    return _mm256_castpd_si256(_mm256_add_pd(_mm256_mul_pd(wide, _mm256_set1_pd(ratio)), one));
}

SK_INLINE words lower_halves(words a, words b)
{
    const __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xd8);
}
#endif

#if defined(__AVX2__)
#define EACH_32(x) ON_WORDS(set1_epi32)((int32_t)(x))
#define WORDS_i8(from) XOR(WORDS_u8(from), EACH_32(0x80))
#define WORDS_i16(from) XOR(WORDS_u16(from), EACH_32(0x8000))
#define WORDS_i32(from) XOR(WORDS_u32(from), EACH_32(INT32_MIN))

/* distance * scale_32 >> 64 of the lower halves of lanes. */
SK_INLINE words quotients(words distance, words scale_low, words scale_high)
{
    const words low = ON_WORDS(srli_epi64)(ON_WORDS(mul_epu32)(distance, scale_low), 32);
    return ON_WORDS(add_epi64)(ON_WORDS(mul_epu32)(distance, scale_high), low);
}

/* sk_even_bin_32(). The compiler would multiply by 64 bits, which takes three times as long. */
SK_INLINE words even_bins(words word, const sk_bins *bins)
{
    const words scale_low = EACH_64((int64_t)(bins->scale_32 & UINT32_MAX));
    const words scale_high = EACH_64((int64_t)(bins->scale_32 >> 32));
    const words distance = ON_WORDS(sub_epi32)(word, EACH_32(bins->low));
    const words even = ON_WORDS(srli_epi64)(quotients(distance, scale_low, scale_high), 32);
    const words odd = quotients(ON_WORDS(srli_epi64)(distance, 32), scale_low, scale_high);
    const words whole = ON_WORDS(mullo_epi32)(distance, EACH_32(bins->whole));
    const words bin = ON_WORDS(add_epi32)(whole, ODD_OF(even, odd));
    return bin_within(distance, EACH_32(bins->most_32), bin, EACH_32(bins->count - 1), EACH_32(bins->count));
}

#define EVEN_WORDS(name, ctype)                                                                        \
    SK_INLINE void even_##name(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to) \
    {                                                                                                  \
        const ctype *from = keys;                                                                      \
        for (; n >= AT_ONCE; n -= AT_ONCE, from += AT_ONCE, to += AT_ONCE)                             \
            STORE(to, even_bins(WORDS_##name(from), bins));                                            \
        few_even_##name(from, n, bins, to);                                                            \
    }
EVEN_WORDS(u8, uint8_t)
EVEN_WORDS(u16, uint16_t)
EVEN_WORDS(u32, uint32_t)
EVEN_WORDS(i8, int8_t)
EVEN_WORDS(i16, int16_t)
EVEN_WORDS(i32, int32_t)

/* ---- words of 8 bytes ---- */

#define LANES_64 (AT_ONCE / 2)

/* What the bin of a word of 8 bytes follows from. */
typedef struct even_wide {
    uint64_t low, most; /* the first value, and the greatest distance from it */
    uint64_t range;     /* 0: 2^64 */
    double ratio;       /* bins for each 1 of the distance */
    uint32_t count;
} even_wide;

/* low: as a key of the type, whose differences are the same as of words. */
SK_INLINE even_wide even_wide_of(const sk_bins *bins, uint64_t low)
{
    even_wide of = {.low = low, .range = bins->range, .count = bins->count};
    of.most = bins->low + bins->range == 0 ? bins->range - 1 : bins->range;
    of.ratio = (double)bins->count / (double)bins->range;
    return of;
}

/* Where the range is 2^64, the quotient is the upper half of a product. */
SK_INLINE words quotients_of_all(words distance, const even_wide *of)
{
    const words count = EACH_64(of->count);
    const words low = ON_WORDS(srli_epi64)(ON_WORDS(mul_epu32)(distance, count), 32);
    const words high = ON_WORDS(mul_epu32)(ON_WORDS(srli_epi64)(distance, 32), count);
    return ON_WORDS(srli_epi64)(ON_WORDS(add_epi64)(high, low), 32);
}

/* floor(distance * count / range) in the lower halves of lanes. The quotient in f64 is off by less than 2^-26, so the
 * integer next to it is the floor, or 1 more. Then the rest, distance * count - integer * range, is negative. It is
 * little more than half of the range at most. If that is less than 2^63, its sign is right, although products lose
 * their upper bits. */
SK_INLINE words quotients_of_range(words distance, const even_wide *of)
{
    const words count = EACH_64(of->count);
    const words range = EACH_64((int64_t)of->range), range_high = ON_WORDS(srli_epi64)(range, 32);
    const words integer = nearest(distance, of->ratio);
    const words low = ON_WORDS(sub_epi64)(ON_WORDS(mul_epu32)(distance, count), ON_WORDS(mul_epu32)(integer, range));
    const words high = ON_WORDS(sub_epi64)(ON_WORDS(mul_epu32)(ON_WORDS(srli_epi64)(distance, 32), count),
                                           ON_WORDS(mul_epu32)(integer, range_high));
    const words rest = ON_WORDS(add_epi64)(low, ON_WORDS(slli_epi64)(high, 32));
    return ON_WORDS(sub_epi64)(integer, ON_WORDS(srli_epi64)(rest, 63));
}

SK_INLINE void even_words_64(const uint64_t *key, size_t n, const even_wide *of, bool all, uint32_t *restrict to)
{
    const words first = EACH_64((int64_t)of->low), last = EACH_64(of->count - 1);
    for (; n >= AT_ONCE; n -= AT_ONCE, key += AT_ONCE, to += AT_ONCE) {
        words bin[2];
        SK_UNROLL for (unsigned half = 0; half < 2; half++)
        {
            const words distance = ON_WORDS(sub_epi64)(WORDS_u32(key + half * LANES_64), first);
            const words quotient = all ? quotients_of_all(distance, of) : quotients_of_range(distance, of);
            bin[half] = bin_within_64(distance, of->most, ON_WORDS(min_epu32)(quotient, last), EACH_64(of->count));
        }
        STORE(to, lower_halves(bin[0], bin[1]));
    }
}

#define EVEN_WIDE_MOST (UINT64_MAX - (UINT64_C(1) << 40)) /* the greatest range for quotients_of_range() */

#define EVEN_WIDE(name, ctype, flip)                                                                   \
    SK_INLINE void even_##name(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to) \
    {                                                                                                  \
        const ctype *from = keys;                                                                      \
        const even_wide of = even_wide_of(bins, bins->low ^ (flip));                                   \
        const size_t whole = bins->range > EVEN_WIDE_MOST ? 0 : n / AT_ONCE * AT_ONCE;                 \
        if (bins->range == 0)                                                                          \
            even_words_64(keys, whole, &of, true, to);                                                 \
        else                                                                                           \
            even_words_64(keys, whole, &of, false, to);                                                \
        few_even_##name(from + whole, n - whole, bins, to + whole);                                    \
    }
EVEN_WIDE(u64, uint64_t, 0)
EVEN_WIDE(i64, int64_t, SK_SIGN_BIT(uint64_t))
#else
#define even_u8 few_even_u8
#define even_u16 few_even_u16
#define even_u32 few_even_u32
#define even_u64 few_even_u64
#define even_i8 few_even_i8
#define even_i16 few_even_i16
#define even_i32 few_even_i32
#define even_i64 few_even_i64
#endif

#endif
