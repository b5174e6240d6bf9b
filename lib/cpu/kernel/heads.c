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

/* The numbers of lanes from `first` on. */
#if defined(__AVX512F__)
typedef __m512i places_32;
typedef __m256i places_64;
#define STORE_PLACES_32(to, x) _mm512_storeu_si512(to, x)
#define STORE_PLACES_64(to, x) _mm256_storeu_si256((void *)(to), x)

SK_INLINE places_32 places_of_32(sk_mask_32 heads, unsigned first)
{
    const __m512i order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_maskz_compress_epi32(heads, _mm512_add_epi32(order, _mm512_set1_epi32((int)first)));
}

SK_INLINE places_64 places_of_64(sk_mask_64 heads, unsigned first)
{
    const __m256i place = _mm256_add_epi32(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), _mm256_set1_epi32((int)first));
    return _mm256_maskz_compress_epi32(heads, place);
}
#elif defined(__AVX2__)
typedef __m256i places_32;
typedef __m128i places_64;
#define STORE_PLACES_32(to, x) SK_STORE_ROW(to, x)
#define STORE_PLACES_64(to, x) _mm_storeu_si128((void *)(to), x)

SK_INLINE places_32 places_of_32(sk_mask_32 heads, unsigned first)
{
    return _mm256_add_epi32(SK_KEPT_32(heads), _mm256_set1_epi32((int)first));
}

SK_INLINE places_64 places_of_64(sk_mask_64 heads, unsigned first)
{
    const __m128i place = _mm_cvtepu8_epi32(_mm_loadl_epi64((const void *)&sk_set_bits[heads]));
    return _mm_add_epi32(place, _mm_set1_epi32((int)first));
}
#endif

#if SK_HAS_ROWS

/* Registers that are compressed before one of them is stored (see kernel/pick.c). One thread of a Zen 1 encodes
 * distinct u32 at 0.58, 0.62 and 0.68 billion a second by 1, 2 and 4.
 *
 * Where runs are long, registers are also tested together, and most of these are passed over; where runs are not long,
 * that branch costs more than it saves, as it cannot be predicted. One loop for both makes unique 5% slower. */
#define GROUP 4

#define PICK(bits)                                                                                              \
    typedef struct heads_##bits {                                                                               \
        sk_row values;                                                                                          \
        places_##bits places;                                                                                   \
        size_t count;                                                                                           \
    } heads_##bits;                                                                                             \
    /* Of a register, from element `at` on, where `some`. */                                                    \
    SK_INLINE heads_##bits pack_##bits(const char *in, sk_mask_##bits some, size_t at)                          \
    {                                                                                                           \
        const sk_row x = SK_LOAD_SOME(bits, some, in + at * ((bits) / 8));                                      \
        const sk_row before = SK_LOAD_SOME(bits, some, in + at * ((bits) / 8) - (bits) / 8);                    \
        const sk_mask_##bits heads = SK_DIFFERENT(bits, x, before);                                             \
        return (heads_##bits){SK_COMPRESS(bits, heads, x), places_of_##bits(heads, (unsigned)at),               \
                              (size_t)__builtin_popcount(heads)};                                               \
    }                                                                                                           \
    /* Behind `total` others; returns how many there are then. */                                               \
    SK_INLINE size_t put_##bits(const heads_##bits *heads, size_t total, char *values, uint32_t *places)        \
    {                                                                                                           \
        if (values != NULL)                                                                                     \
            SK_STORE_ROW(values + total * ((bits) / 8), heads->values);                                         \
        if (places != NULL)                                                                                     \
            STORE_PLACES_##bits(places + total, heads->places);                                                 \
        return total + heads->count;                                                                            \
    }                                                                                                           \
    SK_INLINE size_t pick_group_##bits(const char *in, size_t at, size_t total, char *values, uint32_t *places) \
    {                                                                                                           \
        heads_##bits heads[GROUP];                                                                              \
        sk_will_read_page(in + at * ((bits) / 8), GROUP * REGISTER);                                            \
        SK_UNROLL for (size_t r = 0; r < GROUP; r++) heads[r] =                                                 \
            pack_##bits(in, SK_ALL_LANES(bits), at + r * (8 * REGISTER / (bits)));                              \
        SK_UNROLL for (size_t r = 0; r < GROUP; r++) total = put_##bits(&heads[r], total, values, places);      \
        return total;                                                                                           \
    }                                                                                                           \
    /* Whether no run begins in GROUP registers. */                                                             \
    SK_INLINE bool is_one_run_##bits(const char *in)                                                            \
    {                                                                                                           \
        sk_row differences = SK_LOAD_ROW(in) ^ SK_LOAD_ROW(in - (bits) / 8);                                    \
        SK_UNROLL for (size_t r = REGISTER; r < GROUP * REGISTER; r += REGISTER)                                \
        {                                                                                                       \
            differences |= SK_LOAD_ROW(in + r) ^ SK_LOAD_ROW(in + r - (bits) / 8);                              \
        }                                                                                                       \
        return SK_IS_ZERO(differences);                                                                         \
    }                                                                                                           \
    SK_INLINE size_t pick_##bits##_to(const char *in, size_t n, bool long_runs, char *values, uint32_t *places) \
    {                                                                                                           \
        enum { LANES = 8 * REGISTER / (bits), SIZE = (bits) / 8 };                                              \
        size_t total = 0, i = 0;                                                                                \
        while (long_runs && i + GROUP * LANES <= n) {                                                           \
            if (is_one_run_##bits(in + i * SIZE)) {                                                             \
                i += GROUP * LANES;                                                                             \
                continue;                                                                                       \
            }                                                                                                   \
            total = pick_group_##bits(in, i, total, values, places);                                            \
            i += GROUP * LANES;                                                                                 \
        }                                                                                                       \
        for (; i + GROUP * LANES <= n; i += GROUP * LANES)                                                      \
            total = pick_group_##bits(in, i, total, values, places);                                            \
        for (; i < n; i += LANES) {                                                                             \
            const size_t rest = n - i;                                                                          \
            const heads_##bits heads =                                                                          \
                pack_##bits(in, (sk_mask_##bits)(rest < LANES ? (1u << rest) - 1 : SK_ALL_LANES(bits)), i);     \
            total = put_##bits(&heads, total, values, places);                                                  \
        }                                                                                                       \
        return total;                                                                                           \
    }                                                                                                           \
    static size_t pick_##bits(const char *in, size_t n, bool long_runs, char *values, uint32_t *places)         \
    {                                                                                                           \
        if (values == NULL)                                                                                     \
            return pick_##bits##_to(in, n, long_runs, NULL, places);                                            \
        if (places == NULL)                                                                                     \
            return pick_##bits##_to(in, n, long_runs, values, NULL);                                            \
        return pick_##bits##_to(in, n, long_runs, values, places);                                              \
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
