/* fold.c - reduce and scan of one thread, for every type and operator. */
#include "kernels.h"

/* Chains of partial results that run side by side; one where operands may not change places. */
#define LANES_sum(T) (64 / sizeof(sk_##T))
#define LANES_prod(T) LANES_sum(T)
#define LANES_min(T) LANES_sum(T)
#define LANES_max(T) LANES_sum(T)
#define LANES_and(T) LANES_sum(T)
#define LANES_or(T) LANES_sum(T)
#define LANES_xor(T) LANES_sum(T)
#define LANES_affine(T) ((size_t)1)

#define REDUCE(T, op)                                                     \
    static void reduce_##op##_##T(const void *in, size_t n, void *result) \
    {                                                                     \
        enum { LANES = LANES_##op(T) };                                   \
        const sk_##T *x = in;                                             \
        sk_##T lane[LANES], total = x[0];                                 \
        size_t i = 1;                                                     \
        if (n >= 2 * LANES) {                                             \
            memcpy(lane, x, sizeof lane);                                 \
            for (i = LANES; i + LANES <= n; i += LANES)                   \
                for (size_t l = 0; l < LANES; l++)                        \
                    lane[l] = SK_COMBINE_##op(T, lane[l], x[i + l]);      \
            total = lane[0];                                              \
            for (size_t l = 1; l < LANES; l++)                            \
                total = SK_COMBINE_##op(T, total, lane[l]);               \
        }                                                                 \
        for (; i < n; i++)                                                \
            total = SK_COMBINE_##op(T, total, x[i]);                      \
        memcpy(result, &total, sizeof total);                             \
    }

/* Runs are short, as a rule: their elements follow each other. */
#define REDUCE_RUNS(T, op)                                                                             \
    static void reduce_runs_##op##_##T(const void *in, const uint32_t *begin, size_t n, void *results) \
    {                                                                                                  \
        const sk_##T *x = in;                                                                          \
        sk_##T *y = results;                                                                           \
        for (size_t r = 0; r < n; r++) {                                                               \
            size_t i = begin[r], end = begin[r + 1];                                                   \
            sk_##T total = x[i++];                                                                     \
            if (end - i >= 64)                                                                         \
                reduce_##op##_##T(x + i - 1, end - i + 1, &total);                                     \
            else                                                                                       \
                for (; i < end; i++)                                                                   \
                    total = SK_COMBINE_##op(T, total, x[i]);                                           \
            y[r] = total;                                                                              \
        }                                                                                              \
    }

/* One element of a scan: the running result before it goes out (exclusive), or that after it. */
#define STEP(T, op, at, running)                          \
    {                                                     \
        sk_##T before = running;                          \
        sk_##T after = SK_COMBINE_##op(T, before, x[at]); \
        y[at] = exclusive ? before : after;               \
        running = after;                                  \
    }

#define SCAN(T, op)                                                                                                \
    SK_INLINE void scan_kind_##op##_##T(const sk_##T *x, sk_##T *y, size_t n, const sk_##T *carry, bool exclusive) \
    {                                                                                                              \
        const size_t strip = SK_STRIP_BYTES / sizeof(sk_##T);                                                      \
        if (n == SK_STRIPS * strip) {                                                                              \
            sk_##T r0 = carry[0], r1 = carry[1], r2 = carry[2], r3 = carry[3];                                     \
            for (size_t i = 0; i < strip; i++) {                                                                   \
                STEP(T, op, i, r0)                                                                                 \
                STEP(T, op, i + strip, r1)                                                                         \
                STEP(T, op, i + 2 * strip, r2)                                                                     \
                STEP(T, op, i + 3 * strip, r3)                                                                     \
            }                                                                                                      \
            return;                                                                                                \
        }                                                                                                          \
        for (size_t begin = 0; begin < n; begin += strip) {                                                        \
            sk_##T running = carry[begin / strip];                                                                 \
            for (size_t i = begin; i < sk_min(begin + strip, n); i++)                                              \
                STEP(T, op, i, running)                                                                            \
        }                                                                                                          \
    }                                                                                                              \
    static void scan_##op##_##T(const void *in, void *out, size_t n, const void *carries, scankit_scan_kind kind)  \
    {                                                                                                              \
        const size_t strip = SK_STRIP_BYTES / sizeof(sk_##T);                                                      \
        sk_##T carry[SK_STRIPS] = {0};                                                                             \
        memcpy(carry, carries, (n + strip - 1) / strip * sizeof *carry);                                           \
        if (kind == SCANKIT_EXCLUSIVE)                                                                             \
            scan_kind_##op##_##T(in, out, n, carry, true);                                                         \
        else                                                                                                       \
            scan_kind_##op##_##T(in, out, n, carry, false);                                                        \
    }

#define SMALL(T, op)                                              \
    static void identity_##op##_##T(void *result)                 \
    {                                                             \
        sk_##T identity = SK_IDENTITY_##op(T);                    \
        memcpy(result, &identity, sizeof identity);               \
    }                                                             \
    static void combine_##op##_##T(void *left, const void *right) \
    {                                                             \
        sk_##T a, b, combined;                                    \
        memcpy(&a, left, sizeof a);                               \
        memcpy(&b, right, sizeof b);                              \
        combined = SK_COMBINE_##op(T, a, b);                      \
        memcpy(left, &combined, sizeof combined);                 \
    }

#define KERNELS(T, op) SMALL(T, op) REDUCE(T, op) REDUCE_RUNS(T, op) SCAN(T, op)
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(KERNELS, name)
SCANKIT_TYPES(X)
#undef X

#define X(enumerator, name) +1
enum { OPERATOR_COUNT = 0 SCANKIT_OPERATORS(X) };
#undef X

#define ROW(T, op)                                                                              \
    [SK_TYPE_##T][SK_OP_##op] = {sizeof(sk_##T),    identity_##op##_##T,    combine_##op##_##T, \
                                 reduce_##op##_##T, reduce_runs_##op##_##T, scan_##op##_##T},
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
