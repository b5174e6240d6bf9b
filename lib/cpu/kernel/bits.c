/* bits.c - digits of few bits become masks of keys. Each bit is tested in a register's keys at a time, or is the sign
 * of keys that are shifted. */
#include "burst.h"
#include "lanes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Bit i of the result is that bit of key i. */
#define FEW_BITS(size, KEY)                                                      \
    SK_INLINE uint64_t few_bits_##size(const char *keys, size_t n, unsigned bit) \
    {                                                                            \
        uint64_t word = 0;                                                       \
        for (size_t i = 0; i < n; i++) {                                         \
            KEY key;                                                             \
            memcpy(&key, keys + i * sizeof key, sizeof key);                     \
            word |= (uint64_t)(key >> bit & 1) << i;                             \
        }                                                                        \
        return word;                                                             \
    }
FEW_BITS(1, uint8_t)
FEW_BITS(2, uint16_t)
FEW_BITS(4, uint32_t)
FEW_BITS(8, uint64_t)

/* ---- 64 keys ---- */

#if defined(__AVX512BW__)
#define WORD(size, bits)                                                                                        \
    SK_INLINE uint64_t word_##size(const char *keys, unsigned bit)                                              \
    {                                                                                                           \
        const __m512i tested = _mm512_set1_epi##bits((int##bits##_t)(UINT64_C(1) << bit));                      \
        uint64_t word = 0;                                                                                      \
        for (unsigned i = 0; i < 64; i += 64 / (size))                                                          \
            word |= (uint64_t)_mm512_test_epi##bits##_mask(_mm512_loadu_si512(keys + i * (size)), tested) << i; \
        return word;                                                                                            \
    }
WORD(1, 8)
WORD(2, 16)
WORD(4, 32)
WORD(8, 64)

#elif defined(__SSE2__)
SK_INLINE __m128i load(const char *keys, unsigned i)
{
    return _mm_loadu_si128((const __m128i *)(const void *)keys + i);
}

/* The signs of 16 keys, each a byte's sign. `up` shifts the bit there. */
SK_INLINE __m128i signs_1(const char *keys, __m128i up)
{
    return _mm_sll_epi16(load(keys, 0), up);
}

SK_INLINE __m128i signs_2(const char *keys, __m128i up)
{
    return _mm_packs_epi16(_mm_sll_epi16(load(keys, 0), up), _mm_sll_epi16(load(keys, 1), up));
}

SK_INLINE __m128i signs_4(const char *keys, __m128i up)
{
    __m128i low = _mm_packs_epi32(_mm_sll_epi32(load(keys, 0), up), _mm_sll_epi32(load(keys, 1), up));
    __m128i high = _mm_packs_epi32(_mm_sll_epi32(load(keys, 2), up), _mm_sll_epi32(load(keys, 3), up));
    return _mm_packs_epi16(low, high);
}

/* The upper halves of four keys. */
SK_INLINE __m128i upper(const char *keys, unsigned i, __m128i up)
{
    __m128i a = _mm_sll_epi64(load(keys, i), up), b = _mm_sll_epi64(load(keys, i + 1), up);
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(3, 1, 3, 1)));
}

SK_INLINE __m128i signs_8(const char *keys, __m128i up)
{
    return _mm_packs_epi16(_mm_packs_epi32(upper(keys, 0, up), upper(keys, 2, up)),
                           _mm_packs_epi32(upper(keys, 4, up), upper(keys, 6, up)));
}

#define WORD(size)                                                                                           \
    SK_INLINE uint64_t word_##size(const char *keys, unsigned bit)                                           \
    {                                                                                                        \
        const __m128i up = _mm_cvtsi32_si128((int)(8 * (size)-1 - bit));                                     \
        uint64_t word = 0;                                                                                   \
        for (unsigned i = 0; i < 64; i += 16)                                                                \
            word |= (uint64_t)(unsigned)_mm_movemask_epi8(signs_##size(keys + (size_t)i * (size), up)) << i; \
        return word;                                                                                         \
    }
WORD(1)
WORD(2)
WORD(4)
WORD(8)

#else
#define WORD(size)                                                 \
    SK_INLINE uint64_t word_##size(const char *keys, unsigned bit) \
    {                                                              \
        return few_bits_##size(keys, 64, bit);                     \
    }
WORD(1)
WORD(2)
WORD(4)
WORD(8)
#endif

/* ---- digits ---- */

/* The masks of a word's digits; all: the keys that there are. */
SK_INLINE void spread_word(uint64_t all, const uint64_t *set, unsigned bits, size_t w, sk_digit_masks *found,
                           size_t *counts)
{
    uint64_t mask[SK_FEW_WAYS] = {all};
    SK_UNROLL for (unsigned b = 0; b < bits; b++)
    {
        SK_UNROLL for (unsigned d = 0; d < 1u << b; d++)
        {
            mask[d + (1u << b)] = mask[d] & set[b];
            mask[d] &= ~set[b];
        }
    }
    SK_UNROLL for (unsigned d = 0; d < 1u << bits; d++)
    {
        found->mask[d][w] = mask[d];
        counts[d] += (size_t)__builtin_popcountll(mask[d]);
    }
}

#define FIND(size)                                                                                                  \
    SK_INLINE void find_bits_##size(const char *keys, size_t n, unsigned bit, unsigned bits, sk_digit_masks *found) \
    {                                                                                                               \
        size_t counts[SK_FEW_WAYS] = {0}, words = n / 64;                                                           \
        uint64_t set[SK_FEW_BITS];                                                                                  \
        for (size_t w = 0; w < words; w++, keys += 64 * (size)) {                                                   \
            sk_will_read_page(keys, 64 * (size));                                                                   \
            SK_UNROLL for (unsigned b = 0; b < bits; b++) set[b] = word_##size(keys, bit + b);                      \
                                                                                                                    \
            spread_word(UINT64_MAX, set, bits, w, found, counts);                                                   \
        }                                                                                                           \
        if (n % 64 > 0) {                                                                                           \
            for (unsigned b = 0; b < bits; b++)                                                                     \
                set[b] = few_bits_##size(keys, n % 64, bit + b);                                                    \
            spread_word(sk_low_mask((unsigned)(n % 64)), set, bits, words, found, counts);                          \
        }                                                                                                           \
        memcpy(found->count, counts, sizeof counts);                                                                \
    }                                                                                                               \
    static void find_##size(const void *keys, size_t n, unsigned bit, unsigned bits, sk_digit_masks *found)         \
    {                                                                                                               \
        if (bits == 1)                                                                                              \
            find_bits_##size(keys, n, bit, 1, found);                                                               \
        else                                                                                                        \
            find_bits_##size(keys, n, bit, 2, found);                                                               \
    }
FIND(1)
FIND(2)
FIND(4)
FIND(8)

sk_find_digits_function *const SK_ISA_NAME(sk_find_digits)[] = {find_1, find_2, find_4, find_8};
