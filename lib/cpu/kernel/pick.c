/* pick.c - elements of 4 and 8 bytes that are tested by a number each, and moved together, a register at a time in one
 * loop: so memory is read evenly while elements move, and masks stay where comparisons leave them. With AVX-512 alone:
 * others have no masks of lanes, and go by words of 64 bits (steps.c, compress.c). */
#include "kernels.h"
#include "lanes.h"

#if defined(__AVX512F__)

/* ---- which lanes match ---- */

/* A number is within a range where x - low <= high - low without sign. What is outside of a single range is one too,
 * from high + 1 by way of 0 to low - 1, unless nothing is. */
typedef struct test_lanes {
    __m512i low[SK_WITHIN_RANGES], width[SK_WITHIN_RANGES], mask;
} test_lanes;

#define ORDER_INT(bits, x) (x)
#define ORDER_FLOAT(bits, x) ORDER_FLOAT_##bits(x)
#define ORDER_FLOAT_32(x) _mm512_xor_si512(x, _mm512_srli_epi32(_mm512_srai_epi32(x, 31), 1))
#define ORDER_FLOAT_64(x) _mm512_xor_si512(x, _mm512_srli_epi64(_mm512_srai_epi64(x, 63), 1))

#define TEST(bits)                                                                                               \
    SK_INLINE test_lanes open_##bits(const sk_range_test *test, unsigned ranges)                                 \
    {                                                                                                            \
        test_lanes lanes = {.mask = _mm512_set1_epi##bits((int##bits##_t)test->mask)};                           \
        for (unsigned r = 0; r < SK_WITHIN_RANGES; r++) {                                                        \
            sk_set_range range = test->ranges[r < test->count ? r : 0];                                          \
            if (ranges == 1 && test->outside)                                                                    \
                range = (sk_set_range){range.high + 1, range.low - 1};                                           \
            lanes.low[r] = _mm512_set1_epi##bits((int##bits##_t)range.low);                                      \
            lanes.width[r] = _mm512_set1_epi##bits((int##bits##_t)(range.high - range.low));                     \
        }                                                                                                        \
        return lanes;                                                                                            \
    }                                                                                                            \
    SK_INLINE sk_mask_##bits match_##bits(const test_lanes *test, unsigned ranges, bool outside, __m512i key)    \
    {                                                                                                            \
        if (ranges == 1)                                                                                         \
            return _mm512_cmple_epu##bits##_mask(_mm512_sub_epi##bits(key, test->low[0]), test->width[0]);       \
        sk_mask_##bits beyond = (sk_mask_##bits) - 1;                                                            \
        SK_UNROLL for (unsigned r = 0; r < ranges; r++) beyond =                                                 \
            _mm512_mask_cmpgt_epu##bits##_mask(beyond, _mm512_sub_epi##bits(key, test->low[r]), test->width[r]); \
        return outside ? beyond : (sk_mask_##bits) ~beyond;                                                      \
    }
TEST(32)
TEST(64)

/* ---- where elements go ---- */

SK_INLINE void put_positions_32(uint64_t *to, sk_mask_32 match, uint64_t first)
{
    const __m512i order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i from = _mm512_set1_epi64((int64_t)first), place = _mm512_maskz_compress_epi32(match, order);
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(place));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(place, 1));
    _mm512_storeu_si512(to, _mm512_add_epi64(low, from));
    _mm512_storeu_si512(to + 8, _mm512_add_epi64(high, from));
}

SK_INLINE void put_positions_64(uint64_t *to, sk_mask_64 match, uint64_t first)
{
    const __m512i order = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i place = _mm512_add_epi64(_mm512_set1_epi64((int64_t)first), order);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(match, place));
}

typedef enum outputs { MATCHING, POSITIONS, ANY } outputs;

/* Elements of a register, where `some`; returns how many match. Of ANY outputs, the pointers tell which. */
#define PUT(bits)                                                                                                  \
    SK_INLINE size_t put_##bits(sk_picked *to, __m512i x, sk_mask_##bits match, sk_mask_##bits some, outputs what) \
    {                                                                                                              \
        const size_t count = (size_t)__builtin_popcount(match);                                                    \
        if (what == MATCHING || (what == ANY && to->matching != NULL)) {                                           \
            _mm512_storeu_si512(to->matching, _mm512_maskz_compress_epi##bits(match, x));                          \
            to->matching += count * ((bits) / 8);                                                                  \
        }                                                                                                          \
        if (what == ANY && to->others != NULL) {                                                                   \
            const sk_mask_##bits other = (sk_mask_##bits)(some & ~match);                                          \
            _mm512_storeu_si512(to->others, _mm512_maskz_compress_epi##bits(other, x));                            \
            to->others += (size_t)__builtin_popcount(other) * ((bits) / 8);                                        \
        }                                                                                                          \
        if (what == POSITIONS || (what == ANY && to->positions != NULL)) {                                         \
            put_positions_##bits(to->positions, match, to->first);                                                 \
            to->positions += count;                                                                                \
            to->first += 512 / (bits);                                                                             \
        }                                                                                                          \
        return count;                                                                                              \
    }
PUT(32)
PUT(64)

/* ---- the loop ---- */

#define PICK(name, bits, ORDER)                                                                                       \
    SK_INLINE size_t name##_of(const sk_range_test *test, unsigned ranges, const char *numbers, const char *in,       \
                               size_t n, sk_picked to, outputs what)                                                  \
    {                                                                                                                 \
        enum { LANES = 512 / (bits) };                                                                                \
        const test_lanes lanes = open_##bits(test, ranges);                                                           \
        const sk_mask_##bits all = (sk_mask_##bits) - 1;                                                              \
        const bool outside = test->outside;                                                                           \
        size_t total = 0;                                                                                             \
        for (; n >= LANES; n -= LANES, numbers += 64, in += 64) {                                                     \
            const __m512i key = ORDER(bits, _mm512_and_si512(_mm512_loadu_si512(numbers), lanes.mask));               \
            total += put_##bits(&to, _mm512_loadu_si512(in), match_##bits(&lanes, ranges, outside, key), all, what);  \
        }                                                                                                             \
        if (n > 0) {                                                                                                  \
            const sk_mask_##bits some = (sk_mask_##bits)((1u << n) - 1);                                              \
            const __m512i x = _mm512_maskz_loadu_epi##bits(some, in),                                                 \
                          number = _mm512_maskz_loadu_epi##bits(some, numbers);                                       \
            const __m512i key = ORDER(bits, _mm512_and_si512(number, lanes.mask));                                    \
            total += put_##bits(&to, x, some & match_##bits(&lanes, ranges, outside, key), some, what);               \
        }                                                                                                             \
        return total;                                                                                                 \
    }                                                                                                                 \
    SK_INLINE size_t name##_to(const sk_range_test *test, const void *numbers, const void *in, size_t n,              \
                               const sk_picked *to, outputs what)                                                     \
    {                                                                                                                 \
        const bool all = (uint##bits##_t)(test->ranges[0].high - test->ranges[0].low) == UINT##bits##_MAX;            \
        if (test->count == 1 && !all)                                                                                 \
            return name##_of(test, 1, numbers, in, n, *to, what);                                                     \
        if (test->count <= 2)                                                                                         \
            return name##_of(test, 2, numbers, in, n, *to, what);                                                     \
        return name##_of(test, SK_WITHIN_RANGES, numbers, in, n, *to, what);                                          \
    }                                                                                                                 \
    static size_t name(const sk_range_test *test, const void *numbers, const void *in, size_t n, const sk_picked *to) \
    {                                                                                                                 \
        if (to->others == NULL && to->positions == NULL && to->matching != NULL)                                      \
            return name##_to(test, numbers, in, n, to, MATCHING);                                                     \
        if (to->others == NULL && to->positions != NULL && to->matching == NULL)                                      \
            return name##_to(test, numbers, in, n, to, POSITIONS);                                                    \
        return name##_to(test, numbers, in, n, to, ANY);                                                              \
    }
PICK(pick_32, 32, ORDER_INT)
PICK(pick_64, 64, ORDER_INT)
PICK(pick_f32, 32, ORDER_FLOAT)
PICK(pick_f64, 64, ORDER_FLOAT)

#else
#define pick_32 NULL
#define pick_64 NULL
#define pick_f32 NULL
#define pick_f64 NULL
#endif

sk_pick_function *SK_ISA_NAME(sk_pick)(sk_step_code code)
{
    switch (code) {
    case SK_STEP_WITHIN_32: return pick_32;
    case SK_STEP_WITHIN_64: return pick_64;
    case SK_STEP_WITHIN_F32: return pick_f32;
    case SK_STEP_WITHIN_F64: return pick_f64;
    default: return NULL;
    }
}
