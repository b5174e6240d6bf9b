/* run_sums.c - sums of runs as differences of running sums, which integers allow: these wrap. Registers are scanned
 * (Hillis and Steele 1986), and what stands before the first elements of runs is moved together. */
#include "burst.h"
#include "rows.h"

#if defined(__AVX512F__)

#define UP_32(x, lanes) _mm512_alignr_epi32(x, _mm512_setzero_si512(), 16 - (lanes))
#define UP_64(x, lanes) _mm512_alignr_epi64(x, _mm512_setzero_si512(), 8 - (lanes))
#define LAST_32(x) _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x)
#define LAST_64(x) _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x)
#define STEP(bits, lanes) x = _mm512_add_epi##bits(x, UP_##bits(x, lanes));
#define STEPS_64 STEP(64, 1) STEP(64, 2) STEP(64, 4)
#define STEPS_32 STEP(32, 1) STEP(32, 2) STEP(32, 4) STEP(32, 8)
#define FIRST(x) _mm_cvtsi128_si64(_mm512_castsi512_si128(x))
#define SET_32(x) _mm512_set1_epi32((int32_t)(x))
#define SET_64(x) _mm512_set1_epi64((int64_t)(x))
#define ADD(bits, x, y) _mm512_add_epi##bits(x, y)
#define SUBTRACT(bits, x, y) _mm512_sub_epi##bits(x, y)

#elif defined(__AVX2__)

/* Each half by itself; then what the lower one comes to is added to the upper one. */
#define LAST_32(x) _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7))
#define LAST_64(x) _mm256_permute4x64_epi64(x, 0xff)
#define LOWER_32(x) _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xff)
#define LOWER_64(x) _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xee)
#define STEP(bits, lanes) x = _mm256_add_epi##bits(x, _mm256_slli_si256(x, (bits) / 8 * (lanes)));
#define JOIN(bits) x = _mm256_add_epi##bits(x, LOWER_##bits(x));
#define STEPS_64 STEP(64, 1) JOIN(64)
#define STEPS_32 STEP(32, 1) STEP(32, 2) JOIN(32)
#define FIRST(x) _mm_cvtsi128_si64(_mm256_castsi256_si128(x))
#define SET_32(x) _mm256_set1_epi32((int32_t)(x))
#define SET_64(x) _mm256_set1_epi64x((int64_t)(x))
#define ADD(bits, x, y) _mm256_add_epi##bits(x, y)
#define SUBTRACT(bits, x, y) _mm256_sub_epi##bits(x, y)

#endif

#if SK_HAS_ROWS

/* Of a register, where `some`: moves the elements that begin runs, and what stands before them. */
#define REGISTER_OF(T, bits)                                                                             \
    SK_INLINE sk_row scanned_##bits(sk_row x)                                                            \
    {                                                                                                    \
        STEPS_##bits return x;                                                                           \
    }                                                                                                    \
    SK_INLINE void put_##bits(sk_mask_##bits heads, sk_row line, sk_row *before, sk_##T *sums)           \
    {                                                                                                    \
        const sk_row sum = scanned_##bits(line);                                                         \
        const sk_row place = ADD(bits, *before, SUBTRACT(bits, sum, line));                              \
        SK_STORE_ROW(sums, SK_COMPRESS(bits, heads, place));                                             \
        *before = ADD(bits, *before, LAST_##bits(sum));                                                  \
    }                                                                                                    \
    SK_INLINE size_t pick_##bits(const sk_##T *in, const sk_##T *x, sk_mask_##bits some, sk_##T *values, \
                                 sk_row *before, sk_##T *sums)                                           \
    {                                                                                                    \
        const sk_row now = SK_LOAD_SOME(bits, some, in);                                                 \
        const sk_row earlier = SK_LOAD_SOME(bits, some, in - 1);                                         \
        const sk_mask_##bits heads = SK_DIFFERENT(bits, now, earlier);                                   \
        if (values != NULL)                                                                              \
            SK_STORE_ROW(values, SK_COMPRESS(bits, heads, now));                                         \
        put_##bits(heads, SK_LOAD_SOME(bits, some, x), before, sums);                                    \
        return (size_t)__builtin_popcount(heads);                                                        \
    }

#define FUSED(T, bits)                                                                                                \
    REGISTER_OF(T, bits)                                                                                              \
    SK_INLINE size_t fused_to_##T(const sk_##T *in, const sk_##T *x, size_t n, sk_##T *values, bool moves,            \
                                  sk_##T *total, sk_##T *sums)                                                        \
    {                                                                                                                 \
        enum { LANES = 8 * REGISTER / (bits) };                                                                       \
        sk_row before = SET_##bits(*total);                                                                           \
        size_t heads = 0, i = 0;                                                                                      \
        for (; i + LANES <= n; i += LANES) {                                                                          \
            sk_will_read_page(in + i, REGISTER);                                                                      \
            sk_will_read_page(x + i, REGISTER);                                                                       \
            heads +=                                                                                                  \
                pick_##bits(in + i, x + i, SK_ALL_LANES(bits), moves ? values + heads : NULL, &before, sums + heads); \
        }                                                                                                             \
        if (i < n)                                                                                                    \
            heads += pick_##bits(in + i, x + i, (sk_mask_##bits)((1u << (n - i)) - 1), moves ? values + heads : NULL, \
                                 &before, sums + heads);                                                              \
        *total = (sk_##T)FIRST(before);                                                                               \
        return heads;                                                                                                 \
    }                                                                                                                 \
    static size_t fused_##T(const void *in, const void *x, size_t n, void *values, sk_##T *total, void *sums)         \
    {                                                                                                                 \
        return values != NULL ? fused_to_##T(in, x, n, values, true, total, sums)                                     \
                              : fused_to_##T(in, x, n, values, false, total, sums);                                   \
    }

/* Runs begin where the mask has bits. */
#define SUMS_BY_MASK(T, bits)                                                                                    \
    static size_t sums_by_mask_##T(const uint64_t *mask, const sk_##T *x, size_t n, sk_##T *total, sk_##T *sums) \
    {                                                                                                            \
        enum { LANES = 8 * REGISTER / (bits) };                                                                  \
        sk_row before = SET_##bits(*total);                                                                      \
        size_t heads = 0, i = 0;                                                                                 \
        for (; i + LANES <= n; i += LANES) {                                                                     \
            const sk_mask_##bits here = (sk_mask_##bits)(mask[i / 64] >> i % 64) & SK_ALL_LANES(bits);           \
            sk_will_read_page(x + i, REGISTER);                                                                  \
            put_##bits(here, SK_LOAD_ROW(x + i), &before, sums + heads);                                         \
            heads += (size_t)__builtin_popcount(here);                                                           \
        }                                                                                                        \
        if (i < n) {                                                                                             \
            const sk_mask_##bits some = (sk_mask_##bits)((1u << (n - i)) - 1);                                   \
            const sk_mask_##bits here = (sk_mask_##bits)(mask[i / 64] >> i % 64) & some;                         \
            put_##bits(here, SK_LOAD_SOME(bits, some, x + i), &before, sums + heads);                            \
            heads += (size_t)__builtin_popcount(here);                                                           \
        }                                                                                                        \
        *total = (sk_##T)FIRST(before);                                                                          \
        return heads;                                                                                            \
    }

/* The runs' keys are compared whole, and as long as the sums. */
#define FIND(T, ...)                                                                            \
    (sk_compares_all(what) && what->element_size == sizeof(sk_##T) ? fused_##T(in, __VA_ARGS__) \
                                                                   : masked_##T(what, in, __VA_ARGS__))

#else

#define FUSED(T, bits)
#define FIND(T, ...) masked_##T(what, in, __VA_ARGS__)
#define SUMS_BY_MASK(T, bits)                                                                                    \
    static size_t sums_by_mask_##T(const uint64_t *mask, const sk_##T *x, size_t n, sk_##T *total, sk_##T *sums) \
    {                                                                                                            \
        size_t heads = 0;                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                         \
            sums[heads] = *total; /* overwritten by the next one where no run begins */                          \
            heads += mask[i / 64] >> i % 64 & 1;                                                                 \
            *total = (sk_##T)(*total + x[i]);                                                                    \
        }                                                                                                        \
        return heads;                                                                                            \
    }

#endif

#define RUN_SUMS(T, bits)                                                                                     \
    FUSED(T, bits)                                                                                            \
    SUMS_BY_MASK(T, bits)                                                                                     \
    static size_t masked_##T(const sk_runs *what, const void *in, const void *summed, size_t n, void *values, \
                             sk_##T *total, sk_##T *sums)                                                     \
    {                                                                                                         \
        uint64_t mask[SK_HEADS_MOST / 64];                                                                    \
        SK_ISA_NAME(sk_run_kernels).heads(what, in, n, mask);                                                 \
        if (values != NULL)                                                                                   \
            SK_ISA_NAME(sk_compress).move(in, what->element_size, mask, n, values);                           \
        return sums_by_mask_##T(mask, summed, n, total, sums);                                                \
    }                                                                                                         \
    static size_t pick_##T(const sk_runs *what, const void *in, const void *summed, size_t n, void *values,   \
                           void *total, void *sums)                                                           \
    {                                                                                                         \
        sk_##T all;                                                                                           \
        memcpy(&all, total, sizeof all);                                                                      \
        size_t heads = FIND(T, summed, n, values, &all, sums);                                                \
        memcpy(total, &all, sizeof all);                                                                      \
        return heads;                                                                                         \
    }                                                                                                         \
    static void differences_##T(const void *sums, size_t n, void *out)                                        \
    {                                                                                                         \
        const sk_##T *x = sums;                                                                               \
        sk_##T *to = out;                                                                                     \
        for (size_t i = 0; i < n; i++)                                                                        \
            to[i] = (sk_##T)(x[i + 1] - x[i]);                                                                \
    }                                                                                                         \
    static const sk_run_sums sums_##T = {pick_##T, differences_##T};
RUN_SUMS(u32, 32)
RUN_SUMS(u64, 64)

const sk_run_sums *SK_ISA_NAME(sk_run_sums)(scankit_type type, scankit_operator op)
{
    if (op == SCANKIT_SUM)
        switch (sk_canonical_type(type, op)) {
        case SCANKIT_U32: return &sums_u32;
        case SCANKIT_U64: return &sums_u64;
        default:;
        }
    return NULL;
}
