/* widen.c - pixels of an image as the type of its sums. */
#include "cpu/kernel/lanes.h"

#define AS_IS(x) (x)

#define WIDEN(T, R, FROM)                                                             \
    static void widen_##T##_##R(const void *in, void *out, size_t n)                  \
    {                                                                                 \
        const sk_##T *restrict x = in;                                                \
        sk_##R *restrict y = out;                                                     \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] = (sk_##R)FROM(x[i]); \
    }
#define WIDENS(X)                                                                                                  \
    X(u8, u32, AS_IS)                                                                                              \
    X(u8, u64, AS_IS) X(u8, f32, AS_IS) X(u8, f64, AS_IS) X(u16, u32, AS_IS) X(u16, u64, AS_IS) X(u16, f32, AS_IS) \
        X(u16, f64, AS_IS) X(f16, f32, sk_f32_from_f16) X(f16, f64, sk_f32_from_f16) X(f32, f64, AS_IS)
WIDENS(WIDEN)

#define BOTH(from, to) ((int)(from)*SCANKIT_BYTES + (int)(to))
#define CASE(T, R, FROM) \
    case BOTH(SK_TYPE_##T, SK_TYPE_##R): return widen_##T##_##R;
sk_widen_function *SK_ISA_NAME(sk_widen)(scankit_type from, scankit_type to)
{
    switch (BOTH(from, to)) {
        WIDENS(CASE)
    default: return NULL;
    }
}
