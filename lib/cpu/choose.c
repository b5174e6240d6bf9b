/* choose.c - the CPU's choices of algorithms, with every threshold and its reason. */
#include "choose.h"

/* A pass of a radix sort handles all counters of a digit, however few the keys are. Up to this many keys one thread's
 * own sort is faster. */
#define RADIX_FEW ((size_t)256)

/* From this size on, a tile would hold few elements, and its buffer would leave the L2: threads share each element. */
#define LONG_BYTES ((size_t)32 << 10)

static const char *const names[] = {
#define X(enumerator, name, text, source) [SK_CPU_##enumerator] = name,
    SK_CPU_ALGORITHMS(X)
#undef X
};

void sk_cpu_ran(sk_device *device, sk_cpu_algorithm algorithm)
{
    device->algorithm = names[algorithm];
}

static bool is_worth_counting(const sk_sort_facts *facts)
{
    unsigned key_size = facts->shape.key_size;
    return facts->shape.value_size == 0 && key_size <= 2 && facts->bits == 8 * key_size &&
           facts->n >= SK_COUNTING_KEYS(key_size);
}

/* One thread of a Xeon with AVX-512 sorts 2^6, 2^10 and 2^14 u16 as words at 890, 910 and 517 million a second, and as
 * they are at 150, 380 and 420; with AVX2 at 490, 288 and 254, and at 139, 342 and 372. */
#define WORDS_BY_REGISTERS 513

size_t sk_choose_words(unsigned key_size, bool in_registers, bool by_pivots)
{
    const size_t most = by_pivots ? SIZE_MAX : in_registers ? WORDS_BY_REGISTERS : 0;
    if (key_size > 2)
        return 0;
    return most < SK_COUNTING_KEYS(key_size) ? most : SK_COUNTING_KEYS(key_size);
}

/* Keys alone that one thread sorts best by itself, although they leave the L2. By pivots a Zen 4, with 1 MiB of L2,
 * sorts 2^22 and 2^26 u32 at 330 and 260 million a second (hybrid: 230 and 220), but 2^20 and 2^24 u64 at 222 and 165
 * (195 and 173). By digits, 2^20 u32 at 285 (210) and 2^19 u64 at 280 (231). */
static size_t local_keys(const sk_sort_facts *facts)
{
    bool wide = facts->shape.key_size == 8;
    if (facts->by_pivots)
        return wide && !facts->in_place ? (size_t)1 << 23 : SIZE_MAX;
    return SK_LOCAL_KEYS(facts->shape.key_size);
}

/* Keys that threads sort by pivots together, at most. Two threads of a Zen 4 sort 2^22 u32 at 780 million a second by
 * pivots (hybrid with a count: 470), and 2^22 u64 at 420 (330). Four of a Xeon sort 2^22 and 2^26 u32 at 610 and 422
 * (hybrid: 525 and 463), 2^26 u64 at 256 with a count, and 271. */
#define PIVOT_KEYS_SHARED ((size_t)1 << 24)

/* Of 8 bytes, two threads sort fewer so: of a Zen 4 2^22, 2^23 and 2^24 u64 at 274, 248 and 220 million a second by
 * pivots (hybrid: 250, 250 and 252), of a Xeon 2^24 at 256 (285); 2^25 i64 at 210 (231), f64 at 209 (222). */
#define PIVOT_KEYS_OF_TWO ((size_t)1 << 23)

/* Keys of 4 bytes: two threads of a Zen 4 sort 2^24, 2^25 and 2^26 u32 at 479, 447 and 360 million a second by pivots
 * (hybrid: 462, 458 and 449), 2^26 i32 at 406 (437), f32 at 396 (427), in place 2^26 u32 at 432 (448). Of a Xeon 2^26
 * u32 at 461 (508). */
#define PIVOT_WORDS_OF_TWO ((size_t)1 << 25)

/* One thread, and all of the data within its L2, or keys that it sorts as fast beyond. */
static bool is_local(const sk_sort_facts *facts)
{
    size_t size = (size_t)facts->shape.key_size + facts->shape.value_size;
    bool chosen = facts->wanted == SCANKIT_HYBRID;
    size_t most = facts->in_registers && !chosen ? local_keys(facts) : SK_LOCAL_BYTES / size;
    return facts->threads == 1 && facts->n <= most;
}

/* Of 8 bytes that are encoded on the way, by a thread alone: see also hybrid.c. */
#define PIVOT_KEYS_OF_ONE ((size_t)1 << 24)

static size_t most_for_pivots(const sk_sort_facts *facts)
{
    const bool narrow = facts->shape.key_size == 4;
    if (facts->in_place)
        return SIZE_MAX;
    switch (facts->pivot_threads) {
    case 1: return narrow ? SIZE_MAX : PIVOT_KEYS_OF_ONE;
    case 2: return narrow ? PIVOT_WORDS_OF_TWO : PIVOT_KEYS_OF_TWO;
    default: return PIVOT_KEYS_SHARED;
    }
}

/* Few threads, and more keys than one sorts in its L2. A single thread sorts so where keys are encoded on the way. */
static bool is_for_pivots(const sk_sort_facts *facts)
{
    const int threads = facts->pivot_threads;
    const bool enough = threads > 1 ? facts->n >= SK_PIVOT_KEYS : facts->encodes && facts->n >= SK_PIVOT_KEYS_ALONE;
    return facts->by_pivots && facts->wanted == SCANKIT_AUTO && enough && threads <= SK_PIVOT_THREADS &&
           facts->n <= most_for_pivots(facts);
}

sk_cpu_algorithm sk_choose_sort(const sk_sort_facts *facts)
{
    switch (facts->wanted) {
    case SCANKIT_RADIX: return facts->n <= RADIX_FEW ? SK_CPU_LOCAL : SK_CPU_RADIX;
    case SCANKIT_CHUNK_MERGE: return SK_CPU_CHUNK_MERGE;
    case SCANKIT_AUTO:
        if (facts->order == SK_ORDER_RISING)
            return SK_CPU_SORTED;
        if (facts->order == SK_ORDER_FALLING)
            return SK_CPU_REVERSED;
        if (is_worth_counting(facts))
            return SK_CPU_COUNTING;
        if (facts->heavy)
            return SK_CPU_HEAVY;
        if (facts->one_digit)
            return SK_CPU_RADIX;
        break;
    case SCANKIT_HYBRID: break;
    }
    if (is_for_pivots(facts))
        return SK_CPU_PIVOTS;
    if (is_local(facts))
        return SK_CPU_LOCAL;
    if (facts->by_records)
        return SK_CPU_RECORDS;
    return facts->in_place ? SK_CPU_HYBRID_IN_PLACE : SK_CPU_HYBRID;
}

/* A bucket that is this many times as full as the mean is too large for one thread's sort by words. Its records become
 * columns again: two threads of a Zen 4 sort 2^22 u64 with u64, with 16 values, at 305 million a second so, and at 399
 * by columns alone; with Zipf's frequencies at 117 and 147. */
#define CROWDED 8

bool sk_choose_records(double fullest, size_t buckets)
{
    return fullest * (double)buckets < CROWDED;
}

/* One thread sorts uneven wide keys by pivots, however many they are. One of a Zen 4 sorts 2^26 u64 with Zipf's
 * frequencies at 165 million a second so, and at 154 by digits; clustered ones at 117 and 104, uniform ones at 133 and
 * 161. In the fullest of 2048 buckets these have 113, 167 and 6 times the mean; the fullest of exponential ones, which
 * digits sort as fast as uniform ones, has 11. */
#define UNEVEN 16

bool sk_choose_pivots(double fullest, size_t buckets)
{
    return fullest * (double)buckets >= UNEVEN;
}

/* One thread of a Zen 4 splits 64 MiB by two bits at 1.2 and 0.63 billion u32 and u64 a second so. As by a wide digit
 * it was at 0.64 and 0.44 before few digits were counted in a register (kernel/sort/staged.c); u32 with u32 at 0.49 and
 * 0.34, but u64 with u64 at 0.23 and 0.28. By three bits, keys of 8 bytes were at 0.42 and 0.57.
 *
 * With AVX2 a table of shuffles moves four u64 at a time: one thread of a Zen 3 splits u64 by two bits at 0.32 so, and
 * at 0.47 as by a wide digit; u32 at 0.67 and 0.66. */
#define TWO_BITS_BYTES 8
#define TWO_BITS_BYTES_BY_TABLE 4

bool sk_choose_few_ways(sk_shape shape, unsigned bits, bool compresses)
{
    const unsigned most = compresses || shape.value_size > 0 ? TWO_BITS_BYTES : TWO_BITS_BYTES_BY_TABLE;
    return bits == 1 || (bits == 2 && shape.key_size + shape.value_size <= most);
}

/* Longer elements than these are not worth a stage. */
#define STAGED_ELEMENT 64

bool sk_choose_two_ways(size_t element_size)
{
    return element_size <= STAGED_ELEMENT;
}

/* A thread's table of 4 bytes a bin that leaves the caches by itself, one that leaves the second cache, and all tables
 * that leave the third one. Billions a second by tables and by parts: two cores of a Zen 3, 2^24 u32 in 2^20 bins 0.48
 * and 0.52, in 2^21 bins 0.15 and 0.50; by one thread 0.51 and 0.38, and 0.07 and 0.26. A Xeon, 2^26 u32 in 2^20 bins
 * by 2, 4, 8 and 16 threads: 0.74 and 0.48, 1.8 and 1.2 to 1.7, 2.5 to 2.9 and 2.3 to 2.6, 1.8 to 2.4 and 3.9 to 4.2.
 */
#define TABLE_BYTES_MOST ((size_t)8 << 20)
#define TABLE_BYTES ((size_t)1 << 20)
#define TABLES_BYTES ((size_t)64 << 20)

bool sk_choose_parts(size_t bins, int threads)
{
    const size_t table = bins * sizeof(uint32_t);
    return table >= TABLE_BYTES_MOST || (table >= TABLE_BYTES && (size_t)threads * table >= TABLES_BYTES);
}

sk_cpu_algorithm sk_choose_compact(size_t element_size, bool moves)
{
    return moves && element_size >= LONG_BYTES ? SK_CPU_ELEMENT_WISE : SK_CPU_SINGLE_PASS;
}

sk_cpu_algorithm sk_choose_encode(size_t element_size)
{
    return element_size >= LONG_BYTES ? SK_CPU_ELEMENT_WISE : SK_CPU_SINGLE_PASS;
}

sk_cpu_algorithm sk_choose_decode(size_t element_size)
{
    return element_size >= LONG_BYTES ? SK_CPU_ELEMENT_WISE : SK_CPU_EXPAND;
}
