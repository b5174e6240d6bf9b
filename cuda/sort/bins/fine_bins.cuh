// fine_bins.cuh - fine bins of a block's keys, in shared memory: which bin a key has, their counters, and where each
// begins. A tile says how many there are, and where the counters are.
#ifndef SK_CUDA_FINE_BINS_CUH
#define SK_CUDA_FINE_BINS_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "sort/bins/bin_order.cuh"

// ---- counters of 16 bits, two in a word ----

// Counts with counters of 16 bits.
__device__ __forceinline__ void count_one(uint32_t *counters, unsigned which)
{
    atomicAdd(&counters[which / 2], 1u << which % 2 * 16);
}

// Scan: counters of 16 bits become exclusive sums. Returns the size of the largest bin.
template <class tile> __device__ __forceinline__ unsigned scan_bins(typename tile::shared_memory &shared)
{
    static_assert(tile::WORDS % 4 == 0, "a thread scans whole vectors");
    uint4 *mine = shared.ends + threadIdx.x * (tile::WORDS / 4);
    uint32_t word[tile::WORDS];
    unsigned sum = 0, largest = 0;
#pragma unroll
    for (int i = 0; i < tile::WORDS / 4; i++) {
        uint4 four = mine[i];
        word[4 * i] = four.x, word[4 * i + 1] = four.y, word[4 * i + 2] = four.z, word[4 * i + 3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < tile::WORDS; i++) {
        unsigned low = word[i] & 0xffff, high = word[i] >> 16;
        largest = max(largest, max(low, high));
        word[i] = sum | (sum + low) << 16;
        sum += low + high;
    }
    unsigned inclusive = shared.sums.warp_inclusive(sum);
    largest = warp_max(largest);
    shared.sums.publish(inclusive);
    if (lane_id() == WARP - 1)
        shared.warp_largest[threadIdx.x / WARP] = largest;
    __syncthreads();
    unsigned before = shared.sums.before(inclusive - sum);
#pragma unroll
    for (unsigned w = 0; w < tile::THREADS / WARP; w++)
        largest = max(largest, shared.warp_largest[w]);
    before |= before << 16;
#pragma unroll
    for (int i = 0; i < tile::WORDS / 4; i++)
        mine[i] = {word[4 * i] + before, word[4 * i + 1] + before, word[4 * i + 2] + before, word[4 * i + 3] + before};
    __syncthreads();
    return largest;
}

// Takes the next place of a bin. When all keys have theirs, each counter is the end of its bin.
__device__ __forceinline__ unsigned take_place(uint32_t *counters, unsigned bin)
{
    unsigned half = bin % 2 * 16;
    return atomicAdd(&counters[bin / 2], 1u << half) >> half & 0xffff;
}

// ---- the keys' span ----

// The distances of keys from `low` differ in the last `rest` bits alone.
template <class K> struct key_span {
    K low;
    unsigned rest;
};

template <class K> struct key_extremes {
    K least, greatest;
};

// Of the block's keys. There is a barrier in it, and another one is needed before the next call.
template <class tile, class K, class Is>
__device__ __forceinline__ key_extremes<K> find_extremes(typename tile::shared_memory &shared,
                                                         const K (&key)[tile::ITEMS], Is is_there)
{
    K least = K(~K(0)), greatest = 0;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        if (is_there(i)) {
            least = min(least, key[i]);
            greatest = max(greatest, key[i]);
        }
    }
    warp_extremes(&least, &greatest);
    if (lane_id() == 0) {
        shared.warp_least[threadIdx.x / WARP] = least;
        shared.warp_greatest[threadIdx.x / WARP] = greatest;
    }
    __syncthreads();
    unsigned warp = lane_id() % (tile::THREADS / WARP);
    least = shared.warp_least[warp];
    greatest = shared.warp_greatest[warp];
    warp_extremes(&least, &greatest);
    return {least, greatest};
}

// From the least to the greatest of the block's keys.
template <class tile, class K, class Is>
__device__ __forceinline__ key_span<K> find_span(typename tile::shared_memory &shared, const K (&key)[tile::ITEMS],
                                                 Is is_there)
{
    key_extremes<K> ends = find_extremes<tile>(shared, key, is_there);
    return {ends.least, bits_of(K(ends.greatest - ends.least))};
}

// ---- bins ----

// By the last span.rest bits, in which alone keys differ.
template <class K> struct bins_of_bits {
    unsigned shift, mask;

    __device__ __forceinline__ bins_of_bits(unsigned rest)
        : shift(rest > BUCKET_FINE_BITS ? rest - BUCKET_FINE_BITS : 0),
          mask(rest < BUCKET_FINE_BITS ? (1u << rest) - 1 : (1u << BUCKET_FINE_BITS) - 1)
    {
    }
    __device__ __forceinline__ unsigned operator()(K own) const
    {
        return digit_of(own, shift, mask);
    }
    __device__ __forceinline__ bool have_equals() const // the keys of a bin are equal
    {
        return shift == 0;
    }
};

// By the first bits of the distance from the least key.
template <class K> struct bins_of_span {
    K low;
    unsigned shift;

    __device__ __forceinline__ bins_of_span(key_span<K> span)
        : low(span.low), shift(span.rest > BUCKET_FINE_BITS ? span.rest - BUCKET_FINE_BITS : 0)
    {
    }
    __device__ __forceinline__ unsigned operator()(K own) const
    {
        return unsigned(K(own - low) >> shift);
    }
    __device__ __forceinline__ bool have_equals() const
    {
        return shift == 0;
    }
};

// 2^32 times `bins` by a number of steps.
__device__ __forceinline__ unsigned bins_per_step(unsigned bins, unsigned steps)
{
    float fewer = float(bins) * (1 - 0x1p-20f); // rounding makes it no more
    return __float2uint_rz(fewer * 0x1p32f / (float(steps) + 1));
}

// Bins of the same width, for keys from `least` to `greatest`. Keys outside get any bin.
template <class K> struct even_bins {
    K low;
    unsigned shift, scale; // 2^32 times the bins per (distance >> shift)

    __device__ __forceinline__ even_bins(K least, K greatest) : low(least), shift(0)
    {
        K range = greatest - least;
        if (sizeof(K) == 8)
            shift = max(0, WARP - __clzll(range));
        scale = bins_per_step(1u << BUCKET_FINE_BITS, unsigned(range >> shift));
    }
    __device__ __forceinline__ unsigned operator()(K own) const
    {
        return __umulhi(unsigned(K(own - low) >> shift), scale) % (1u << BUCKET_FINE_BITS);
    }
    __device__ __forceinline__ bool have_equals() const
    {
        return false;
    }
};

#endif
