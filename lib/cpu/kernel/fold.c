/* fold.c - reduce and scan of one thread, for every type and operator. */
#include "kernels.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* Chains of partial results that run side by side; one where operands may not change places. */
#define LANES_sum(T) (64 / sizeof(sk_partial_sum_##T))
#define LANES_prod(T) LANES_sum(T)
#define LANES_min(T) (64 / sizeof(sk_##T))
#define LANES_max(T) LANES_min(T)
#define LANES_and(T) LANES_sum(T)
#define LANES_or(T) LANES_sum(T)
#define LANES_xor(T) LANES_sum(T)
#define LANES_affine(T) ((size_t)1)

/* Chains hold partial results, but keys for min and max. Keys are integers, so compilers vectorise their comparison,
 * and each float is mapped to its key once. */
#define CHAIN_sum partial
#define CHAIN_prod partial
#define CHAIN_min key
#define CHAIN_max key
#define CHAIN_and partial
#define CHAIN_or partial
#define CHAIN_xor partial
#define CHAIN_affine partial
#define IN_CHAIN(what, op) SK_PASTE(what##_, CHAIN_##op)

#define TYPE_partial(T, op) sk_partial_##op##_##T
#define TO_partial(T, op, element) SK_LOAD(T, op, element)
#define COMBINE_partial(T, op, a, b) SK_COMBINE_##op(T, a, b)
#define FROM_partial(T, value) (value)

#define TYPE_key(T, op) key_##T
#define TO_key(T, op, element) to_key_##T(element)
#define COMBINE_key(T, op, a, b) KEY_##op(a, b)
#define FROM_key(T, value) from_key_##T(value)
#define KEY_min(a, b) ((b) < (a) ? (b) : (a))
#define KEY_max(a, b) ((a) < (b) ? (b) : (a))

#define KEYS(T, type, to, from)            \
    typedef type key_##T;                  \
    SK_INLINE key_##T to_key_##T(sk_##T x) \
    {                                      \
        return to(x);                      \
    }                                      \
    SK_INLINE sk_##T from_key_##T(type x)  \
    {                                      \
        return from(x);                    \
    }
#define KEYS_unsigned(T) KEYS(T, sk_##T, , )
#define KEYS_signed(T) KEYS(T, sk_##T, , )
#define KEYS_float(T) KEYS(T, sk_bits_##T, sk_key_##T, sk_from_key_##T)
#define KEYS_half(T) KEYS_float(T)
#define X(enumerator, name, ctype, kind) KEYS_##kind(name)
SCANKIT_TYPES(X)
#undef X

#if defined(__AVX512F__)
/* One partial result a lane: compilers keep these in a register, but not arrays of 64 lanes, nor, of narrower
 * registers, several. */
#define LANES(T) typedef sk_partial_sum_##T lanes_##T __attribute__((vector_size(64)));
#define LANES_AS_IS(T)                                               \
    LANES(T)                                                         \
    SK_INLINE void load_lanes_##T(const sk_##T *x, lanes_##T *lanes) \
    {                                                                \
        memcpy(lanes, x, sizeof *lanes);                             \
    }
#define LANES_unsigned(T) LANES_AS_IS(T)
#define LANES_signed(T)
#define LANES_float(T) LANES_AS_IS(T)
#define LANES_half(T)                                                             \
    LANES(T)                                                                      \
    SK_INLINE void load_lanes_##T(const sk_##T *x, lanes_##T *lanes)              \
    {                                                                             \
        *lanes = (lanes_##T)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)x)); \
    }
#define X(enumerator, name, ctype, kind) LANES_##kind(name)
SCANKIT_TYPES(X)
#undef X
#endif

/* Combines whole lines of lanes of x[0] to x[n - 1]; returns how many elements these are. Not inline: gcc 12 would keep
 * the lanes in memory where they are taken apart. */
#define LINES(T, op) \
    static __attribute__((noinline)) size_t reduce_lines_##op##_##T(const sk_##T *x, size_t n, void *lane)
#define LINES_BY(T, op, operator)                            \
    LINES(T, op)                                             \
    {                                                        \
        lanes_##T all, line;                                 \
        load_lanes_##T(x, &all);                             \
        size_t i = LANES_##op(T);                            \
        for (; i + LANES_##op(T) <= n; i += LANES_##op(T)) { \
            load_lanes_##T(x + i, &line);                    \
            all = all operator line;                         \
        }                                                    \
        memcpy(lane, &all, sizeof all);                      \
        return i;                                            \
    }
#define LINES_EACH(T, op)                                                                           \
    LINES(T, op)                                                                                    \
    {                                                                                               \
        IN_CHAIN(TYPE, op)(T, op) all[LANES_##op(T)];                                               \
        size_t i = LANES_##op(T);                                                                   \
        for (size_t l = 0; l < LANES_##op(T); l++)                                                  \
            all[l] = IN_CHAIN(TO, op)(T, op, x[l]);                                                 \
        for (; i + LANES_##op(T) <= n; i += LANES_##op(T))                                          \
            for (size_t l = 0; l < LANES_##op(T); l++)                                              \
                all[l] = IN_CHAIN(COMBINE, op)(T, op, all[l], (IN_CHAIN(TO, op)(T, op, x[i + l]))); \
        memcpy(lane, all, sizeof all);                                                              \
        return i;                                                                                   \
    }
#if defined(__AVX512F__)
#define LINES_sum(T) LINES_BY(T, sum, +)
#define LINES_prod(T) LINES_BY(T, prod, *)
#define LINES_and(T) LINES_BY(T, and, &)
#define LINES_or(T) LINES_BY(T, or, |)
#define LINES_xor(T) LINES_BY(T, xor, ^)
#else
#define LINES_sum(T) LINES_EACH(T, sum)
#define LINES_prod(T) LINES_EACH(T, prod)
#define LINES_and(T) LINES_EACH(T, and)
#define LINES_or(T) LINES_EACH(T, or)
#define LINES_xor(T) LINES_EACH(T, xor)
#endif
#define LINES_min(T) LINES_EACH(T, min)
#define LINES_max(T) LINES_EACH(T, max)
#define LINES_affine(T) LINES_EACH(T, affine)

#define REDUCE(T, op)                                                                   \
    LINES_##op(T) static void reduce_##op##_##T(const void *in, size_t n, void *result) \
    {                                                                                   \
        enum { LANES = LANES_##op(T) };                                                 \
        const sk_##T *x = in;                                                           \
        sk_partial_##op##_##T total = SK_LOAD(T, op, x[0]);                             \
        IN_CHAIN(TYPE, op)(T, op) lane[LANES];                                          \
        size_t i = 1;                                                                   \
        if (n >= 2 * LANES) {                                                           \
            i = reduce_lines_##op##_##T(x, n, lane);                                    \
            total = IN_CHAIN(FROM, op)(T, lane[0]);                                     \
            for (size_t l = 1; l < LANES; l++)                                          \
                total = SK_COMBINE_##op(T, total, (IN_CHAIN(FROM, op)(T, lane[l])));    \
        }                                                                               \
        for (; i < n; i++)                                                              \
            total = SK_COMBINE_##op(T, total, SK_LOAD(T, op, x[i]));                    \
        memcpy(result, &total, sizeof total);                                           \
    }

/* Runs and segments are short, as a rule: their elements follow each other. */
#define REDUCE_SHORT(T, op)                                                            \
    SK_INLINE sk_partial_##op##_##T reduce_short_##op##_##T(const sk_##T *x, size_t n) \
    {                                                                                  \
        if (n > 64) {                                                                  \
            sk_partial_##op##_##T total;                                               \
            reduce_##op##_##T(x, n, &total);                                           \
            return total;                                                              \
        }                                                                              \
        IN_CHAIN(TYPE, op)(T, op) all = IN_CHAIN(TO, op)(T, op, x[0]);                 \
        for (size_t i = 1; i < n; i++)                                                 \
            all = IN_CHAIN(COMBINE, op)(T, op, all, (IN_CHAIN(TO, op)(T, op, x[i])));  \
        return IN_CHAIN(FROM, op)(T, all);                                             \
    }

#define REDUCE_RUNS(T, op)                                                                             \
    static void reduce_runs_##op##_##T(const void *in, const uint32_t *begin, size_t n, void *results) \
    {                                                                                                  \
        const sk_##T *x = in;                                                                          \
        sk_partial_##op##_##T *y = results;                                                            \
        for (size_t r = 0; r < n; r++)                                                                 \
            y[r] = reduce_short_##op##_##T(x + begin[r], begin[r + 1] - begin[r]);                     \
    }

#define REDUCE_SEGMENTS(T, op)                                                                               \
    static void reduce_segments_##op##_##T(const void *in, const uint64_t *offsets, size_t n, void *results) \
    {                                                                                                        \
        const sk_##T *x = in;                                                                                \
        sk_##T *y = results;                                                                                 \
        for (size_t s = 0; s < n; s++) {                                                                     \
            size_t length = offsets[s + 1] - offsets[s];                                                     \
            sk_partial_##op##_##T total = SK_IDENTITY_##op(T);                                               \
            if (length > 0)                                                                                  \
                total = reduce_short_##op##_##T(x + offsets[s], length);                                     \
            y[s] = SK_STORE(T, op, total);                                                                   \
        }                                                                                                    \
    }

/* One element of a scan: the running result before it goes out (exclusive), or that after it; h: heads, or NULL. At a
 * head the running result becomes the identity, without a branch; it does not change what follows, but for floats: -0.0
 * is the sum of none but -0.0. */
#define STEP(T, op, at, running)                                                                               \
    {                                                                                                          \
        bool head = h != NULL && h[at] != 0;                                                                   \
        sk_partial_##op##_##T element = SK_LOAD(T, op, x[at]);                                                 \
        sk_partial_##op##_##T before = head ? SK_IDENTITY_##op(T) : running;                                   \
        sk_partial_##op##_##T after = head && SK_IS_FLOAT_##T ? element : SK_COMBINE_##op(T, before, element); \
        y[at] = exclusive ? SK_STORE(T, op, before) : SK_STORE(T, op, after);                                  \
        running = after;                                                                                       \
    }

#define SCAN(T, op)                                                                                             \
    SK_INLINE void scan_kind_##op##_##T(const sk_##T *x, const uint8_t *h, sk_##T *y, size_t n,                 \
                                        const sk_partial_##op##_##T *carry, bool exclusive)                     \
    {                                                                                                           \
        const size_t strip = SK_STRIP_BYTES / sizeof(sk_##T);                                                   \
        if (n == SK_STRIPS * strip) {                                                                           \
            sk_partial_##op##_##T r0 = carry[0], r1 = carry[1], r2 = carry[2], r3 = carry[3];                   \
            for (size_t i = 0; i < strip; i++) {                                                                \
                STEP(T, op, i, r0)                                                                              \
                STEP(T, op, i + strip, r1)                                                                      \
                STEP(T, op, i + 2 * strip, r2)                                                                  \
                STEP(T, op, i + 3 * strip, r3)                                                                  \
            }                                                                                                   \
            return;                                                                                             \
        }                                                                                                       \
        for (size_t begin = 0; begin < n; begin += strip) {                                                     \
            sk_partial_##op##_##T running = carry[begin / strip];                                               \
            for (size_t i = begin; i < sk_min(begin + strip, n); i++)                                           \
                STEP(T, op, i, running)                                                                         \
        }                                                                                                       \
    }                                                                                                           \
    static void scan_##op##_##T(const void *in, const uint8_t *heads, void *out, size_t n, const void *carries, \
                                scankit_scan_kind kind)                                                         \
    {                                                                                                           \
        const size_t strip = SK_STRIP_BYTES / sizeof(sk_##T);                                                   \
        sk_partial_##op##_##T carry[SK_STRIPS];                                                                 \
        memset(carry, 0, sizeof carry);                                                                         \
        memcpy(carry, carries, (n + strip - 1) / strip * sizeof *carry);                                        \
        if (kind == SCANKIT_EXCLUSIVE && heads == NULL)                                                         \
            scan_kind_##op##_##T(in, NULL, out, n, carry, true);                                                \
        else if (kind == SCANKIT_EXCLUSIVE)                                                                     \
            scan_kind_##op##_##T(in, heads, out, n, carry, true);                                               \
        else if (heads == NULL)                                                                                 \
            scan_kind_##op##_##T(in, NULL, out, n, carry, false);                                               \
        else                                                                                                    \
            scan_kind_##op##_##T(in, heads, out, n, carry, false);                                              \
    }

#define SMALL(T, op)                                                                       \
    static void identity_##op##_##T(void *result)                                          \
    {                                                                                      \
        sk_partial_##op##_##T identity = SK_IDENTITY_##op(T);                              \
        memcpy(result, &identity, sizeof identity);                                        \
    }                                                                                      \
    static void combine_##op##_##T(void *left, const void *right)                          \
    {                                                                                      \
        sk_partial_##op##_##T a, b, combined;                                              \
        memcpy(&a, left, sizeof a);                                                        \
        memcpy(&b, right, sizeof b);                                                       \
        combined = SK_COMBINE_##op(T, a, b);                                               \
        memcpy(left, &combined, sizeof combined);                                          \
    }                                                                                      \
    static void load_##op##_##T(const void *element, void *partial)                        \
    {                                                                                      \
        sk_##T x;                                                                          \
        memcpy(&x, element, sizeof x);                                                     \
        sk_partial_##op##_##T loaded = SK_LOAD(T, op, x);                                  \
        memcpy(partial, &loaded, sizeof loaded);                                           \
    }                                                                                      \
    static void store_##op##_##T(const void *partials, size_t n, void *elements)           \
    {                                                                                      \
        for (size_t i = 0; i < n; i++) {                                                   \
            sk_partial_##op##_##T partial;                                                 \
            memcpy(&partial, (const char *)partials + i * sizeof partial, sizeof partial); \
            sk_##T stored = SK_STORE(T, op, partial);                                      \
            memcpy((char *)elements + i * sizeof stored, &stored, sizeof stored);          \
        }                                                                                  \
    }

#define KERNELS(T, op) \
    SMALL(T, op) REDUCE(T, op) REDUCE_SHORT(T, op) REDUCE_RUNS(T, op) REDUCE_SEGMENTS(T, op) SCAN(T, op)
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(KERNELS, name)
SCANKIT_TYPES(X)
#undef X

#define X(enumerator, name) +1
enum { OPERATOR_COUNT = 0 SCANKIT_OPERATORS(X) };
#undef X

#define ROW(T, op)                                                                                             \
    [SK_TYPE_##T][SK_OP_##op] = {sizeof(sk_##T),    sizeof(sk_partial_##op##_##T), load_##op##_##T,            \
                                 store_##op##_##T,  identity_##op##_##T,           combine_##op##_##T,         \
                                 reduce_##op##_##T, reduce_runs_##op##_##T,        reduce_segments_##op##_##T, \
                                 scan_##op##_##T},
static const sk_fold folds[SCANKIT_BYTES][OPERATOR_COUNT] = {
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(ROW, name)
    SCANKIT_TYPES(X)
#undef X
};

const sk_fold *SK_ISA_NAME(sk_fold)(scankit_type type, scankit_operator op)
{
    const sk_fold *fold = &folds[type][op];
    return fold->size > 0 ? fold : NULL;
}
