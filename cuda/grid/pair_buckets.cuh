// pair_buckets.cuh - many small stable sorts of pairs at once: each block sorts a bucket in shared memory by so many
// fine bins that most hold a key or two; then each key counts how many of its own bin are before it. A key's place in
// the bucket goes with it and decides among equals, so that the bins may be filled in any order.
#ifndef SK_CUDA_GRID_PAIR_BUCKETS_CUH
#define SK_CUDA_GRID_PAIR_BUCKETS_CUH

#include <cuda_pipeline_primitives.h>

#include "block/radix_sort.cuh"
#include "grid/bucket_sort.cuh"

template <class K, class V> struct pair_tile {
    using keys = bucket_tile<K>;
    static constexpr int THREADS = keys::THREADS, ITEMS = keys::ITEMS, SIZE = keys::SIZE;
    struct shared_memory {
        typename keys::shared_memory keys;
        V value[SIZE];          // in the order of the bucket
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
    if (scan_bins<K>(shared.keys) > BUCKET_CROWD)
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
            unsigned place = place_of_pair(shared.keys.key, shared.from, at, bin > 0 ? ends[bin - 1] : 0, ends[bin],
                                           fine.bits);
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
using crowded_tile = block_radix_sort<K, V, SORT_THREADS, (pair_tile<K, V>::SIZE - 1) / SORT_THREADS + 1>;

template <class K, class V>
__global__ void __launch_bounds__(SORT_THREADS)
    sort_crowded_pairs(const K *keys_in, const V *values_in, K *keys_out, V *values_out, const unsigned *start,
                       unsigned bit, unsigned rest, const unsigned *listed, const unsigned *list)
{
    using tile = crowded_tile<K, V>;
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

// ---- where the digits begin, by which pairs are brought into buckets ----

// begin[0 .. RADIX) of the last bits of buckets' numbers, up to RADIX_BITS, and begin[RADIX .. 2 RADIX) of those before.
// One block.
static __global__ void __launch_bounds__(PLACE_THREADS)
    place_digits(const unsigned *counts, bucket_plan plan, unsigned long long *begin)
{
    constexpr unsigned PARTS = PLACE_THREADS / RADIX;
    __shared__ unsigned sum[2][PARTS][RADIX], warp_total[2][RADIX / WARP];
    unsigned lowers = 1u << plan.lower(), uppers = 1u << plan.upper;
    unsigned digit = threadIdx.x % RADIX, part = threadIdx.x / RADIX;
    unsigned of_lower = 0;
    if (digit < lowers)
#pragma unroll 16
        for (unsigned upper = part; upper < uppers; upper += PARTS)
            of_lower += counts[upper * lowers + digit];
    sum[0][part][digit] = of_lower;
    // A warp adds up an upper digit's row.
    for (unsigned upper = threadIdx.x / WARP; upper < uppers; upper += PLACE_THREADS / WARP) {
        unsigned of_upper = 0;
        for (unsigned lower = lane_id(); lower < lowers; lower += WARP)
            of_upper += counts[upper * lowers + lower];
        sum[1][0][upper] = warp_sum(of_upper);
    }
    __syncthreads();
    unsigned row = part % 2, total = 0; // the first two parts go on, one for each row
    if (part < 2) {
        if (row == 0)
            for (unsigned p = 0; p < PARTS; p++)
                total += sum[0][p][digit];
        else
            total = digit < uppers ? sum[1][0][digit] : 0;
    }
    unsigned inclusive = warp_scan<op_sum<sk_u32>>(total), warp = digit / WARP;
    if (part < 2 && lane_id() == WARP - 1)
        warp_total[row][warp] = inclusive;
    __syncthreads();
    if (part < 2) {
        for (unsigned w = 0; w < warp; w++)
            inclusive += warp_total[row][w];
        begin[row * RADIX + digit] = inclusive - total;
    }
}

#endif
