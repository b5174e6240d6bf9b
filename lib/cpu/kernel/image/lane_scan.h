/* lane_scan.h - scans of the elements of pixels by registers: in log2 steps, each lane adds the lane of its channel
 * that lies twice as far before as in the step before it (Hillis and Steele 1986). */
#ifndef SK_LANE_SCAN_H
#define SK_LANE_SCAN_H

#include "cpu/kernel/lanes.h"

/* The numbers from `first` up. */
#define FROM_2(first) (first), (first) + 1
#define FROM_4(first) FROM_2(first), FROM_2((first) + 2)
#define FROM_8(first) FROM_4(first), FROM_4((first) + 4)
#define FROM_16(first) FROM_8(first), FROM_8((first) + 8)

/* The numbers from `base` up, by turns of `channels` of them, beginning with number `first`. */
#define TURNS_2(base, first, channels) (base) + (first) % (channels), (base) + ((first) + 1) % (channels)
#define TURNS_4(base, first, channels) TURNS_2(base, first, channels), TURNS_2(base, (first) + 2, channels)
#define TURNS_8(base, first, channels) TURNS_4(base, first, channels), TURNS_4(base, (first) + 4, channels)
#define TURNS_16(base, first, channels) TURNS_8(base, first, channels), TURNS_8(base, (first) + 8, channels)

#if REGISTER == 64
#define LANES_32 16
#define LANES_64 8
#elif REGISTER == 32
#define LANES_32 8
#define LANES_64 4
#else
#define LANES_32 4
#define LANES_64 2
#endif

typedef uint32_t bits_32 __attribute__((vector_size(REGISTER)));
typedef uint64_t bits_64 __attribute__((vector_size(REGISTER)));
typedef char unaligned_bits __attribute__((vector_size(REGISTER), aligned(1), may_alias));

typedef sk_u32 lanes_u32 __attribute__((vector_size(REGISTER)));
typedef sk_u64 lanes_u64 __attribute__((vector_size(REGISTER)));
typedef sk_f32 lanes_f32 __attribute__((vector_size(REGISTER)));
typedef sk_f64 lanes_f64 __attribute__((vector_size(REGISTER)));

/* Lane i gets lane i - distance, the lowest ones get 0. No step where the distance passes a register. */
#define STEP(T, bits, x, distance)                         \
    if ((distance) < LANES_##bits)                         \
        x += (lanes_##T)SK_SHUFFLE(                        \
            bits_##bits, (bits_##bits){0}, (bits_##bits)x, \
            SK_PASTE(FROM_, LANES_##bits)(LANES_##bits - ((distance) < LANES_##bits ? (distance) : 0)));
#if defined(__AVX2__) && REGISTER == 32
#include <immintrin.h>

/* A register shifts within 16 bytes by one instruction, and across these by two. So halves are scanned, and the last
 * pixel of the lower one is added to the upper one. */
#define SCANS_HALVES(T, bits, channels) ((bits) == 32 && (channels) < 3 && (sk_##T)0.5f == 0)
SK_INLINE bits_64 scan_halves(bits_64 given, unsigned channels)
{
    __m256i x = (__m256i)given, last;
    if (channels == 1)
        x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    last = channels == 1 ? _mm256_shuffle_epi32(x, 0xff) : _mm256_shuffle_epi32(x, 0xee);
    return (bits_64)_mm256_add_epi32(x, _mm256_permute2x128_si256(last, last, 0x08));
}
#else
#define SCANS_HALVES(T, bits, channels) false
#define scan_halves(x, channels) (x)
#endif

/* Floats keep one order of additions. */
#define STEPS(T, bits, x, channels)                                       \
    if (SCANS_HALVES(T, bits, channels))                                  \
        x = (lanes_##T)scan_halves((bits_64)x, channels);                 \
    else {                                                                \
        STEP(T, bits, x, channels)                                        \
        STEP(T, bits, x, 2 * (channels))                                  \
        STEP(T, bits, x, 4 * (channels)) STEP(T, bits, x, 8 * (channels)) \
    }

/* What stands before each lane of the next register: the last lane of its channel. */
#define CARRY(T, bits, x, channels)                                     \
    (lanes_##T) SK_SHUFFLE(bits_##bits, (bits_##bits)x, (bits_##bits)x, \
                           SK_PASTE(TURNS_, LANES_##bits)(LANES_##bits - (channels), 0, channels))

#endif
