/* box_pairs.h - windows of columns of u16, of one channel: an instruction sums pairs of columns, and half as many
 * registers are scanned. The other sums are those less the second of each pair. */
#ifndef SK_BOX_PAIRS_H
#define SK_BOX_PAIRS_H

#include "lane_scan.h"

#if defined(__AVX512F__)
#define SUM_PAIRS(x, weights) (lanes_u32) _mm512_madd_epi16((__m512i)(x), (__m512i)(weights))
#elif defined(__AVX2__)
#define SUM_PAIRS(x, weights) (lanes_u32) _mm256_madd_epi16((__m256i)(x), (__m256i)(weights))
#else
#define SUM_PAIRS(x, weights) (lanes_u32) _mm_madd_epi16((__m128i)(x), (__m128i)(weights))
#endif

/* The lanes of two registers by turns: the first halves, and the second ones. */
#define TURNS_OF(x, y, first) \
    SK_SHUFFLE(bits_32, (bits_32)x, (bits_32)y, SK_PASTE(SK_TURNS_, LANES_32)(first, LANES_32))

/* The sums of both columns of each pair's windows. */
typedef struct pair_sums {
    lanes_u32 even, odd;
} pair_sums;

/* The instruction takes signed numbers: the differences of columns that are all less by 2^15 are the same. */
SK_INLINE pair_sums sums_of_pairs(const void *enter, const void *leave, lanes_u32 *before)
{
    const bits_32 sign = (bits_32){0} + 0x80008000, both = (bits_32){0} + 0x00010001,
                  second = (bits_32){0} + 0x00010000;
    const bits_32 x = (bits_32) * (const unaligned_bits *)enter ^ sign;
    const bits_32 y = (bits_32) * (const unaligned_bits *)leave ^ sign;
    lanes_u32 scan = SUM_PAIRS(x, both) - SUM_PAIRS(y, both);
    pair_sums sums;
    STEPS(u32, 32, scan, 1)
    sums.odd = *before + scan;
    sums.even = sums.odd - (SUM_PAIRS(x, second) - SUM_PAIRS(y, second));
    *before += CARRY(u32, 32, scan, 1);
    return sums;
}

static void windows_u16_1(const void *enter, const void *leave, void *carry, void *sums, size_t n)
{
    const char *in = enter, *out = leave;
    char *to = sums;
    lanes_u32 before;
    memcpy(&before, carry, REGISTER);
    for (size_t at = 0; at < n * sizeof(uint16_t); at += REGISTER, to += 2 * REGISTER) {
        const pair_sums pairs = sums_of_pairs(in + at, out + at, &before);
        *(unaligned_bits *)to = (unaligned_bits)TURNS_OF(pairs.even, pairs.odd, 0);
        *(unaligned_bits *)(to + REGISTER) = (unaligned_bits)TURNS_OF(pairs.even, pairs.odd, LANES_32 / 2);
    }
    memcpy(carry, &before, REGISTER);
}

/* Stores 16-bit lanes, all below 256, as bytes. */
SK_INLINE void store_bytes(char *to, bits_32 x)
{
#if defined(__AVX512F__)
    _mm256_storeu_si256((void *)to, _mm512_cvtepi16_epi8((__m512i)x));
#elif defined(__AVX2__)
    const __m256i bytes = _mm256_packus_epi16((__m256i)x, (__m256i)x);
    _mm_storeu_si128((void *)to, _mm256_castsi256_si128(_mm256_permute4x64_epi64(bytes, 0x08)));
#else
    _mm_storel_epi64((void *)to, _mm_packus_epi16((__m128i)x, (__m128i)x));
#endif
}

/* The means of sums less the middle, in the lowest bytes. The next ones are 0. */
SK_INLINE bits_32 means_of_lanes(lanes_u32 sums, float inverse)
{
#if defined(__AVX512F__)
    const lanes_f32 real = (lanes_f32)_mm512_cvtepi32_ps((__m512i)sums);
#elif defined(__AVX2__)
    const lanes_f32 real = (lanes_f32)_mm256_cvtepi32_ps((__m256i)sums);
#else
    const lanes_f32 real = (lanes_f32)_mm_cvtepi32_ps((__m128i)sums);
#endif
    return (bits_32)(real * inverse + SK_NO_FRACTION);
}

/* Windows and their means in one: the sums stay in registers, in two halves that means join again. */
static void window_means(const void *enter, const void *leave, void *carry, const sk_box_divisor *by, void *out,
                         size_t n)
{
    const char *in = enter, *last = leave;
    char *to = out;
    lanes_u32 before;
    memcpy(&before, carry, REGISTER);
    before -= (uint32_t)by->middle;
    for (size_t at = 0; at < n * sizeof(uint16_t); at += REGISTER, to += REGISTER / 2) {
        const pair_sums pairs = sums_of_pairs(in + at, last + at, &before);
        const bits_32 even = means_of_lanes(pairs.even, by->narrow_inverse);
        const bits_32 odd = means_of_lanes(pairs.odd, by->narrow_inverse);
        store_bytes(to, (even & 0xffff) | odd << 16);
    }
    before += (uint32_t)by->middle;
    memcpy(carry, &before, REGISTER);
}

#endif
