/* steps.c - what a predicate's steps do to a block of values: one plain loop a step, which the compiler makes vectors
 * of (gcc at -O2 only where "omp simd" says so). `to` never overlaps an operand. As each step is a loop of its own, no
 * two can be contracted into one that rounds differently. */
#include "kernels.h"

#ifdef __clang__
/* clang warns of each loop it cannot vectorise: here the integer divisions. */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* ---- the regular steps, from lib/steps.h ---- */

/* Operands are as the caller's elements lie, whatever their declared type was. */
#define X(name, ctype) typedef ctype __attribute__((may_alias)) name;
SK_VALUES(X)
#undef X

#define X(name, R, T, expression)                                                                                \
    static void name##_##T(const void *restrict first, const void *restrict second, void *restrict to, size_t n) \
    {                                                                                                            \
        const T *restrict left = first, *restrict right = second;                                                \
        R *restrict result = to;                                                                                 \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                                       \
        {                                                                                                        \
            const T a = left[i], b = right[i];                                                                   \
            (void)b;                                                                                             \
            result[i] = (R)(expression);                                                                         \
        }                                                                                                        \
    }
/* A negative number shifted right keeps its sign, as every compiler of this code has it. */
/* cppcheck-suppress shiftTooManyBitsSigned */
SK_STEPS(X)
#undef X

/* ---- choosing ---- */

#define SELECT(T)                                                                                              \
    static void select_##T(const uint8_t *restrict a, const void *restrict second, const void *restrict third, \
                           void *restrict to, size_t n)                                                        \
    {                                                                                                          \
        const T *restrict b = second, *restrict c = third;                                                     \
        T *restrict result = to;                                                                               \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) result[i] = a[i] ? b[i] : c[i];                     \
    }
SELECT(U32)
SELECT(U64)

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
#define IN(T)                                                                                                      \
    SK_INLINE T value_##T(uint64_t bits)                                                                           \
    {                                                                                                              \
        T value;                                                                                                   \
        memcpy(&value, &bits, sizeof value);                                                                       \
        return value;                                                                                              \
    }                                                                                                              \
    static void in_few_##T(const sk_set_range *ranges, size_t count, const T *restrict x, uint8_t *restrict to,    \
                           size_t n)                                                                               \
    {                                                                                                              \
        memset(to, 0, n);                                                                                          \
        for (size_t r = 0; r < count; r++) {                                                                       \
            const T low = value_##T(ranges[r].low), high = value_##T(ranges[r].high);                              \
            _Pragma("omp simd") for (size_t i = 0; i < n; i++) to[i] |= (uint8_t)((x[i] >= low) & (x[i] <= high)); \
        }                                                                                                          \
    }                                                                                                              \
    static void in_many_##T(const sk_set_range *ranges, size_t count, const T *restrict x, uint8_t *restrict to,   \
                            size_t n)                                                                              \
    {                                                                                                              \
        uint32_t at[SK_STEP_VALUES]; /* the last range that may begin at or below the value */                     \
        memset(at, 0, sizeof at);                                                                                  \
        for (size_t left = count; left > 1; left -= left / 2) {                                                    \
            const uint32_t half = (uint32_t)(left / 2);                                                            \
            for (size_t i = 0; i < n; i++)                                                                         \
                at[i] += value_##T(ranges[at[i] + half].low) <= x[i] ? half : 0;                                   \
        }                                                                                                          \
        for (size_t i = 0; i < n; i++) {                                                                           \
            const T low = value_##T(ranges[at[i]].low), high = value_##T(ranges[at[i]].high);                      \
            to[i] = (uint8_t)((low <= x[i]) & (x[i] <= high));                                                     \
        }                                                                                                          \
    }                                                                                                              \
    static void in_##T(const sk_set_range *ranges, size_t count, const void *a, uint8_t *to, size_t n)             \
    {                                                                                                              \
        if (count <= FEW_RANGES)                                                                                   \
            in_few_##T(ranges, count, a, to, n);                                                                   \
        else                                                                                                       \
            in_many_##T(ranges, count, a, to, n);                                                                  \
    }
IN(U64)
IN(I64)
IN(F64)

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
#define X(name, R, T, expression) [SK_STEP_##name##_##T] = name##_##T,
            SK_STEPS(X)
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
};
