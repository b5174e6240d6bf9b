/* local.c - the sort of one thread, of what fits its L2. Keys alone, where registers are wide: sorts in registers and
 * merges of them, of wide keys by narrow words; of more keys, partitions by pivots where lanes can be compressed, or
 * one radix pass by the leading bits that differ, then these by digit. Pairs, where registers are widest: words that
 * say where a key lies, as keys alone. Otherwise some radix passes over the leading bits that differ, only enough to
 * tell most keys apart, and then the few runs of keys that are equal there. */
#include "cpu/kernel/lanes.h"
#include "cpu/kernel/stream.h"

#include <stdatomic.h>

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

/* Keys alone are sorted by digits where a sort in registers has no partitions beside it. */
#define SORTS_DIGITS (SK_NETWORK_ROWS > 0 && !SK_HAS_PIVOTS)

#if SORTS_DIGITS
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

/* Keys of one digit are uneven too, if the digits are, so that more of them are merged. */
#define MERGED_PART ((size_t)1 << 12)
#endif

#if SK_NETWORK_ROWS > 0
/* Up to this many keys merges are faster than all else, if the blocks that they begin with are full. A Zen 4 sorts
 * 2^14 and 2^16 u32 at 600 and 495 million a second by merges, at 580 and 503 by pivots. */
#if REGISTER == 64
#define MERGED_KEYS(size) ((size_t)((size) == 4 ? 1 << 15 : 1 << 11))
#else
#define MERGED_KEYS(size) ((size_t)((size) == 4 ? 1 << 11 : 0))
#endif

/* Up to this many, blocks need not be full. More are parted by pivots where there are any: by digits up to 2^17, where
 * L2 has room, u64 are 10 to 25% slower on two Xeons. */
#define FEW_KEYS ((size_t)1 << 11)

/* True if merges sort n keys best: a block that is not full takes as long as a full one. */
static inline bool is_merged(size_t n, size_t size)
{
    size_t blocks = 1, block = SK_NETWORK_KEYS(size);
    if (n <= block || n > MERGED_KEYS(size))
        return false;
    while (blocks * block < n)
        blocks *= 2;
    return n <= FEW_KEYS || n >= blocks * block / 8 * 7;
}
#endif

/* Keys of 8 bytes alone, more than the one and up to the other, are sorted by narrow words. One thread of a Zen 4 sorts
 * 2^10, 2^11 and 2^12 u64 at 393, 370 and 370 million a second so, and at 376, 337 and 272 as they are; 2^22 by pivots
 * and words of up to 2^11, 2^12 and 2^13 keys at 158, 160 and 154, and at 147 without. Of more keys more words lead
 * alike. */
#define NARROWED_ABOVE ((size_t)1 << 9)
#define NARROWED_MOST ((size_t)1 << 12)

static inline bool is_narrowed(size_t n, size_t size)
{
    return REGISTER == 64 && size == 8 && n > NARROWED_ABOVE && n <= NARROWED_MOST;
}

/* Keys alone that are spread evenly, more than the one and up to the other, are sorted by bins. */
#define BINNED_ABOVE(size) ((size_t)((size) == 4 ? 1 << 11 : 1 << 9))
#define BINNED_MOST(size) ((size) == 4 ? SK_BINNED_MOST : (size_t)3 << 14)

/* A sort of parts no longer tries narrow words where these fail: a try that fails early costs little, one that fails
 * late a third of the sort. */
#define TRUST_FIRST 1
#define TRUST_MOST 4

/* Where bins fail, the next parts are not tried: one at first, twice as many and one each time, up to as many. */
#define SKIPPED_MOST 63

typedef struct trust {
    unsigned skip, skipped; /* parts that bins are not tried for: still, and the last time */
    int narrow;             /* in narrow words */
} trust;

#define TRUST_NONE ((trust){~0u, 0, 0})
#define TRUST_ALL ((trust){0, 0, TRUST_FIRST})

#if SK_HAS_PIVOTS
static atomic_bool uses_bins[2]; /* keys of 4 bytes, and of 8 */

void SK_ISA_NAME(sk_use_bins)(unsigned key_size, bool yes)
{
    atomic_store_explicit(&uses_bins[key_size / 8], yes, memory_order_relaxed);
}

static bool is_binned(size_t n, size_t size)
{
    return n > BINNED_ABOVE(size) && n <= BINNED_MOST(size) &&
           atomic_load_explicit(&uses_bins[size / 8], memory_order_relaxed);
}
#else
static bool is_binned(size_t n, size_t size)
{
    (void)n, (void)size;
    return false;
}
#endif

/* Pairs are sorted as words where registers are wide: one thread of a Zen 4 sorts 2^14 u32 with u32 at 235 million a
 * second, by passes at 150. With AVX2 it is 100 and 120. */
#if REGISTER == 64
#define SORTS_WORDS 1
#include "cpu/kernel/sort/words/words.h"
#else
#define SORTS_WORDS 0
#endif

#define TEMPLATE "cpu/kernel/sort/local.inc"
#include "cpu/kernel/shapes.inc"

#if SORTS_WORDS
/* known: of the data that words are made of. */
static void sort_narrow_words(sk_key_32 *word, void *scratch, size_t n, trust known)
{
    SK_NAME(sort_whole, 32, 0)(NULL, NULL, word, scratch, word, n, known);
}

/* True if too many of the first narrow words lead alike: all would be sorted in vain. */
static bool begin_alike(const sk_key_32 *word, const word_form *form, void *scratch, size_t n)
{
    enum { FEWEST = 1024, PART = 16, ALIKE = 32 };
    const size_t some = n < FEWEST ? 0 : n / PART;
    sk_key_32 *first = scratch;
    if (some == 0)
        return false;
    memcpy(first, word, some * sizeof *first);
    sort_narrow_words(first, first + some, some, TRUST_NONE);
    return count_ties(first, form, some) > some / ALIKE;
}

/* Never inline: narrow words are sorted a fifth slower by a function with so large a frame. */
static __attribute__((noinline)) void sort_wide_words(sk_key_64 *word, size_t n)
{
    uint64_t room[SK_LOCAL_ROOM(FEW_KEYS)];
    SK_NAME(sort_whole, 64, 0)(NULL, NULL, word, room, word, n, TRUST_NONE);
}
#endif

#define X(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(local, k, v),
sk_local_sort *const SK_ISA_NAME(sk_local_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X

sk_local_values *const SK_ISA_NAME(sk_local_values_table)[] = {[2] = local_values_32_0, [3] = local_values_64_0};

#if SORTS_WORDS
const sk_record_kernels SK_ISA_NAME(sk_record_table)[] = {
    SK_SHAPE_ROW(32, 32) = {sort_records_32_32, unpack_records_32_32},
    SK_SHAPE_ROW(64, 64) = {sort_records_64_64, unpack_records_64_64},
};
#endif
