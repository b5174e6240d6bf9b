// buckets.cuh - counts keys by the leading bits of their projections, and places the buckets (after Stehle and
// Jacobsen, A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs, 2017).
#ifndef SK_CUDA_BUCKETS_CUH
#define SK_CUDA_BUCKETS_CUH

#include "common/aggregate.cuh"
#include "common/block_sum.cuh"
#include "common/thread.cuh"
#include "device/host_word.cuh"
#include "sort/bins/fine_bins.cuh"
#include "sort/radix/digits.cuh"
#include "sort/survey/cdf_map.cuh"

// ---- counting ----

constexpr int COUNT_PERIOD = 32 << 10; // keys per block between two checks for counters that are half full

// Where the word of a counter is. Otherwise numbers that differ in their first or middle bits alone would be in one
// bank of shared memory. Keys in order with their bits reversed have such numbers. It is its own inverse.
__device__ __forceinline__ unsigned spread_word(unsigned word)
{
    return word ^ (word >> 5 & (WARP - 1)) ^ (word >> 10 & (WARP - 1));
}

// The same for counters of 16 bits, two in a word.
__device__ __forceinline__ unsigned spread_half(unsigned counter)
{
    return 2 * spread_word(counter / 2) + counter % 2;
}

// What the first lane counts, and what the last one does: most of a warp's keys have one of both if keys are in order.
struct outer_lanes {
    first_lane first;
    unsigned last, same_as_last;
    explicit __device__ __forceinline__ outer_lanes(unsigned own)
        : first(own), last(warp_from(own, WARP - 1)), same_as_last(__ballot_sync(FULL_WARP, own == last))
    {
    }
    __device__ __forceinline__ unsigned count_of_last() const
    {
        return unsigned(__popc(same_as_last));
    }
    __device__ __forceinline__ bool are_many() const
    {
        return first.count() + count_of_last() >= WARP / 2;
    }
};

// The same for a whole warp, by one atomic for all lanes that count what the first lane counts, and one for the last's.
__device__ __forceinline__ void count_together(uint32_t *counters, unsigned which)
{
    outer_lanes outer(which);
    if (lane_id() == 0)
        atomicAdd(&counters[which / 2], outer.first.count() << which % 2 * 16);
    else if (which != outer.first.number) {
        if (lane_id() == WARP - 1)
            atomicAdd(&counters[which / 2], outer.count_of_last() << which % 2 * 16);
        else if (which != outer.last)
            count_one(counters, which);
    }
}

// Adds to two neighbouring sums by one atomic. The first one has an even place, and no sum exceeds 32 bits.
__device__ __forceinline__ void add_two(unsigned *sums, unsigned first, unsigned second)
{
    atomicAdd(reinterpret_cast<unsigned long long *>(sums), first | (unsigned long long)second << 32);
}

// Takes `take` out of the two counters at word `at`, which are spread, and adds it to the sums in global memory.
__device__ __forceinline__ void move_counters(uint32_t *counters, unsigned at, uint32_t take, unsigned *sums)
{
    if (take == 0)
        return;
    counters[at] -= take;
    add_two(&sums[2 * spread_word(at)], take & 0xffff, take >> 16);
}

// A thread's vectors of a step of its block.
template <class K> struct counted_vectors {
    static constexpr size_t EACH = COUNT_THREADS * COUNT_VECTORS;
    uint4 vector[COUNT_VECTORS];

    static __device__ __forceinline__ size_t place(size_t begin, int i)
    {
        return begin + i * COUNT_THREADS + threadIdx.x;
    }
    __device__ __forceinline__ void load(const key_vectors<K> &vectors, size_t begin)
    {
#pragma unroll
        for (int i = 0; i < COUNT_VECTORS; i++)
            if (place(begin, i) < vectors.whole)
                vector[i] = __ldcs(&vectors.first[place(begin, i)]);
    }
    __device__ __forceinline__ K sample() const
    {
        return reinterpret_cast<const K *>(&vector[0])[0];
    }
    // `whole` of the array's vectors are there; SIZE_MAX: no test.
    template <class Do> __device__ __forceinline__ void for_all(size_t begin, size_t whole, Do act) const
    {
#pragma unroll
        for (int i = 0; i < COUNT_VECTORS; i++)
            if (whole == SIZE_MAX || place(begin, i) < whole)
                key_vectors<K>::for_each(vector[i], act);
    }
};

// Bits of buckets whose counters may have 32 bits. Then one is added to equal counters of a warp's lanes at once.
constexpr unsigned WIDE_BITS = COUNT_BITS - 1;

// Bytes of a block's counters.
SK_HOST_DEVICE constexpr size_t counters_room(unsigned bits)
{
    return bits <= WIDE_BITS ? sizeof(uint32_t) << bits : sizeof(uint16_t) << (bits < COUNT_BITS ? bits : COUNT_BITS);
}

// counts[b] += keys of bucket b, with counters of 32 bits.
template <class K, class Order, class Projection>
__device__ __forceinline__ void count_wide(uint32_t *counters, const K *keys, size_t n, const Order &order,
                                           const Projection &project, unsigned bits, unsigned *counts)
{
    unsigned shift = Projection::BITS - bits;
    key_vectors<K>(keys, n).template for_keys<COUNT_THREADS, COUNT_VECTORS>(
        [&](K key) { atomicAdd(&counters[spread_word(unsigned(project(order.key(key)) >> shift))], 1u); });
    __syncthreads();
    for (unsigned b = 2 * threadIdx.x; b < 1u << bits; b += 2 * COUNT_THREADS) {
        unsigned first = counters[spread_word(b)], second = counters[spread_word(b + 1)];
        if (first > 0 || second > 0)
            add_two(&counts[b], first, second);
    }
}

// counts[b] += keys of bucket b. If there are more than COUNT_BITS bits, only the buckets of `group` are counted: their
// numbers begin with its bits. The block has room for a counter per bucket, at most 2^COUNT_BITS.
//
// The counters have 16 bits, so that all of them fit in shared memory. A counter that is half full is moved to global
// memory; COUNT_PERIOD keys cannot fill the other half. The next vectors are loaded before the last ones are counted:
// one block per multiprocessor has few warps that could hide the latency otherwise.
template <class K, class Order, class Projection>
__device__ __forceinline__ void count_projected(uint32_t *counters, const K *keys, size_t n, const Order &order,
                                                const Projection &project, bucket_levels levels, unsigned group,
                                                unsigned *counts)
{
    if (levels.bits <= WIDE_BITS)
        return count_wide(counters, keys, n, order, project, levels.bits, counts);
    constexpr size_t EACH = counted_vectors<K>::EACH;
    constexpr int STEPS = COUNT_PERIOD / (int(EACH) * key_vectors<K>::EACH);
    unsigned bits = levels.bits < COUNT_BITS ? levels.bits : COUNT_BITS, words = (1u << bits) / 2, step = 0;
    unsigned *sums = counts + (size_t(group) << bits), shift = Projection::BITS - levels.bits;
    auto bucket_of = [&](K key) { return unsigned(project(order.key(key)) >> shift); };
    auto add = [&](K key) {
        unsigned bucket = bucket_of(key);
        if (levels.bits <= COUNT_BITS || bucket >> bits == group)
            count_one(counters, spread_half(bucket & (2 * words - 1)));
    };
    auto add_together = [&](K key) { count_together(counters, spread_half(bucket_of(key))); };
    auto move_all = [&](uint32_t which) {
        for (unsigned at = threadIdx.x; at < words; at += COUNT_THREADS)
            move_counters(counters, at, counters[at] & which, sums);
    };
    key_vectors<K> vectors(keys, n);
    counted_vectors<K> next;
    if (blockIdx.x == 0)
        vectors.for_ends(add);
    next.load(vectors, blockIdx.x * EACH);
    for (size_t begin = blockIdx.x * EACH; begin < vectors.whole; begin += gridDim.x * EACH) {
        counted_vectors<K> found = next;
        next.load(vectors, begin + gridDim.x * EACH);
        if (levels.bits <= COUNT_BITS && begin + EACH <= vectors.whole &&
            outer_lanes(bucket_of(found.sample())).are_many())
            found.for_all(begin, SIZE_MAX, add_together);
        else
            found.for_all(begin, vectors.whole, add);
        if (++step == STEPS) {
            step = 0;
            __syncthreads();
            move_all(0x80008000u);
            __syncthreads();
        }
    }
    __syncthreads();
    move_all(~0u);
}

// Where counts go.
struct key_counts {
    bool unless_even; // buckets that the estimate finds even are not counted
    unsigned *buckets;
    unsigned long long *digits;
    unsigned *constant_digits; // bit p: all keys have the same digit at position p
    unsigned *all_digits;      // digits are counted, and none is constant
    unsigned *blocks_done;     // 0 before and after
    key_verdict *verdict;
    host_word word; // for the verdict too, if its number is not 0

    __device__ __forceinline__ bool are_of_buckets(const key_survey *survey) const
    {
        return survey->is_for_buckets() && !(unless_even && survey->has_even_buckets());
    }
    __device__ __forceinline__ bool are_none(const key_survey *survey) const
    {
        return !survey->is_for_digits() && !are_of_buckets(survey);
    }
    // By one thread, after all counts.
    __device__ __forceinline__ void tell(const key_survey *survey, const unsigned *oversized) const
    {
        const key_verdict found(*survey, __ldcg(oversized), __ldcg(constant_digits));
        *all_digits = found.all_digits;
        *verdict = found;
        if (word.number != 0)
            word.put(found);
    }
};

// ---- where buckets begin ----

// A part of a bucket that one block splits further.
struct bucket_part {
    unsigned bucket, tile;
};

// Where the scatter passes put the buckets; they move the cursors on.
struct bucket_places {
    unsigned *start; // of each bucket, and the end of the last
    unsigned *upper_cursor, *lower_cursor;
    bucket_part *parts;
    unsigned *part_count, *oversized; // oversized: keys in buckets with more than `limit`; cleared before
    unsigned tile, cdf_tile;          // keys per part
    unsigned limit;
};

constexpr int PLACE_THREADS = 1024, PLACE_REGIONS_THREADS = 512;

// Keys of the `before` first upper buckets, and the parts that they are split into: a warp per bucket. Each lane gets
// its warp's share.
struct keys_and_parts {
    unsigned keys, parts;
};
__device__ __forceinline__ keys_and_parts sum_upper_buckets(const unsigned *counts, unsigned before, unsigned each,
                                                            unsigned tile)
{
    keys_and_parts sum = {0, 0};
    for (unsigned upper = threadIdx.x / WARP; upper < before; upper += PLACE_THREADS / WARP) {
        unsigned count = 0;
        for (unsigned i = lane_id(); i < each; i += WARP)
            count += counts[size_t(upper) * each + i];
        count = warp_sum(count);
        sum.keys += count;
        sum.parts += (count + tile - 1) / tile;
    }
    return sum;
}

// Buckets that one pass splits are placed by the last block of their count, as digits are then.
SK_HOST_DEVICE constexpr bool are_placed_at_once(const bucket_levels &levels)
{
    return levels.upper == 0;
}

// Places the buckets of an upper bucket, a thread each. If one pass splits all buckets, one upper bucket has them.
__device__ __forceinline__ void place_buckets_of(unsigned upper_bucket, const unsigned *counts, bucket_levels levels,
                                                 unsigned tile, const bucket_places &to)
{
    using sum = block_sum<sk_u32, PLACE_THREADS>;
    __shared__ sum keys_of, parts_of, own_of;

    // Sum: the upper buckets before this one, and the buckets of this one.
    unsigned uppers = 1u << levels.upper, each = 1u << levels.lower();
    keys_and_parts upper = sum_upper_buckets(counts, upper_bucket, each, tile);
    size_t bucket = size_t(upper_bucket) * each + threadIdx.x;
    unsigned count = threadIdx.x < each ? __ldcg(&counts[bucket]) : 0, inclusive = sum::warp_inclusive(count);
    unsigned oversized = warp_sum(count > to.limit ? count : 0);
    keys_of.publish(upper.keys);
    parts_of.publish(upper.parts);
    own_of.publish(inclusive);
    if (lane_id() == WARP - 1 && oversized > 0)
        atomicAdd(to.oversized, oversized);
    __syncthreads();

    // Place: buckets, the upper bucket, and its parts.
    unsigned keys = keys_of.total(), parts = parts_of.total(), own = own_of.total();
    unsigned own_parts = (own + tile - 1) / tile;
    if (threadIdx.x < each)
        to.start[bucket] = to.lower_cursor[bucket] = keys + own_of.before() + inclusive - count;
    if (threadIdx.x == 0) {
        to.upper_cursor[upper_bucket] = keys;
        if (upper_bucket == uppers - 1) {
            to.start[levels.count()] = keys + own;
            *to.part_count = parts + own_parts;
        }
    }
    if (to.parts != nullptr)
        for (unsigned i = threadIdx.x; i < own_parts; i += PLACE_THREADS)
            to.parts[parts + i] = {upper_bucket, i};
}

// Counts buckets or digits, as the survey decided, or nothing; and places them and tells the verdict, if that is done
// at once. The block has room for the counts of all digits too.
template <class K, class Order>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const K *keys, size_t n, Order order, bucket_levels levels, unsigned group, const key_survey *survey,
                  const cdf_map<K> *map, key_counts to, bucket_places places)
{
    static_assert(COUNT_THREADS == PLACE_THREADS, "the last block places");
    extern __shared__ __align__(16) uint32_t counters[];
    wait_for_launches();
    let_next_begin();
    bool of_digits = survey->is_for_digits(), at_once = are_placed_at_once(levels);
    if (at_once && to.are_none(survey) && blockIdx.x == 0 && threadIdx.x == 0)
        to.tell(survey, places.oversized);
    if (of_digits ? group > 0 : !to.are_of_buckets(survey))
        return;
    if (of_digits) {
        auto &shared = *reinterpret_cast<digit_counters<K, COUNT_THREADS> *>(counters);
        count_all_digits<COUNT_THREADS, COUNT_VECTORS>(shared, keys, n, order, {0, 8 * sizeof(K)}, to.digits,
                                                       to.constant_digits);
    } else {
        for (unsigned i = threadIdx.x; i < counters_room(levels.bits) / sizeof *counters; i += COUNT_THREADS)
            counters[i] = 0;
        __syncthreads();
        if (survey->by_cdf)
            count_projected(counters, keys, n, order, cdf_projection<K>(map), levels, group, to.buckets);
        else
            count_projected(counters, keys, n, order, plain_projection<K>(map), levels, group, to.buckets);
    }
    if (!at_once || !is_last_block(to.blocks_done))
        return;
    if (of_digits)
        place_all_digits<K, COUNT_THREADS>(to.digits, n);
    else
        place_buckets_of(0, to.buckets, levels, survey->by_cdf ? places.cdf_tile : places.tile, places);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    *to.blocks_done = 0;
    to.tell(survey, places.oversized);
}

// If they are not placed at once: a block per upper bucket, a thread per bucket of it. If digits were counted, they are
// placed instead, a block per position. There are as many blocks as either needs; the last one tells the verdict.
static __global__ void __launch_bounds__(PLACE_THREADS)
    place_buckets(key_counts counted, unsigned positions, bucket_levels levels, const key_survey *survey,
                  bucket_places to)
{
    wait_for_launches();
    let_next_begin();
    if (survey->is_for_digits() && blockIdx.x < positions)
        place_digits_of(counted.digits + blockIdx.x * RADIX);
    if (counted.are_of_buckets(survey) && blockIdx.x < 1u << levels.upper)
        place_buckets_of(blockIdx.x, counted.buckets, levels, survey->by_cdf ? to.cdf_tile : to.tile, to);
    if (counted.are_none(survey) ? blockIdx.x > 0 : !is_last_block(counted.blocks_done))
        return;
    if (threadIdx.x == 0) {
        *counted.blocks_done = 0;
        counted.tell(survey, to.oversized);
    }
}

// The same for slack regions, which have been counted as they were filled. lower_bits: of the buckets of an upper
// bucket. *oversized: keys of buckets that have more than `most`; cleared before.
static __global__ void __launch_bounds__(PLACE_REGIONS_THREADS)
    place_regions(const unsigned *upper_counts, const unsigned *counts, unsigned lower_bits, unsigned most,
                  unsigned *start, unsigned *oversized)
{
    using sum = block_sum<sk_u32, PLACE_REGIONS_THREADS>;
    __shared__ sum upper_of, own_of;
    wait_for_launches();
    let_next_begin();
    unsigned each = 1u << lower_bits, upper = 0;
    for (unsigned i = threadIdx.x; i < blockIdx.x; i += PLACE_REGIONS_THREADS)
        upper += upper_counts[i];
    size_t bucket = size_t(blockIdx.x) * each + threadIdx.x;
    unsigned count = threadIdx.x < each ? counts[bucket] : 0, inclusive = sum::warp_inclusive(count);
    upper_of.publish(warp_sum(upper));
    own_of.publish(inclusive);
    __syncthreads();
    if (count > most)
        atomicAdd(oversized, count);
    unsigned end = upper_of.total() + own_of.before() + inclusive;
    if (threadIdx.x < each)
        start[bucket] = end - count;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == each - 1)
        start[bucket + 1] = end;
}

#endif
