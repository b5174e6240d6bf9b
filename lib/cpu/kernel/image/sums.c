/* sums.c - sums of the channels of pixels, in lanes that all numbers of channels divide. */
#include "cpu/kernel/lanes.h"

/* VECTORS registers are a whole number of SK_CHANNEL_LANES with any instruction set. */
#define VECTORS 6

#define ADD_LANES(T, S)                                                                  \
    typedef sk_##T lanes_##T __attribute__((vector_size(REGISTER)));                     \
    typedef char bits_##T __attribute__((vector_size(REGISTER), aligned(1), may_alias)); \
    void SK_ISA_NAME(sk_add_lanes_##T)(const void *in, size_t n, void *sums)             \
    {                                                                                    \
        enum { LANES = VECTORS * REGISTER / sizeof(sk_##T) };                            \
        const sk_##T *x = in;                                                            \
        sk_##S *sum = sums;                                                              \
        lanes_##T all[VECTORS] = {0};                                                    \
        sk_##T lane[LANES];                                                              \
        size_t i = 0;                                                                    \
        for (; i + LANES <= n; i += LANES)                                               \
            SK_UNROLL for (unsigned v = 0; v < VECTORS; v++) all[v] +=                   \
                (lanes_##T) * (const bits_##T *)((const char *)(x + i) + v * REGISTER);  \
        memcpy(lane, all, sizeof all);                                                   \
        for (size_t l = 0; l < LANES; l++)                                               \
            sum[l % SK_CHANNEL_LANES] += lane[l];                                        \
        for (; i < n; i++)                                                               \
            sum[i % SK_CHANNEL_LANES] += x[i];                                           \
    }
ADD_LANES(u32, u64)
ADD_LANES(f64, f64)
