/* bins.c - the bins of keys, one plain loop a type and kind of bins, which the compiler makes vectors of where it can.
 */
#include "bins.h"
#include "kernels.h"

/* bin: an expression of the key and `of`. */
#define BINS(name, ctype, bin)                                                               \
    static void name(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to) \
    {                                                                                        \
        const ctype *restrict from = keys;                                                   \
        const sk_bins of = *bins;                                                            \
        for (size_t i = 0; i < n; i++) {                                                     \
            const ctype key = from[i];                                                       \
            to[i] = bin;                                                                     \
        }                                                                                    \
    }

/* Even bins apart from the others, as a choice within the loop would leave it without vectors. */
#define X(enumerator, name, ctype, kind) BINS(any_##name, ctype, sk_bin_##name(key, &of))
SCANKIT_TYPES(X)
#undef X
#define EVEN_WORD(name, ctype, bits) BINS(even_##name, ctype, sk_even_bin_##bits(sk_bin_word_##name(key), &of))
EVEN_WORD(u8, uint8_t, 32)
EVEN_WORD(u16, uint16_t, 32)
EVEN_WORD(u32, uint32_t, 32)
EVEN_WORD(u64, uint64_t, 64)
EVEN_WORD(i8, int8_t, 32)
EVEN_WORD(i16, int16_t, 32)
EVEN_WORD(i32, int32_t, 32)
EVEN_WORD(i64, int64_t, 64)

/* sk_bin_f64() without branches: so the loop is made of vectors. */
SK_INLINE uint32_t even_float_bin(double key, const sk_bins *bins)
{
    const bool is_inside = (key >= bins->float_low) & (key <= bins->float_high);
    const double distance = (is_inside ? key : bins->float_low) - bins->float_low;
    uint32_t bin = (uint32_t)(int32_t)(distance * bins->scale);
    bin = bin < bins->count ? bin : bins->count - 1;
    return is_inside ? bin : bins->count;
}
BINS(even_f64, double, even_float_bin(key, &of))

/* Narrow floats are widened in a loop of their own: gcc makes no vectors of a widening beside a choice, as it might
 * trap. */
#define WIDENED 256
#define EVEN_NARROW(name, ctype, wide)                                                     \
    static void even_##name(const void *keys, size_t n, const sk_bins *bins, uint32_t *to) \
    {                                                                                      \
        const ctype *from = keys;                                                          \
        double widened[WIDENED];                                                           \
        for (size_t done = 0, some; done < n; done += some) {                              \
            some = sk_min(WIDENED, n - done);                                              \
            for (size_t i = 0; i < some; i++)                                              \
                widened[i] = (double)wide(from[done + i]);                                 \
            even_f64(widened, some, bins, to + done);                                      \
        }                                                                                  \
    }
EVEN_NARROW(f16, scankit_f16, sk_f32_from_f16)
EVEN_NARROW(f32, float, )

sk_find_bins_function *SK_ISA_NAME(sk_find_bins)(scankit_type type, scankit_binning kind)
{
#define X(enumerator, name, ctype, number_kind) [SCANKIT_##enumerator] = {any_##name, even_##name},
    static sk_find_bins_function *const find[][2] = {SCANKIT_TYPES(X)};
#undef X
    return find[type][kind == SCANKIT_BINS_EVEN];
}
