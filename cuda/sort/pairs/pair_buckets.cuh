// pair_buckets.cuh - many small stable sorts of pairs at once: each block sorts a bucket in shared memory by so many
// fine bins that most hold a key or two; then each key counts how many of its own bin are before it. A key's place in
// the bucket goes with it and decides among equals, so that the bins may be filled in any order.
#ifndef SK_CUDA_GRID_PAIR_BUCKETS_CUH
#define SK_CUDA_GRID_PAIR_BUCKETS_CUH

#include <cuda_pipeline_primitives.h>

#include "sort/bucket/bucket_sort.cuh"
#include "sort/radix/radix_sort.cuh"

template <class K, class V> struct pair_tile {
    using keys = bucket_tile<K>;
    static constexpr int THREADS = keys::THREADS, ITEMS = keys::ITEMS, SIZE = keys::SIZE;
    struct shared_memory {
        typename keys::shared_memory keys;
        V value[SIZE];           // in the order of the bucket
        uint16_t from[SIZE + 4]; // where a key was in the bucket
    };
};

// The place of the key at `at` among those of its bin, [place, end): how many are less in the bits that count, or equal
// and before it.
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

// The bits of the keys that count, all of them and those that tell the fine bins.
template <class K> struct fine_bins {
    K bits;
    unsigned shift, mask;
    __device__ __forceinline__ unsigned of(K key) const
    {
        return digit_of(key, shift, mask);
    }
};

// The first FULL items of each thread are there. False, and nothing is done, where a bin is too large.
template <int FULL, class K, class V>
__device__ __forceinline__ bool sort_pair_bucket(typename pair_tile<K, V>::shared_memory &shared, const K *keys_in,
                                                 const V *values_in, K *keys_out, V *values_out, unsigned size,
                                                 const fine_bins<K> &fine)
{
    using tile = pair_tile<K, V>;
    auto *ends = reinterpret_cast<unsigned short *>(shared.keys.ends);
    auto *words = reinterpret_cast<uint32_t *>(shared.keys.ends);
    auto is_there = [&](int i) { return i < FULL || i * tile::THREADS + threadIdx.x < size; };
    K key[tile::ITEMS];
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        if (is_there(i))
            key[i] = keys_in[i * tile::THREADS + threadIdx.x];
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        if (is_there(i))
            __pipeline_memcpy_async(&shared.value[i * tile::THREADS + threadIdx.x],
                                    &values_in[i * tile::THREADS + threadIdx.x], sizeof(V));
    __pipeline_commit();
    for (int i = threadIdx.x; i < tile::keys::BINS / 8; i += tile::THREADS)
        shared.keys.ends[i] = {0, 0, 0, 0};
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        if (is_there(i))
            count_one(words, fine.of(key[i]));
    __pipeline_wait_prior(0);
    __syncthreads();
    if (scan_bins<typename tile::keys>(shared.keys) > OVERFULL_BIN)
        return false;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        if (is_there(i)) {
            unsigned bin = fine.of(key[i]), half = bin % 2 * 16;
            unsigned at = atomicAdd(&words[bin / 2], 1u << half) >> half & 0xffff;
            shared.keys.key[at] = key[i];
            shared.from[at] = uint16_t(i * tile::THREADS + threadIdx.x);
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        if (is_there(i)) {
            unsigned at = i * tile::THREADS + threadIdx.x;
            K own = shared.keys.key[at];
            unsigned bin = fine.of(own);
            unsigned place =
                place_of_pair(shared.keys.key, shared.from, at, bin > 0 ? ends[bin - 1] : 0, ends[bin], fine.bits);
            keys_out[place] = own;
            values_out[place] = shared.value[shared.from[at]];
        }
    }
    return true;
}

// Bucket b is pairs [start[b], start[b + 1]), to be sorted by bits [bit, bit + rest) of the keys; out may be in. Those
// with crowded bins are left as they are, and listed.
template <class K, class V>
__global__ void __launch_bounds__(pair_tile<K, V>::THREADS, PAIR_BLOCKS<K, V>)
    sort_pair_buckets(const K *keys_in, const V *values_in, K *keys_out, V *values_out, const unsigned *start,
                      unsigned bit, unsigned rest, unsigned *listed, unsigned *list)
{
    using tile = pair_tile<K, V>;
    constexpr int FULL = tile::ITEMS * 5 / 6;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    unsigned begin = start[blockIdx.x], size = start[blockIdx.x + 1] - begin;
    unsigned fine_bits = min(rest, unsigned(BUCKET_FINE_BITS));
    fine_bins<K> fine = {K((K(~K(0)) >> (8 * sizeof(K) - rest)) << bit), bit + rest - fine_bits, (1u << fine_bits) - 1};
    keys_in += begin, values_in += begin, keys_out += begin, values_out += begin;
    bool sorted;
    if (size >= FULL * tile::THREADS)
        sorted = sort_pair_bucket<FULL, K, V>(shared, keys_in, values_in, keys_out, values_out, size, fine);
    else
        sorted = sort_pair_bucket<0, K, V>(shared, keys_in, values_in, keys_out, values_out, size, fine);
    if (!sorted && threadIdx.x == 0)
        list[atomicAdd(listed, 1)] = blockIdx.x;
}

// The listed ones, by a radix sort.
template <class K, class V>
using overfull_tile = block_radix_sort<K, V, SORT_THREADS, (pair_tile<K, V>::SIZE - 1) / SORT_THREADS + 1>;

template <class K, class V>
__global__ void __launch_bounds__(SORT_THREADS)
    sort_overfull_pairs(const K *keys_in, const V *values_in, K *keys_out, V *values_out, const unsigned *start,
                        unsigned bit, unsigned rest, const unsigned *listed, const unsigned *list)
{
    using tile = overfull_tile<K, V>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    for (unsigned i = blockIdx.x; i < *listed; i += gridDim.x) {
        unsigned begin = start[list[i]];
        int size = int(start[list[i] + 1] - begin);
        tile items;
        items.load(keys_in + begin, values_in + begin, size);
        items.sort(shared, bit, bit + rest);
        items.store(keys_out + begin, values_out + begin, size);
        __syncthreads();
    }
}

// ---- counting by leading bits ----

// Keys without their first `left` bits, which do not count.
template <class K> struct shifted_projection {
    static constexpr unsigned BITS = 8 * sizeof(K);
    unsigned left;
    __device__ __forceinline__ K operator()(K key) const
    {
        return K(key << left);
    }
};

// counts[b] += keys of bucket b of 2^bits, the first bits behind `left` others.
template <class K>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_leading(const K *keys, size_t n, unsigned left, unsigned bits, unsigned *counts)
{
    extern __shared__ __align__(16) uint32_t counters[];
    for (unsigned i = threadIdx.x; i < (1u << bits) / 2; i += COUNT_THREADS)
        counters[i] = 0;
    __syncthreads();
    count_projected(counters, keys, n, integer_order<K>{0}, shifted_projection<K>{left}, bucket_levels{bits, 0}, 0,
                    counts);
}

// ---- where digits and buckets begin ----

// The exclusive sums of the block's RADIX counts; *largest = the greatest of them, for the first thread.
__device__ __forceinline__ unsigned scan_counts(unsigned count, unsigned *largest)
{
    __shared__ unsigned warp_total[RADIX / WARP], warp_largest[RADIX / WARP];
    unsigned inclusive = warp_scan<op_sum<sk_u32>>(count), warp = threadIdx.x / WARP;
    unsigned most = warp_max(count);
    if (lane_id() == WARP - 1) {
        warp_total[warp] = inclusive;
        warp_largest[warp] = most;
    }
    __syncthreads();
    for (unsigned w = 0; w < RADIX / WARP; w++) {
        inclusive += w < warp ? warp_total[w] : 0;
        most = max(most, warp_largest[w]);
    }
    *largest = most;
    return inclusive - count;
}

// begin[0 .. RADIX) of the last digit of buckets' numbers, begin[RADIX .. 2 RADIX) of the digit before: a block each.
static __global__ void __launch_bounds__(RADIX)
    place_digits(const unsigned *counts, unsigned uppers, unsigned long long *begin)
{
    unsigned count = 0, largest;
    if (blockIdx.x == 0) {
#pragma unroll 16
        for (unsigned upper = 0; upper < uppers; upper++)
            count += counts[upper * RADIX + threadIdx.x];
    } else {
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
    begin[blockIdx.x * RADIX + threadIdx.x] = scan_counts(count, &largest);
}

// start of the buckets of an upper digit, a block each, after place_digits; of one upper digit alone, where begin is
// written instead. *most = the size of the largest bucket; cleared before.
static __global__ void __launch_bounds__(RADIX)
    place_pair_buckets(const unsigned *counts, unsigned buckets, unsigned long long *begin, unsigned *start,
                       unsigned *most)
{
    unsigned bucket = blockIdx.x * RADIX + threadIdx.x, largest;
    unsigned count = bucket < buckets ? counts[bucket] : 0;
    unsigned at = scan_counts(count, &largest);
    if (gridDim.x == 1)
        begin[threadIdx.x] = at;
    else
        at += unsigned(begin[RADIX + blockIdx.x]);
    if (bucket < buckets)
        start[bucket] = at;
    if (bucket == buckets - 1)
        start[buckets] = at + count;
    if (threadIdx.x == 0)
        atomicMax(most, largest);
}

#endif
