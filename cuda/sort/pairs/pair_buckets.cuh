// pair_buckets.cuh - sorts many buckets of pairs at once, stably, a block each, in shared memory: by fine bins, as
// bucket_sort.cuh does. Each key carries its place in the bucket, which decides among equals, so that bins may be
// filled in any order.
#ifndef SK_CUDA_PAIR_BUCKETS_CUH
#define SK_CUDA_PAIR_BUCKETS_CUH

#include <cuda_pipeline_primitives.h>

#include "sort/bins/bin_order.cuh"
#include "sort/bucket/bucket_sort.cuh"
#include "sort/radix/radix_sort.cuh"

template <class K, class V> struct pair_tile {
    using keys = bucket_tile<K>;
    static constexpr int THREADS = keys::THREADS, ITEMS = keys::ITEMS, SIZE = keys::SIZE;
    static constexpr int PLACE_BITS = 13; // of a place in the bucket
    static_assert(SIZE <= 1 << PLACE_BITS, "a place fits");
    struct shared_memory {
        typename keys::shared_memory keys;
        V value[SIZE];              // in the order of the bucket
        uint16_t from[SIZE + LOOK]; // where a key was in the bucket
    };
};

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
    merge_exchange(word);
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

// Starts the copies of the values to shared memory, past the registers. Values of 1 and 2 bytes have no such copy.
template <class K, class V, class Items>
__device__ __forceinline__ void load_values(typename pair_tile<K, V>::shared_memory &shared, const V *values,
                                            const Items &items)
{
    if constexpr (sizeof(V) < 4) {
        V value[pair_tile<K, V>::ITEMS];
        items.for_each([&](int i) { value[i] = values[Items::place(i)]; });
        items.for_each([&](int i) { shared.value[Items::place(i)] = value[i]; });
    } else {
        items.for_each([&](int i) {
            __pipeline_memcpy_async(&shared.value[Items::place(i)], &values[Items::place(i)], sizeof(V));
        });
        __pipeline_commit();
    }
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

#endif
