/* heads.c - the first elements of runs, moved together in the pass that finds them. With AVX-512 and AVX2, a register
 * is compared with the one that begins an element before it, and its elements and their places are compressed by the
 * result. */
#include "burst.h"
#include "rows.h"

/* By masks. */
static size_t pick_any(const sk_runs *what, const char *in, size_t n, char *values, uint32_t *places)
{
    uint64_t mask[SK_HEADS_MOST / 64];
    size_t heads = SK_ISA_NAME(sk_run_kernels).heads(what, in, n, mask);
    if (values != NULL)
        SK_ISA_NAME(sk_compress).move(in, what->element_size, mask, n, values);
    if (places != NULL)
        SK_ISA_NAME(sk_compress).places(mask, n, 0, places);
    return heads;
}

/* Puts the numbers of lanes from `first` on. */
#if defined(__AVX512F__)
SK_INLINE void put_places_32(uint32_t *to, sk_mask_32 heads, unsigned first)
{
    const __m512i order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i place = _mm512_add_epi32(order, _mm512_set1_epi32((int)first));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(heads, place));
}

SK_INLINE void put_places_64(uint32_t *to, sk_mask_64 heads, unsigned first)
{
    const __m256i place = _mm256_add_epi32(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), _mm256_set1_epi32((int)first));
    _mm256_storeu_si256((void *)to, _mm256_maskz_compress_epi32(heads, place));
}
#elif defined(__AVX2__)
SK_INLINE void put_places_32(uint32_t *to, sk_mask_32 heads, unsigned first)
{
    SK_STORE_ROW(to, _mm256_add_epi32(sk_kept_32(heads), _mm256_set1_epi32((int)first)));
}

SK_INLINE void put_places_64(uint32_t *to, sk_mask_64 heads, unsigned first)
{
    const __m128i place = _mm_cvtepu8_epi32(_mm_loadl_epi64((const void *)&sk_set_bits[heads]));
    _mm_storeu_si128((void *)to, _mm_add_epi32(place, _mm_set1_epi32((int)first)));
}
#endif

#if SK_HAS_ROWS

/* Registers that are tested together. Most of these are passed over where runs are long; where they are not, the branch
 * costs more than it saves, as it cannot be predicted. */
#define GROUP 4

#define PICK(bits)                                                                                                     \
    /* Of a register, from element `at` on, where `some`. */                                                           \
    SK_INLINE size_t pick_register_##bits(const char *in, sk_mask_##bits some, unsigned at, char *values,              \
                                          uint32_t *places)                                                            \
    {                                                                                                                  \
        const sk_row x = SK_LOAD_SOME(bits, some, in);                                                                 \
        const sk_row before = SK_LOAD_SOME(bits, some, in - (bits) / 8);                                               \
        const sk_mask_##bits heads = SK_DIFFERENT(bits, x, before);                                                    \
        if (values != NULL)                                                                                            \
            SK_STORE_ROW(values, SK_COMPRESS(bits, heads, x));                                                         \
        if (places != NULL)                                                                                            \
            put_places_##bits(places, heads, at);                                                                      \
        return (size_t)__builtin_popcount(heads);                                                                      \
    }                                                                                                                  \
    /* Whether no run begins in GROUP registers. */                                                                    \
    SK_INLINE bool is_one_run_##bits(const char *in)                                                                   \
    {                                                                                                                  \
        sk_row differences = SK_LOAD_ROW(in) ^ SK_LOAD_ROW(in - (bits) / 8);                                           \
        SK_UNROLL for (size_t r = REGISTER; r < GROUP * REGISTER; r += REGISTER)                                       \
        {                                                                                                              \
            differences |= SK_LOAD_ROW(in + r) ^ SK_LOAD_ROW(in + r - (bits) / 8);                                     \
        }                                                                                                              \
        return SK_IS_ZERO(differences);                                                                                \
    }                                                                                                                  \
    SK_INLINE size_t pick_##bits##_to(const char *in, size_t n, bool long_runs, char *values, uint32_t *places,        \
                                      bool wants_values, bool wants_places)                                            \
    {                                                                                                                  \
        enum { LANES = 8 * REGISTER / (bits), SIZE = (bits) / 8 };                                                     \
        const sk_mask_##bits all = SK_ALL_LANES(bits);                                                                 \
        size_t total = 0, i = 0;                                                                                       \
        while (long_runs && i + GROUP * LANES <= n) {                                                                  \
            if (is_one_run_##bits(in + i * SIZE)) {                                                                    \
                i += GROUP * LANES;                                                                                    \
                continue;                                                                                              \
            }                                                                                                          \
            for (size_t r = 0; r < GROUP; r++, i += LANES)                                                             \
                total +=                                                                                               \
                    pick_register_##bits(in + i * SIZE, all, (unsigned)i, wants_values ? values + total * SIZE : NULL, \
                                         wants_places ? places + total : NULL);                                        \
        }                                                                                                              \
        for (; i + LANES <= n; i += LANES) {                                                                           \
            sk_will_read_page(in + i * SIZE, REGISTER);                                                                \
            total +=                                                                                                   \
                pick_register_##bits(in + i * SIZE, all, (unsigned)i, wants_values ? values + total * SIZE : NULL,     \
                                     wants_places ? places + total : NULL);                                            \
        }                                                                                                              \
        if (i < n)                                                                                                     \
            total += pick_register_##bits(in + i * SIZE, (sk_mask_##bits)((1u << (n - i)) - 1), (unsigned)i,           \
                                          wants_values ? values + total * SIZE : NULL,                                 \
                                          wants_places ? places + total : NULL);                                       \
        return total;                                                                                                  \
    }                                                                                                                  \
    static size_t pick_##bits(const char *in, size_t n, bool long_runs, char *values, uint32_t *places)                \
    {                                                                                                                  \
        if (values == NULL)                                                                                            \
            return pick_##bits##_to(in, n, long_runs, values, places, false, places != NULL);                          \
        if (places == NULL)                                                                                            \
            return pick_##bits##_to(in, n, long_runs, values, places, true, false);                                    \
        return pick_##bits##_to(in, n, long_runs, values, places, true, true);                                         \
    }
PICK(32)
PICK(64)

size_t SK_ISA_NAME(sk_pick_heads)(const sk_runs *what, const void *in, size_t n, bool long_runs, void *values,
                                  uint32_t *places)
{
    if (sk_compares_all(what) && what->element_size == 4)
        return pick_32(in, n, long_runs, values, places);
    if (sk_compares_all(what) && what->element_size == 8)
        return pick_64(in, n, long_runs, values, places);
    return pick_any(what, in, n, values, places);
}

#else

size_t SK_ISA_NAME(sk_pick_heads)(const sk_runs *what, const void *in, size_t n, bool long_runs, void *values,
                                  uint32_t *places)
{
    (void)long_runs;
    return pick_any(what, in, n, values, places);
}

#endif
