/* steps.c - what a predicate's steps do to a block of values: one plain loop a step, which the compiler makes vectors
 * of (gcc at -O2 only where "omp simd" says so), and tests by registers. `to` never overlaps an operand. As each step
 * is a loop of its own, no two can be contracted into one that rounds differently. Steps take whole words of 64 values.
 */
#include "kernels.h"
#include "quotients.h"
#include "truths.h"

/* A step in each form: for two blocks, and with one value for all in place of the first or the second. */
#define FORMS(step)                                                                      \
    static void step##_blocks(const void *first, const void *second, void *to, size_t n) \
    {                                                                                    \
        step(first, second, to, n, false, false);                                        \
    }                                                                                    \
    static void step##_first(const void *first, const void *second, void *to, size_t n)  \
    {                                                                                    \
        step(first, second, to, n, true, false);                                         \
    }                                                                                    \
    static void step##_second(const void *first, const void *second, void *to, size_t n) \
    {                                                                                    \
        step(first, second, to, n, false, true);                                         \
    }

/* ---- from numbers to numbers ---- */

#define X(name, R, T, expression)                                                                          \
    SK_INLINE void name##_##T(const T *restrict first, const T *restrict second, R *restrict to, size_t n, \
                              bool is_first, bool is_second)                                               \
    {                                                                                                      \
        const T one_a = *first, one_b = *second;                                                           \
        for (size_t i = 0; i < n; i += 64) {                                                               \
            _Pragma("omp simd") for (size_t j = i; j < i + 64; j++)                                        \
            {                                                                                              \
                const T a = is_first ? one_a : first[j], b = is_second ? one_b : second[j];                \
                (void)b;                                                                                   \
                to[j] = (R)(expression);                                                                   \
            }                                                                                              \
        }                                                                                                  \
    }                                                                                                      \
    FORMS(name##_##T)
/* A negative number shifted right keeps its sign, as every compiler of this code has it. */
/* cppcheck-suppress shiftTooManyBitsSigned */
SK_STEPS_VALUES(X)
#undef X

/* ---- quotients ---- */

/* From a register of quotients: a quotient by 0 is 0, and its remainder a. */
#define RESULT_DIV(T, U, a, b, quotient) ((U##_lanes)(quotient) & (U##_lanes)((b) != 0))
#define RESULT_REM(T, U, a, b, quotient) ((U##_lanes)(a) - (U##_lanes)(quotient) * (U##_lanes)(b))

#define QUOTIENTS(name, T, U, bits)                                                                              \
    SK_INLINE void name##_##T(const T##_lanes *first, const T##_lanes *second, U##_lanes *restrict to, size_t n, \
                              bool is_first)                                                                     \
    {                                                                                                            \
        const T##_lanes one = *(const T *)first - (T##_lanes){0};                                                \
        for (size_t i = 0; i < n; i += SK_LANES(T), first++, second++) {                                         \
            const T##_lanes a = is_first ? one : *first, b = *second;                                            \
            *to++ = RESULT_##name(T, U, a, b, over_##T(a, b));                                                   \
        }                                                                                                        \
    }                                                                                                            \
    static void name##_##T##_blocks(const void *first, const void *second, void *to, size_t n)                   \
    {                                                                                                            \
        name##_##T(first, second, to, n, false);                                                                 \
    }                                                                                                            \
    static void name##_##T##_first(const void *first, const void *second, void *to, size_t n)                    \
    {                                                                                                            \
        name##_##T(first, second, to, n, true);                                                                  \
    }                                                                                                            \
    static void name##_##T##_second(const void *first, const void *second, void *to, size_t n)                   \
    {                                                                                                            \
        const T divisor = *(const T *)second;                                                                    \
        const T##_lanes *restrict from = first, b = divisor - (T##_lanes){0};                                    \
        const sk_reciprocal by = reciprocal_of(divisor == 0 ? 1 : magnitude_##T(divisor), bits);                 \
        U##_lanes *restrict result = to;                                                                         \
        for (size_t i = 0; i < n; i += SK_LANES(T), from++)                                                      \
            *result++ = RESULT_##name(T, U, *from, b, over_one_##T(*from, by, divisor));                         \
    }
QUOTIENTS(DIV, U32, U32, 32)
QUOTIENTS(REM, U32, U32, 32)
QUOTIENTS(DIV, I32, U32, 32)
QUOTIENTS(REM, I32, U32, 32)
QUOTIENTS(DIV, U64, U64, 64)
QUOTIENTS(REM, U64, U64, 64)
QUOTIENTS(DIV, I64, U64, 64)
QUOTIENTS(REM, I64, U64, 64)

/* ---- from numbers to truths ---- */

#define X(name, R, T, expression)                                                                                 \
    SK_INLINE void name##_##T(const T *restrict first, const T *restrict second, uint64_t *restrict to, size_t n, \
                              bool is_first, bool is_second)                                                      \
    {                                                                                                             \
        const T##_lanes one_a = *first - (T##_lanes){0}, one_b = *second - (T##_lanes){0};                        \
        for (size_t i = 0; i < n; i += 64, first += 64, second += 64) {                                           \
            T##_bits bits[SK_REGISTERS(T)];                                                                       \
            SK_UNROLL for (size_t r = 0; r < SK_REGISTERS(T); r++)                                                \
            {                                                                                                     \
                const T##_lanes a = is_first ? one_a : ((const T##_lanes *)first)[r];                             \
                const T##_lanes b = is_second ? one_b : ((const T##_lanes *)second)[r];                           \
                (void)b;                                                                                          \
                bits[r] = BITS_##name(T, a, b, expression);                                                       \
            }                                                                                                     \
            *to++ = word_of_##T(bits);                                                                            \
        }                                                                                                         \
    }                                                                                                             \
    FORMS(name##_##T)
SK_STEPS_TESTS(X)
#undef X

/* ---- on truths ---- */

#define WORDS_AND(a, b) ((a) & (b))
#define WORDS_OR(a, b) ((a) | (b))
#define WORDS_NOT(a, b) (~(a))

/* No vectors, which would wait for the words just written. */
#define LOGIC(name)                                                                         \
    static void name##_B8_blocks(const void *first, const void *second, void *to, size_t n) \
    {                                                                                       \
        const uint64_t *restrict a = first, *restrict b = second;                           \
        uint64_t *restrict result = to;                                                     \
        for (size_t i = 0; i < n; i += 64, a++, b++) {                                      \
            uint64_t word = WORDS_##name(*a, *b);                                           \
            __asm__("" : "+r"(word));                                                       \
            *result++ = word;                                                               \
        }                                                                                   \
    }
LOGIC(AND)
LOGIC(OR)
LOGIC(NOT)

#define SELECT(T)                                                                                                      \
    static void select_##T(const uint64_t *restrict word, const void *second, const void *third, void *to, size_t n)   \
    {                                                                                                                  \
        const T##_lanes *restrict b = second, *restrict c = third;                                                     \
        T##_lanes *restrict result = to;                                                                               \
        for (size_t i = 0; i < n; i += 64, word++)                                                                     \
            SK_UNROLL for (unsigned at = 0; at < 64; at += SK_LANES(T)) *result++ = choose_##T(*word, at, *b++, *c++); \
    }
SELECT(U32)
SELECT(U64)

static void TO_U32_B8_blocks(const void *first, const void *second, void *to, size_t n)
{
    const uint64_t *restrict word = first;
    const U32_lanes no = {0}, yes = no + 1;
    U32_lanes *restrict result = to;
    (void)second;
    for (size_t i = 0; i < n; i += 64, word++)
        SK_UNROLL for (unsigned at = 0; at < 64; at += SK_LANES(U32)) *result++ = choose_U32(*word, at, yes, no);
}

/* ---- sets ---- */

/* Up to this many ranges, comparing with each is faster than a search. */
#if defined(__AVX512F__)
#define FEW_RANGES 24
#elif defined(__AVX2__)
#define FEW_RANGES 12
#else
#define FEW_RANGES 6
#endif

/* Many ranges are halved for all values before they are halved again: searches do not wait for themselves. */
#define IN(T)                                                                                                     \
    SK_INLINE T value_##T(uint64_t bits)                                                                          \
    {                                                                                                             \
        T value;                                                                                                  \
        memcpy(&value, &bits, sizeof value);                                                                      \
        return value;                                                                                             \
    }                                                                                                             \
    SK_INLINE uint64_t within_##T(const T##_lanes *x, T low, T high)                                              \
    {                                                                                                             \
        const T##_lanes from = low - (T##_lanes){0}, to = high - (T##_lanes){0};                                  \
        T##_bits bits[SK_REGISTERS(T)];                                                                           \
        SK_UNROLL for (size_t r = 0; r < SK_REGISTERS(T); r++) bits[r] =                                          \
            BITS_LE(T, from, x[r], from <= x[r]) & BITS_LE(T, x[r], to, x[r] <= to);                              \
        return word_of_##T(bits);                                                                                 \
    }                                                                                                             \
    static void in_few_##T(const sk_set_range *ranges, size_t count, const T *restrict x, uint64_t *restrict to,  \
                           size_t n)                                                                              \
    {                                                                                                             \
        for (size_t i = 0; i < n; i += 64) {                                                                      \
            uint64_t word = 0;                                                                                    \
            for (size_t r = 0; r < count; r++)                                                                    \
                word |= within_##T((const void *)(x + i), value_##T(ranges[r].low), value_##T(ranges[r].high));   \
            to[i / 64] = word;                                                                                    \
        }                                                                                                         \
    }                                                                                                             \
    static void in_many_##T(const sk_set_range *ranges, size_t count, const T *restrict x, uint64_t *restrict to, \
                            size_t n)                                                                             \
    {                                                                                                             \
        uint32_t at[SK_STEP_VALUES]; /* the last range that may begin at or below the value */                    \
        memset(at, 0, sizeof at);                                                                                 \
        for (size_t left = count; left > 1; left -= left / 2) {                                                   \
            const uint32_t half = (uint32_t)(left / 2);                                                           \
            for (size_t i = 0; i < n; i++)                                                                        \
                at[i] += value_##T(ranges[at[i] + half].low) <= x[i] ? half : 0;                                  \
        }                                                                                                         \
        memset(to, 0, (n + 63) / 64 * sizeof *to);                                                                \
        for (size_t i = 0; i < n; i++) {                                                                          \
            const T low = value_##T(ranges[at[i]].low), high = value_##T(ranges[at[i]].high);                     \
            to[i / 64] |= (uint64_t)((low <= x[i]) & (x[i] <= high)) << i % 64;                                   \
        }                                                                                                         \
    }                                                                                                             \
    static void in_##T(const sk_set_range *ranges, size_t count, const void *a, uint64_t *to, size_t n)           \
    {                                                                                                             \
        if (count <= FEW_RANGES)                                                                                  \
            in_few_##T(ranges, count, a, to, n);                                                                  \
        else                                                                                                      \
            in_many_##T(ranges, count, a, to, n);                                                                 \
    }
IN(U64)
IN(I64)
IN(F64)

/* ---- a few ranges ---- */

#define ORDER_INT(T, x, bits) (x)
#define ORDER_FLOAT(T, x, bits) ((x) ^ (((x) >> ((bits)-1)) & INT##bits##_MAX))

/* A number is beyond a range where x - low > high - low without sign. Both sides have their sign bits turned, as SSE2
 * compares with sign alone. */
#define WITHIN(name, T, U, bits, ORDER)                                                                             \
    SK_INLINE void name##_of(const sk_set_range *ranges, size_t count, const T##_lanes *x, uint64_t *to, size_t n,  \
                             uint64_t turn)                                                                         \
    {                                                                                                               \
        T##_lanes low[SK_WITHIN_RANGES] = {{0}}, width[SK_WITHIN_RANGES] = {{0}};                                   \
        for (size_t r = 0; r < count; r++) {                                                                        \
            low[r] = (T)((U)ranges[r].low ^ SK_SIGN_BIT(U)) - (T##_lanes){0};                                       \
            width[r] = (T)((U)(ranges[r].high - ranges[r].low) ^ SK_SIGN_BIT(U)) - (T##_lanes){0};                  \
        }                                                                                                           \
        for (size_t i = 0; i < n; i += 64) {                                                                        \
            T##_bits beyond[SK_REGISTERS(T)];                                                                       \
            SK_UNROLL for (size_t at = 0; at < SK_REGISTERS(T); at++, x++)                                          \
            {                                                                                                       \
                const T##_lanes key = ORDER(T, *x, bits);                                                           \
                beyond[at] = BITS_LT(T, width[0], key - low[0], width[0] < key - low[0]);                           \
                for (size_t r = 1; r < count; r++)                                                                  \
                    beyond[at] = BITS_AND_GT_##T(beyond[at], key - low[r], width[r]);                               \
            }                                                                                                       \
            *to++ = word_of_##T(beyond) ^ turn;                                                                     \
        }                                                                                                           \
    }                                                                                                               \
    static void name(const sk_set_range *ranges, size_t count, bool outside, const void *x, uint64_t *to, size_t n) \
    {                                                                                                               \
        const uint64_t turn = outside ? 0 : UINT64_MAX;                                                             \
        switch (count) {                                                                                            \
        case 1: name##_of(ranges, 1, x, to, n, turn); break;                                                        \
        case 2: name##_of(ranges, 2, x, to, n, turn); break;                                                        \
        case 3: name##_of(ranges, 3, x, to, n, turn); break;                                                        \
        default: name##_of(ranges, SK_WITHIN_RANGES, x, to, n, turn);                                               \
        }                                                                                                           \
    }
WITHIN(within_32, I32, U32, 32, ORDER_INT)
WITHIN(within_64, I64, U64, 64, ORDER_INT)
/* cppcheck-suppress shiftTooManyBitsSigned */
WITHIN(within_f32, I32, U32, 32, ORDER_FLOAT)
/* cppcheck-suppress shiftTooManyBitsSigned */
WITHIN(within_f64, I64, U64, 64, ORDER_FLOAT)

/* ---- loading ---- */

/* Fields of `stride` bytes' distance. Numbers are bits here, but for the sign of narrow ones. */
#define SAME(bits) (bits)
#define LOAD_ORDER(name, RAW, WIDEN, R, order, SWAP)                                                 \
    SK_INLINE void load_##order##_of_##name(const char *in, size_t stride, R *restrict to, size_t n) \
    {                                                                                                \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                           \
        {                                                                                            \
            RAW bits;                                                                                \
            memcpy(&bits, in + i * stride, sizeof bits);                                             \
            to[i] = (R)WIDEN(SWAP(bits));                                                            \
        }                                                                                            \
    }                                                                                                \
    static void load_##order##_##name(const char *in, size_t stride, void *to, size_t n)             \
    {                                                                                                \
        if (stride == sizeof(RAW))                                                                   \
            load_##order##_of_##name(in, sizeof(RAW), to, n);                                        \
        else                                                                                         \
            load_##order##_of_##name(in, stride, to, n);                                             \
    }
#define LOAD(name, RAW, WIDEN, R, SWAP)          \
    LOAD_ORDER(name, RAW, WIDEN, R, plain, SAME) \
    LOAD_ORDER(name, RAW, WIDEN, R, swapped, SWAP)

/* X(type, its bits, how they are widened, to what, how they are swapped) */
#define HALF(bits) sk_f32_bits(sk_f32_from_f16((scankit_f16){bits}))
#define LOADS(X)                                         \
    X(U8, uint8_t, (uint8_t), U32, SAME)                 \
    X(U16, uint16_t, (uint16_t), U32, __builtin_bswap16) \
    X(U32, uint32_t, (uint32_t), U32, __builtin_bswap32) \
    X(U64, uint64_t, (uint64_t), U64, __builtin_bswap64) \
    X(I8, uint8_t, (int8_t), I32, SAME)                  \
    X(I16, uint16_t, (int16_t), I32, __builtin_bswap16)  \
    X(I32, uint32_t, (uint32_t), U32, __builtin_bswap32) \
    X(I64, uint64_t, (uint64_t), U64, __builtin_bswap64) \
    X(F16, uint16_t, HALF, U32, __builtin_bswap16)       \
    X(F32, uint32_t, (uint32_t), U32, __builtin_bswap32) \
    X(F64, uint64_t, (uint64_t), U64, __builtin_bswap64)
LOADS(LOAD)

#define X(name, RAW, WIDEN, R, SWAP) +1
static_assert(0 LOADS(X) == SCANKIT_BYTES, "LOADS has one row for each element type");
#undef X

static void position(uint64_t first, void *to, size_t n)
{
    U64 *result = to;
    for (size_t i = 0; i < n; i++)
        result[i] = first + i;
}

const sk_step_kernels SK_ISA_NAME(sk_steps) = {
    .regular =
        {
#define X(name, R, T, expression) [SK_STEP_##name##_##T] = {name##_##T##_blocks},
            SK_STEPS_TRUTHS(X)
#undef X
#define X(name, R, T, expression) \
    [SK_STEP_##name##_##T] = {name##_##T##_blocks, name##_##T##_first, name##_##T##_second},
                SK_STEPS_TESTS(X) SK_STEPS_VALUES(X) SK_STEPS_QUOTIENTS(X)
#undef X
        },
    .load =
        {
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = {load_plain_##enumerator, load_swapped_##enumerator},
            SCANKIT_TYPES(X)
#undef X
        },
    .position = position,
    .select_32 = select_U32,
    .select_64 = select_U64,
    .in_u64 = in_U64,
    .in_i64 = in_I64,
    .in_f64 = in_F64,
    .within_32 = within_32,
    .within_64 = within_64,
    .within_f32 = within_f32,
    .within_f64 = within_f64,
};
