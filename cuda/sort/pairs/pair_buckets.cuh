// pair_buckets.cuh - sorts many buckets of pairs at once, stably, a block each, in shared memory: by fine bins, as
// bucket_sort.cuh does. Each key carries its place in the bucket, which decides among equals, so that bins may be
// filled in any order.
#ifndef SK_CUDA_PAIR_BUCKETS_CUH
#define SK_CUDA_PAIR_BUCKETS_CUH

#include <cuda_pipeline_primitives.h>

#include "device/host_word.cuh"
#include "sort/bucket/bin_order.cuh"
#include "sort/bucket/bucket_sort.cuh"
#include "sort/pairs/see_pairs.cuh"
#include "sort/radix/radix_sort.cuh"

template <class K, class V> struct pair_tile {
    using keys = bucket_tile<K>;
    static constexpr int THREADS = keys::THREADS, ITEMS = keys::ITEMS, SIZE = keys::SIZE;
    static constexpr int PLACE_BITS = 13; // of a place in the bucket
    static_assert(SIZE <= 1 << PLACE_BITS, "a place fits");
    struct shared_memory {
        typename keys::shared_memory keys;
        V value[SIZE];           // in the order of the bucket
        uint16_t from[SIZE + 4]; // where a key was in the bucket
    };
};

// The place of the key at `at` in its bin [place, end): `place` and the keys before it, which are less in the bits that
// count, or equal and earlier in the bucket.
template <class K>
__device__ __forceinline__ unsigned place_of_pair(const K *keys, const uint16_t *from, unsigned at, unsigned place,
                                                  unsigned end, K bits)
{
    K own = keys[at] & bits;
    unsigned own_from = from[at];
    for (unsigned other = place; other < end; other += 4) {
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            K found = keys[other + k] & bits; // there is room behind the last
            bool before = found < own;
            if (found == own)
                before = from[other + k] < own_from;
            place += before && other + k < end;
        }
    }
    return place;
}

// bits: those that keys compare by; shift and mask: those that tell the fine bins apart. are_all: the keys of a bucket
// have the other bits in common.
template <class K> struct fine_bins {
    K bits;
    unsigned shift, mask;
    bool are_all;

    // For keys that are sorted by bits [bit, bit + rest).
    __device__ __forceinline__ fine_bins(unsigned bit, unsigned rest, bool all = false)
        : bits((K(~K(0)) >> (8 * sizeof(K) - rest)) << bit), are_all(all)
    {
        unsigned fine_bits = min(rest, unsigned(BUCKET_FINE_BITS));
        shift = bit + rest - fine_bits;
        mask = (1u << fine_bits) - 1;
    }
    __device__ __forceinline__ unsigned of(K key) const
    {
        return digit_of(key, shift, mask);
    }
};

// A warp sorts the keys of a bin. The bits in which they differ and their places in the bucket fit into one word, so
// that equal keys keep their order.
template <int N, class K, class V>
__device__ __forceinline__ void sort_bin_of_pairs(typename pair_tile<K, V>::shared_memory &shared, unsigned begin,
                                                  unsigned size, unsigned shift)
{
    constexpr unsigned PLACE_BITS = pair_tile<K, V>::PLACE_BITS;
    K *keys = shared.keys.key + begin, word[N], below = (K(1) << shift) - 1, same = keys[0] & ~below;
    uint16_t *from = shared.from + begin;
#pragma unroll
    for (int i = 0; i < N; i++) {
        unsigned at = i * WARP + lane_id();
        word[i] = at < size ? K((keys[at] & below) << PLACE_BITS | from[at]) : K(~K(0));
    }
    __syncwarp();
    sort_registers(word);
    sort_lanes(word);
#pragma unroll
    for (int i = 0; i < N; i++) {
        unsigned at = lane_id() * N + i;
        if (at < size) {
            keys[at] = word[i] >> PLACE_BITS | same;
            from[at] = uint16_t(word[i] & ((1u << PLACE_BITS) - 1));
        }
    }
}

// Keys and values of a bucket, in or out.
template <class K, class V> struct pair_columns {
    K *keys;
    V *values;
};

constexpr unsigned PAIR_BIN = PAIR_EACH * WARP; // most pairs of a bin that a warp sorts
constexpr unsigned ALL_BINS = ~0u;              // all are compared

// Sorts the bins with more than COMPARED_PAIRS keys.
template <class K, class V>
__device__ __forceinline__ void sort_large_bins(typename pair_tile<K, V>::shared_memory &shared, unsigned shift)
{
    using tile = pair_tile<K, V>;
    for (unsigned bin = threadIdx.x; bin < tile::keys::BINS; bin += tile::THREADS) {
        bin_range own(shared.keys.ends, bin);
        for (unsigned left = __ballot_sync(FULL_WARP, own.size() > COMPARED_PAIRS); left != 0; left &= left - 1) {
            int lane = __ffs(left) - 1;
            unsigned begin = warp_from(own.begin, lane), size = warp_from(own.end, lane) - begin;
            if (size <= WARP)
                sort_bin_of_pairs<1, K, V>(shared, begin, size, shift);
            else if (size <= PAIR_BIN / 2)
                sort_bin_of_pairs<PAIR_EACH / 2, K, V>(shared, begin, size, shift);
            else
                sort_bin_of_pairs<PAIR_EACH, K, V>(shared, begin, size, shift);
        }
    }
    __syncthreads();
}

// Stores each key at its place within its bin, and its value with it. Bins with more than `compared` keys are in order.
template <class K, class V, class Items>
__device__ __forceinline__ void store_pairs(const typename pair_tile<K, V>::shared_memory &shared, const Items &all,
                                            pair_columns<K, V> out, const fine_bins<K> &fine,
                                            const number_order<K> &order, unsigned compared)
{
    all.for_each([&](int i) {
        unsigned at = Items::place(i), place = at;
        K own = shared.keys.key[at];
        bin_range bin(shared.keys.ends, fine.of(own));
        if (compared == ALL_BINS || bin.size() <= compared)
            place = place_of_pair(shared.keys.key, shared.from, at, bin.begin, bin.end, fine.bits);
        out.keys[place] = order.value(own);
        out.values[place] = shared.value[shared.from[at]];
    });
}

// Keys are in the order of their bins, and have some bits in common (fine.are_all). No bin is larger than PAIR_BIN.
// Sorts and stores them. A call of its own leaves the registers to even bins.
template <class K, class V>
__device__ __noinline__ void finish_crowded_pairs(pair_columns<K, V> out, unsigned size, fine_bins<K> fine,
                                                  number_order<K> order)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename pair_tile<K, V>::shared_memory *>(dynamic_memory);
    bucket_items<bucket_tile<K>, 0> all;
    all.size = size;
    sort_large_bins<K, V>(shared, fine.shift);
    store_pairs<K, V>(shared, all, out, fine, order, COMPARED_PAIRS);
}

// Starts the copies of the values to shared memory, past the registers.
template <class K, class V, class Items>
__device__ __forceinline__ void load_values(typename pair_tile<K, V>::shared_memory &shared, const V *values,
                                            const Items &items)
{
    items.for_each(
        [&](int i) { __pipeline_memcpy_async(&shared.value[Items::place(i)], &values[Items::place(i)], sizeof(V)); });
    __pipeline_commit();
}

// Stores the pairs as they are if all keys are equal. Returns false, with nothing done, if they are not.
template <class K, class V, class Items>
__device__ __forceinline__ bool store_if_equal(const typename pair_tile<K, V>::shared_memory &shared, const Items &mine,
                                               K first, pair_columns<K, V> out, const fine_bins<K> &fine,
                                               const number_order<K> &order)
{
    bool equal = true;
    mine.for_each([&](int i) { equal = equal && ((mine.key[i] ^ first) & fine.bits) == 0; });
    if (!__syncthreads_and(equal))
        return false;
    mine.for_each([&](int i) {
        out.keys[Items::place(i)] = order.value(mine.key[i]);
        out.values[Items::place(i)] = shared.value[Items::place(i)];
    });
    return true;
}

// Sorts one bucket. The first FULL items of each thread are there. Returns false, with nothing done, if a bin is
// overfull, and not all keys are equal.
//
// Values go to shared memory by asynchronous copies while keys are counted, and stay in the order of the bucket: each
// is read once, by the thread that writes it.
template <int FULL, class K, class V>
__device__ __forceinline__ bool sort_pair_bucket(typename pair_tile<K, V>::shared_memory &shared,
                                                 pair_columns<const K, const V> in, pair_columns<K, V> out,
                                                 unsigned size, const fine_bins<K> &fine, const number_order<K> &order)
{
    using tile = pair_tile<K, V>;
    using items = bucket_items<typename tile::keys, FULL>;
    auto *counters = reinterpret_cast<uint32_t *>(shared.keys.ends);

    // Load: keys to registers, values to shared memory.
    items mine;
    mine.size = size;
    mine.for_each([&](int i) { mine.key[i] = in.keys[items::place(i)]; });
    load_values<K, V>(shared, in.values, mine);
    for (int i = threadIdx.x; i < tile::keys::BINS / 8; i += tile::THREADS)
        shared.keys.ends[i] = {0, 0, 0, 0};
    __syncthreads();

    // Count, scan, place: keys into fine bins.
    mine.for_each([&](int i) { count_one(counters, fine.of(mine.key[i])); });
    __pipeline_wait_prior(0);
    __syncthreads();
    unsigned largest = scan_bins<typename tile::keys>(shared.keys);
    if (largest > (fine.are_all ? PAIR_BIN : unsigned(OVERFULL_BIN)))
        return largest == size && store_if_equal<K, V>(shared, mine, in.keys[0], out, fine, order);
    mine.for_each([&](int i) {
        unsigned at = take_place(counters, fine.of(mine.key[i]));
        shared.keys.key[at] = mine.key[i];
        shared.from[at] = uint16_t(items::place(i));
    });
    __syncthreads();
    if (largest > CROWDED_PAIRS && fine.are_all)
        finish_crowded_pairs<K, V>(out, size, fine, order);
    else
        store_pairs<K, V>(shared, mine, out, fine, order, ALL_BINS);
    return true;
}

// A block per bucket: bucket b is pairs [start[b], start[b + 1]), sorted by bits [bit, bit + rest) of the keys, which
// become values. out may be in. Buckets with overfull bins are left as they are and listed.
template <class K, class V>
__global__ void __launch_bounds__(pair_tile<K, V>::THREADS, PAIR_BLOCKS<K, V>)
    sort_pair_buckets(pair_columns<const K, const V> in, pair_columns<K, V> out, const unsigned *start, unsigned bit,
                      unsigned rest, number_order<K> order, unsigned *listed, unsigned *list)
{
    using tile = pair_tile<K, V>;
    constexpr int FULL = tile::ITEMS * 5 / 6;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    unsigned begin = start[blockIdx.x], size = start[blockIdx.x + 1] - begin;
    fine_bins<K> fine(bit, rest, bit == 0 && rest + __popc(gridDim.x - 1) == 8 * sizeof(K));
    in = {in.keys + begin, in.values + begin};
    out = {out.keys + begin, out.values + begin};
    bool sorted;
    if (size >= FULL * tile::THREADS)
        sorted = sort_pair_bucket<FULL, K, V>(shared, in, out, size, fine, order);
    else
        sorted = sort_pair_bucket<0, K, V>(shared, in, out, size, fine, order);
    if (!sorted && threadIdx.x == 0)
        list[atomicAdd(listed, 1)] = blockIdx.x;
}

// ---- counting by leading bits ----

// Keys without their first `left` bits, which the sort is not by.
template <class K> struct shifted_projection {
    static constexpr unsigned BITS = 8 * sizeof(K);
    unsigned left;
    __device__ __forceinline__ K operator()(K key) const
    {
        return K(key << left);
    }
};

// Where counts go: of buckets, or of digits if the survey says so.
struct pair_counts {
    unsigned *buckets;
    unsigned long long *digits;
};

// Counts the leading bits or all digits of the keys; nothing if they are in order.
template <class K>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_pairs(const K *keys, size_t n, number_order<K> order, leading_bits leading, digit_range range,
                pair_findings *found, pair_counts to)
{
    extern __shared__ __align__(16) uint32_t counters[];
    wait_for_launches();
    let_next_begin();
    if (found->is_in_order())
        return;
    if (found->survey.by_digits) {
        auto &shared = *reinterpret_cast<uint32_t(*)[sizeof(K)][RADIX]>(counters);
        count_all_digits<COUNT_THREADS, COUNT_VECTORS>(shared, keys, n, order, range, to.digits,
                                                       &found->constant_digits);
        return;
    }
    for (unsigned i = threadIdx.x; i < counters_room(leading.bits()) / sizeof *counters; i += COUNT_THREADS)
        counters[i] = 0;
    __syncthreads();
    count_projected(counters, keys, n, order, shifted_projection<K>{unsigned(8 * sizeof(K)) - leading.end},
                    bucket_levels{leading.bits(), 0}, 0, to.buckets);
}

// ---- where digits and buckets begin ----

// The exclusive sum of the block's RADIX counts, behind what all threads have `before` them. *largest: the greatest of
// the counts. Once in a block.
__device__ __forceinline__ unsigned scan_counts(unsigned count, unsigned before, unsigned *largest)
{
    __shared__ block_sum<sk_u32, RADIX> sums, befores;
    __shared__ unsigned warp_largest[RADIX / WARP];
    unsigned most = warp_max(count), inclusive = sums.warp_inclusive(count);
    if (lane_id() == WARP - 1)
        warp_largest[threadIdx.x / WARP] = most;
    sums.publish(inclusive);
    befores.publish(warp_sum(before));
    __syncthreads();
    for (unsigned w = 0; w < RADIX / WARP; w++)
        most = max(most, warp_largest[w]);
    *largest = most;
    return befores.total() + sums.before(inclusive - count);
}

// A digit's count over all upper digits.
__device__ __forceinline__ unsigned count_last_digit(const unsigned *counts, unsigned uppers, unsigned digit)
{
    unsigned count = 0;
#pragma unroll 16
    for (unsigned upper = 0; upper < uppers; upper++)
        count += counts[upper * RADIX + digit];
    return count;
}

// Where the digits of the buckets' numbers begin: begin[0 .. RADIX) of the last digit, begin[RADIX .. 2 RADIX) of the
// digit before. A block each.
static __global__ void __launch_bounds__(RADIX)
    place_digits(const unsigned *counts, unsigned uppers, const pair_findings *found, unsigned long long *begin)
{
    unsigned count = 0, largest;
    wait_for_launches();
    let_next_begin();
    if (found->survey.by_digits)
        return;
    if (blockIdx.x == 0)
        count = count_last_digit(counts, uppers, threadIdx.x);
    else {
        __shared__ unsigned row[RADIX];
        row[threadIdx.x] = 0;
        __syncthreads();
#pragma unroll 8
        for (unsigned upper = threadIdx.x / WARP; upper < uppers; upper += RADIX / WARP) {
            unsigned of_lane = 0;
            for (unsigned lower = lane_id(); lower < RADIX; lower += WARP)
                of_lane += counts[upper * RADIX + lower];
            of_lane = warp_sum(of_lane);
            if (lane_id() == 0)
                row[upper] = of_lane;
        }
        __syncthreads();
        count = row[threadIdx.x];
    }
    begin[blockIdx.x * RADIX + threadIdx.x] = scan_counts(count, 0, &largest);
}

// With few upper digits the blocks of place_pair_buckets() add up what they need, and one more places the last digit.
// This takes less time than place_digits().
constexpr unsigned FEW_UPPERS = 16;
__host__ __device__ constexpr bool are_few_uppers(unsigned uppers)
{
    return uppers > 1 && uppers <= FEW_UPPERS;
}

// Where buckets begin: `uppers` blocks, one per upper digit, which also write where it begins if these are few. Returns
// the size of the largest bucket of the digit, for the first thread.
__device__ __forceinline__ unsigned place_buckets_of_digit(const unsigned *counts, unsigned buckets, unsigned uppers,
                                                           unsigned long long *begin, unsigned *start)
{
    unsigned bucket = blockIdx.x * RADIX + threadIdx.x, before = 0, largest;
    unsigned count = bucket < buckets ? counts[bucket] : 0;
    if (are_few_uppers(uppers))
        for (unsigned upper = 0; upper < blockIdx.x; upper++)
            before += counts[upper * RADIX + threadIdx.x];
    unsigned at = scan_counts(count, before, &largest);
    if (uppers == 1)
        begin[threadIdx.x] = at;
    else if (!are_few_uppers(uppers))
        at += unsigned(begin[RADIX + blockIdx.x]);
    else if (threadIdx.x == 0)
        begin[RADIX + blockIdx.x] = at;
    if (bucket < buckets)
        start[bucket] = at;
    if (bucket == buckets - 1)
        start[buckets] = at + count;
    return largest;
}

// Where the last digits begin: one block, if upper digits are few. No pair has an upper digit from `uppers` on.
__device__ __forceinline__ void place_last_digit(const unsigned *counts, unsigned uppers, unsigned long long *begin)
{
    unsigned largest;
    begin[threadIdx.x] = scan_counts(count_last_digit(counts, uppers, threadIdx.x), 0, &largest);
    if (threadIdx.x >= uppers)
        begin[RADIX + threadIdx.x] = 0;
}

// Places buckets, after place_digits() if upper digits are many; or digits, if they were counted: `positions` of them.
// There are as many blocks as either needs; the last one tells the host.
static __global__ void __launch_bounds__(RADIX)
    place_pair_buckets(pair_counts counted, unsigned buckets, unsigned uppers, unsigned positions, pair_findings *found,
                       unsigned long long *begin, unsigned *start, host_word verdict)
{
    wait_for_launches();
    let_next_begin();
    const key_survey &survey = found->survey;
    if (survey.by_digits) {
        if (blockIdx.x < positions)
            place_digits_of(counted.digits + blockIdx.x * RADIX);
    } else if (blockIdx.x < uppers) {
        unsigned largest = place_buckets_of_digit(counted.buckets, buckets, uppers, begin, start);
        if (threadIdx.x == 0)
            atomicMax(&found->largest, largest);
    } else if (blockIdx.x == uppers && are_few_uppers(uppers))
        place_last_digit(counted.buckets, uppers, begin);
    if (!is_last_block(&found->survey.estimators_done) || threadIdx.x > 0)
        return;
    bool all = survey.by_digits && !found->is_in_order() && found->constant_digits == 0;
    found->all_digits = all;
    verdict.put(pair_verdict{__ldcg(&found->largest), survey.descends != 0, survey.by_digits != 0,
                             static_cast<unsigned char>(found->constant_digits), all});
}

#endif
