/* neon.h - masks of bits on aarch64's NEON, which has no instruction that makes them. */
#ifndef SK_NEON_H
#define SK_NEON_H

#include <arm_neon.h>

#include "order.h"

/* Bit i is set where byte i of the four registers is 255; the others are 0. Each byte keeps the bit of its place, and
 * sums of neighbours join eight of them three times. */
SK_INLINE uint64_t sk_neon_mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    const uint8x16_t place = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t low = vpaddq_u8(vandq_u8(a, place), vandq_u8(b, place));
    uint8x16_t high = vpaddq_u8(vandq_u8(c, place), vandq_u8(d, place));
    uint8x16_t all = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

#endif
