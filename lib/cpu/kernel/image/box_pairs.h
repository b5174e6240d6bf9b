/* box_pairs.h - windows of columns of u16, of one channel: an instruction sums pairs of columns, and half as many
 * registers are scanned. The other sums are those less the second of each pair. */
#ifndef SK_BOX_PAIRS_H
#define SK_BOX_PAIRS_H

#include "lane_loads.h"

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

/* Of both columns of each pair: sums of their windows; or differences, of the whole pair and of its second column. */
typedef struct pair_sums {
    lanes_u32 even, odd;
} pair_sums;

/* The instruction takes signed numbers: the differences of columns that are all less by 2^15 are the same. */
SK_INLINE pair_sums pair_differences(bits_32 enter, bits_32 leave)
{
    const bits_32 sign = (bits_32){0} + 0x80008000, both = (bits_32){0} + 0x00010001,
                  second = (bits_32){0} + 0x00010000;
    const bits_32 x = enter ^ sign, y = leave ^ sign;
    return (pair_sums){SUM_PAIRS(x, both) - SUM_PAIRS(y, both), SUM_PAIRS(x, second) - SUM_PAIRS(y, second)};
}

/* Scans the whole pairs. */
SK_INLINE pair_sums scan_of_pairs(pair_sums differences)
{
    STEPS(u32, 32, differences.even, 1)
    return differences;
}

SK_INLINE pair_sums sums_behind(pair_sums scan, lanes_u32 *before)
{
    const lanes_u32 odd = *before + scan.even;
    *before += CARRY(u32, 32, scan.even, 1);
    return (pair_sums){odd - scan.odd, odd};
}

static void windows_u16_1(const void *enter, const void *leave, void *carry, void *sums, size_t n)
{
    const char *in = enter, *out = leave;
    char *to = sums;
    lanes_u32 before;
    memcpy(&before, carry, REGISTER);
    for (size_t at = 0; at < n * sizeof(uint16_t); at += REGISTER, to += 2 * REGISTER) {
        const bits_32 x = (bits_32) * (const unaligned_bits *)(in + at),
                      y = (bits_32) * (const unaligned_bits *)(out + at);
        const pair_sums pairs = sums_behind(scan_of_pairs(pair_differences(x, y)), &before);
        *(unaligned_bits *)to = (unaligned_bits)TURNS_OF(pairs.even, pairs.odd, 0);
        *(unaligned_bits *)(to + REGISTER) = (unaligned_bits)TURNS_OF(pairs.even, pairs.odd, LANES_32 / 2);
    }
    memcpy(carry, &before, REGISTER);
}

#endif
