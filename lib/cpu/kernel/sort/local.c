/* local.c - the sort of one thread, of what fits its L2. Keys alone, where registers are wide: sorts in registers and
 * merges of them; of more keys, one radix pass by the leading bits that differ, then these by digit. Otherwise some
 * radix passes over the leading bits that differ, only enough to tell most keys apart, and then the few runs of keys
 * that are equal there. */
#include "cpu/kernel/lanes.h"

#define LOCAL_PASSES 3
#define LOCAL_DIGIT_BITS 8 /* the lines that a pass writes to at a time stay in L1 */
#define LOCAL_DIGITS (1 << LOCAL_DIGIT_BITS)
#define LOCAL_INSERTION 24 /* keys that are quicker sorted by insertion */

/* Bits to sort by, of the `span` bits in which n keys differ: all of them if the passes suffice, else enough to tell
 * most keys apart. */
static unsigned local_bits(size_t n, unsigned span)
{
    const unsigned all = LOCAL_PASSES * LOCAL_DIGIT_BITS;
    unsigned enough = 64 - (unsigned)__builtin_clzll(n) + 4;
    unsigned most = n >= 4096 || enough > all ? all : enough;
    return span < most ? span : most;
}

#if SK_NETWORK_ROWS > 0
/* Up to this many digits, finer ones pay although the lines that a pass writes to leave L1: 8, 9 and 10 bits sort 2^25
 * u32 at 187, 194 and 206 million a second on a Zen 4. 2^18 keys, more than a bucket has, need 12. */
#define SPLIT_BITS 12

/* Bits of a pass with at least this many digits, of the `span` bits in which keys differ. */
static unsigned network_bits(size_t digits, unsigned span)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(digits);
    bits = bits < SPLIT_BITS ? bits : SPLIT_BITS;
    return bits < span ? bits : span;
}
#endif

/* Up to this many keys merges are faster than digits and networks, and take the same time for all keys. A Zen 4 sorts
 * 512, 4096 and 65536 u32 at 1134, 777 and 498 million a second by merges, at 471, 513 and 484 by digits. Past that
 * digits gain 10%, but on a Xeon (Sapphire Rapids) merges are far ahead: 2^18 u32 at 231 and 133. With AVX2 2048 keys
 * are even. */
#if REGISTER == 64
#define MERGED_KEYS(size) ((size_t)((size) == 4 ? 1 << 20 : 1 << 10))
#else
#define MERGED_KEYS(size) ((size_t)((size) == 4 ? 1 << 11 : 0))
#endif
/* Keys of one digit are uneven too, if the digits are, so that more of them are merged. */
#define MERGED_PART(size) ((size_t)(REGISTER == 64 ? ((size) == 4 ? 1 << 20 : 1 << 14) : 1 << 12))

#define TEMPLATE "cpu/kernel/sort/local.inc"
#include "cpu/kernel/shapes.inc"

#define X(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(local, k, v),
sk_local_sort *const SK_ISA_NAME(sk_local_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X
