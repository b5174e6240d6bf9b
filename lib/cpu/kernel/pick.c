/* pick.c - elements of 4 and 8 bytes that are tested by a number each, and moved together, a register at a time in one
 * loop: so memory is read evenly while elements move, and masks stay where comparisons leave them. With AVX-512 and
 * AVX2 alone: others go by words of 64 bits (steps.c, compress.c). */
#include "burst.h"
#include "kernels.h"
#include "rows.h"

#if defined(__AVX512F__)

#define AND(x, y) _mm512_and_si512(x, y)

/* ---- which lanes match ---- */

/* A number is within a range where x - low <= high - low without sign. What is outside of a single range is one too,
 * from high + 1 by way of 0 to low - 1, unless nothing is. */
typedef struct test_lanes {
    sk_row low[SK_WITHIN_RANGES], width[SK_WITHIN_RANGES], mask;
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
    SK_INLINE sk_mask_##bits match_##bits(const test_lanes *test, unsigned ranges, bool outside, sk_row key)     \
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

SK_INLINE void pack_positions_32(sk_row *to, sk_mask_32 match, uint64_t first)
{
    const __m512i order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i from = _mm512_set1_epi64((int64_t)first), place = _mm512_maskz_compress_epi32(match, order);
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(place));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(place, 1));
    to[0] = _mm512_add_epi64(low, from);
    to[1] = _mm512_add_epi64(high, from);
}

SK_INLINE void pack_positions_64(sk_row *to, sk_mask_64 match, uint64_t first)
{
    const __m512i order = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i place = _mm512_add_epi64(_mm512_set1_epi64((int64_t)first), order);
    to[0] = _mm512_maskz_compress_epi64(match, place);
}

#elif defined(__AVX2__)

#define AND(x, y) _mm256_and_si256(x, y)

/* ---- which lanes match ---- */

/* A number is outside of a range where x - low > high - low without sign. Both sides are less by the sign bit, as
 * comparisons have signs. What is within a single range is outside of another one, from high + 1 by way of 0 to low -
 * 1, unless that is empty. */
typedef struct test_lanes {
    sk_row low[SK_WITHIN_RANGES], width[SK_WITHIN_RANGES], mask;
} test_lanes;

#define ORDER_INT(bits, x) (x)
#define ORDER_FLOAT(bits, x) ORDER_FLOAT_##bits(x)
#define ORDER_FLOAT_32(x) _mm256_xor_si256(x, _mm256_srli_epi32(_mm256_srai_epi32(x, 31), 1))
#define ORDER_FLOAT_64(x) _mm256_xor_si256(x, _mm256_srli_epi64(_mm256_cmpgt_epi64(_mm256_setzero_si256(), x), 1))
#define SET_32(x) _mm256_set1_epi32((int32_t)(x))
#define SET_64(x) _mm256_set1_epi64x((int64_t)(x))

#define TEST(bits)                                                                                                     \
    SK_INLINE test_lanes open_##bits(const sk_range_test *test, unsigned ranges)                                       \
    {                                                                                                                  \
        const uint##bits##_t sign = SK_SIGN_BIT(uint##bits##_t);                                                       \
        test_lanes lanes = {.mask = SET_##bits(test->mask)};                                                           \
        for (unsigned r = 0; r < SK_WITHIN_RANGES; r++) {                                                              \
            sk_set_range range = test->ranges[r < test->count ? r : 0];                                                \
            if (ranges == 1 && !test->outside)                                                                         \
                range = (sk_set_range){range.high + 1, range.low - 1};                                                 \
            lanes.low[r] = SET_##bits(range.low + sign);                                                               \
            lanes.width[r] = SET_##bits((range.high - range.low) ^ sign);                                              \
        }                                                                                                              \
        return lanes;                                                                                                  \
    }                                                                                                                  \
    SK_INLINE sk_mask_##bits match_##bits(const test_lanes *test, unsigned ranges, bool outside, sk_row key)           \
    {                                                                                                                  \
        sk_row beyond = _mm256_cmpgt_epi##bits(_mm256_sub_epi##bits(key, test->low[0]), test->width[0]);               \
        SK_UNROLL for (unsigned r = 1; r < ranges; r++) beyond =                                                       \
            _mm256_and_si256(beyond, _mm256_cmpgt_epi##bits(_mm256_sub_epi##bits(key, test->low[r]), test->width[r])); \
        return ranges == 1 || outside ? SK_SIGNS_##bits(beyond) : SK_SIGNS_##bits(beyond) ^ SK_ALL_LANES(bits);        \
    }
TEST(32)
TEST(64)

/* ---- where elements go ---- */

SK_INLINE sk_row four_positions(const void *bytes, uint64_t first)
{
    int32_t four;
    memcpy(&four, bytes, sizeof four);
    return _mm256_add_epi64(_mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four)), _mm256_set1_epi64x((int64_t)first));
}

SK_INLINE void pack_positions_32(sk_row *to, sk_mask_32 match, uint64_t first)
{
    const char *bits = (const char *)&sk_set_bits[match];
    to[0] = four_positions(bits, first);
    to[1] = four_positions(bits + 4, first);
}

SK_INLINE void pack_positions_64(sk_row *to, sk_mask_64 match, uint64_t first)
{
    to[0] = four_positions(&sk_set_bits[match], first);
}

#endif

#if SK_HAS_ROWS

typedef enum outputs { MATCHING, OTHERS, BOTH_SIDES, POSITIONS, ANY } outputs;

/* What a register puts out: its elements that match, and the others behind them, or positions. */
typedef struct packed {
    sk_row row[2];
    size_t count; /* of those that match */
} packed;

#define WITHIN(what, one) ((what) == (one) || (what) == BOTH_SIDES)

/* Elements of a register, where `some`. */
#define PACK(bits)                                                                                                  \
    SK_INLINE packed pack_##bits(sk_row x, sk_mask_##bits match, sk_mask_##bits some, uint64_t first, outputs what) \
    {                                                                                                               \
        packed p = {.count = (size_t)__builtin_popcount(match)};                                                    \
        if (WITHIN(what, MATCHING))                                                                                 \
            p.row[0] = SK_COMPRESS(bits, match, x);                                                                 \
        if (WITHIN(what, OTHERS))                                                                                   \
            p.row[1] = SK_COMPRESS(bits, (sk_mask_##bits)(some & ~match), x);                                       \
        if (what == POSITIONS)                                                                                      \
            pack_positions_##bits(p.row, match, first);                                                             \
        return p;                                                                                                   \
    }                                                                                                               \
    SK_INLINE void put_##bits(sk_picked *to, const packed *p, size_t n, outputs what)                               \
    {                                                                                                               \
        if (WITHIN(what, MATCHING)) {                                                                               \
            SK_STORE_ROW(to->matching, p->row[0]);                                                                  \
            to->matching += p->count * ((bits) / 8);                                                                \
        }                                                                                                           \
        if (WITHIN(what, OTHERS)) {                                                                                 \
            SK_STORE_ROW(to->others, p->row[1]);                                                                    \
            to->others += (n - p->count) * ((bits) / 8);                                                            \
        }                                                                                                           \
        if (what == POSITIONS) {                                                                                    \
            SK_STORE_ROW(to->positions, p->row[0]);                                                                 \
            if ((bits) == 32)                                                                                       \
                SK_STORE_ROW(to->positions + REGISTER / sizeof *to->positions, p->row[1]);                          \
            to->positions += p->count;                                                                              \
        }                                                                                                           \
    }                                                                                                               \
    SK_INLINE void put_one_##bits(sk_picked *to, sk_row x, sk_mask_##bits match, sk_mask_##bits some, outputs what) \
    {                                                                                                               \
        const packed p = pack_##bits(x, match, some, to->first, what);                                              \
        put_##bits(to, &p, (size_t)__builtin_popcount(some), what);                                                 \
    }                                                                                                               \
    /* Of ANY outputs, the pointers tell which; returns how many match. */                                          \
    SK_INLINE size_t pack_and_put_##bits(sk_picked *to, sk_row x, sk_mask_##bits match, sk_mask_##bits some,        \
                                         outputs what)                                                              \
    {                                                                                                               \
        if (what != ANY)                                                                                            \
            put_one_##bits(to, x, match, some, what);                                                               \
        if (what == ANY && to->matching != NULL)                                                                    \
            put_one_##bits(to, x, match, some, MATCHING);                                                           \
        if (what == ANY && to->others != NULL)                                                                      \
            put_one_##bits(to, x, match, some, OTHERS);                                                             \
        if (what == ANY && to->positions != NULL)                                                                   \
            put_one_##bits(to, x, match, some, POSITIONS);                                                          \
        to->first += 8 * REGISTER / (bits);                                                                         \
        return (size_t)__builtin_popcount(match);                                                                   \
    }
PACK(32)
PACK(64)

/* ---- the loop ---- */

/* Registers of a step. */
#if defined(__AVX512F__)
#define TOGETHER 1
#else
#define TOGETHER 2
#endif

typedef struct step {
    packed of[TOGETHER];
} step;

/* A step is packed before the step before it is stored. A load of elements, or from a table of shuffles, that follows a
 * store whose address ends in the same 12 bits may wait for it: one thread of a Zen 1 compacts half of 2^24 u32 at 0.60
 * of a copy so, and at 0.80 with loads ahead of stores. */
#define PICK(name, bits, ORDER)                                                                                       \
    SK_INLINE step name##_step(const test_lanes *lanes, unsigned ranges, bool outside, const char *numbers,           \
                               const char *in, uint64_t first, outputs what)                                          \
    {                                                                                                                 \
        step s;                                                                                                       \
        sk_will_read_page(in, TOGETHER *REGISTER);                                                                    \
        SK_UNROLL for (unsigned r = 0; r < TOGETHER; r++)                                                             \
        {                                                                                                             \
            const sk_row key = ORDER(bits, AND(SK_LOAD_ROW(numbers + r * REGISTER), lanes->mask));                    \
            s.of[r] = pack_##bits(SK_LOAD_ROW(in + r * REGISTER), match_##bits(lanes, ranges, outside, key),          \
                                  SK_ALL_LANES(bits), first + r * (8 * REGISTER / (bits)), what);                     \
        }                                                                                                             \
        return s;                                                                                                     \
    }                                                                                                                 \
    /* Steps: the numbers and elements of all of them; returns how many match. */                                     \
    SK_INLINE size_t name##_steps(const test_lanes *lanes, unsigned ranges, bool outside, const char *numbers,        \
                                  const char *in, size_t steps, sk_picked *to, outputs what)                          \
    {                                                                                                                 \
        enum { LANES = 8 * REGISTER / (bits), LINE = TOGETHER * REGISTER };                                           \
        size_t total = 0;                                                                                             \
        step now = name##_step(lanes, ranges, outside, numbers, in, to->first, what);                                 \
        for (size_t i = 1; i <= steps; i++) {                                                                         \
            const size_t next = i < steps ? i * LINE : 0;                                                             \
            to->first += TOGETHER * LANES;                                                                            \
            const step then = name##_step(lanes, ranges, outside, numbers + next, in + next, to->first, what);        \
            SK_UNROLL for (unsigned r = 0; r < TOGETHER; r++)                                                         \
            {                                                                                                         \
                put_##bits(to, &now.of[r], LANES, what);                                                              \
                total += now.of[r].count;                                                                             \
            }                                                                                                         \
            now = then;                                                                                               \
        }                                                                                                             \
        return total;                                                                                                 \
    }                                                                                                                 \
    SK_INLINE size_t name##_of(const sk_range_test *test, unsigned ranges, const char *numbers, const char *in,       \
                               size_t n, sk_picked to, outputs what)                                                  \
    {                                                                                                                 \
        enum { LANES = 8 * REGISTER / (bits), LINE = TOGETHER * REGISTER };                                           \
        const test_lanes lanes = open_##bits(test, ranges);                                                           \
        const bool outside = test->outside;                                                                           \
        const size_t steps = what != ANY ? n / (TOGETHER * LANES) : 0;                                                \
        size_t total = 0;                                                                                             \
        if (steps > 0)                                                                                                \
            total = name##_steps(&lanes, ranges, outside, numbers, in, steps, &to, what);                             \
        n -= steps * TOGETHER * LANES, numbers += steps * LINE, in += steps * LINE;                                   \
        for (; n >= LANES; n -= LANES, numbers += REGISTER, in += REGISTER) {                                         \
            const sk_row key = ORDER(bits, AND(SK_LOAD_ROW(numbers), lanes.mask));                                    \
            total += pack_and_put_##bits(&to, SK_LOAD_ROW(in), match_##bits(&lanes, ranges, outside, key),            \
                                         SK_ALL_LANES(bits), what);                                                   \
        }                                                                                                             \
        if (n > 0) {                                                                                                  \
            const sk_mask_##bits some = (sk_mask_##bits)((1u << n) - 1);                                              \
            const sk_row x = SK_LOAD_SOME(bits, some, in), number = SK_LOAD_SOME(bits, some, numbers);                \
            const sk_row key = ORDER(bits, AND(number, lanes.mask));                                                  \
            total += pack_and_put_##bits(&to, x, some & match_##bits(&lanes, ranges, outside, key), some, what);      \
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
        if (to->others != NULL && to->positions == NULL && to->matching != NULL)                                      \
            return name##_to(test, numbers, in, n, to, BOTH_SIDES);                                                   \
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
