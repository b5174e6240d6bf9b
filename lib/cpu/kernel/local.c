/* local.c - the sort of one thread, of what fits its L2: some radix passes over the leading bits that differ, only
 * enough to tell most keys apart, and then the few runs of keys that are equal there. */
#include "shapes.h"

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

#define TEMPLATE "local.inc"
#include "shapes.inc"

#define X(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(local, k, v),
sk_local_sort *const SK_ISA_NAME(sk_local_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X
