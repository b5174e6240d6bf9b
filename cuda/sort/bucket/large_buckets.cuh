// large_buckets.cuh - buckets that are larger than a block can sort, all of them at once. A round splits each evenly
// between its least and its greatest key, lists the parts that a block can sort, and lists those that are still too
// large. A popular value has a bin of its own. A bucket of equal keys is done.
#ifndef SK_CUDA_LARGE_BUCKETS_CUH
#define SK_CUDA_LARGE_BUCKETS_CUH

#include "sort/bucket/bucket_sort.cuh"
#include "sort/bucket/scatter.cuh"

constexpr int ROUND_BITS = 8, ROUND_BINS = 1 << ROUND_BITS; // per round and bucket

template <class K> struct large_bucket {
    unsigned begin, size;
    K least = K(~K(0)), greatest = 0, popular = 0; // see_large() finds the extremes, unless they are known
    bool has_popular = false, is_known = false;
    __device__ __forceinline__ bool is_equal() const
    {
        return least == greatest;
    }
};

struct round_counts {
    unsigned large, parts, small, listed;
};

// The work of a round: large buckets and their parts; and small buckets, from begin to end.
template <class K> struct round_lists {
    large_bucket<K> *large;
    bucket_part *parts;
    unsigned *begin, *end;
    round_counts *counts; // cleared before
};

// How many bits to drop from distances up to `range`, so that `most` are left.
template <class K> __device__ __forceinline__ unsigned shift_for(K range, unsigned most)
{
    unsigned bits = 8 * unsigned(sizeof(K)) - (sizeof(K) <= 4 ? __clz(unsigned(range)) : __clzll(range));
    return bits > most ? bits - most : 0;
}

// The bin of a key of a large bucket, by its distance from the least key. With a popular value, half of the bins are
// for lesser keys, the next one is for that value, and a quarter is for greater keys.
template <class K> struct range_projection {
    static constexpr bool IS_COSTLY = false;
    static constexpr unsigned POPULAR = ROUND_BINS / 2;
    K least, popular;
    unsigned shift, shift_above;
    bool has_popular;
    __device__ __forceinline__ explicit range_projection(const large_bucket<K> &of)
        : least(of.least), popular(of.popular), has_popular(of.has_popular)
    {
        shift =
            has_popular ? shift_for(K(popular - least), ROUND_BITS - 1) : shift_for(K(of.greatest - least), ROUND_BITS);
        shift_above = shift_for(K(of.greatest - popular), ROUND_BITS - 2);
    }
    __device__ __forceinline__ unsigned operator()(K key) const
    {
        if (has_popular && key >= popular)
            return key == popular ? POPULAR : POPULAR + 1 + unsigned(K(key - popular) >> shift_above);
        return unsigned(K(key - least) >> shift);
    }
};

template <class K> struct large_tile : scatter_tile<K, SCATTER_ITEMS<K>> {
    static constexpr unsigned LARGEST = LONG_BUCKET<K>; // small bucket
};

template <class K>
__device__ __forceinline__ void list_one_large(const round_lists<K> &to, const large_bucket<K> &bucket)
{
    constexpr unsigned EACH = large_tile<K>::SIZE;
    unsigned number = atomicAdd(&to.counts->large, 1), parts = (bucket.size + EACH - 1) / EACH;
    unsigned first = atomicAdd(&to.counts->parts, parts);
    to.large[number] = bucket;
    for (unsigned i = 0; i < parts; i++)
        to.parts[first + i] = {number, i};
}

template <class K> __device__ __forceinline__ void list_small(const round_lists<K> &to, unsigned begin, unsigned end)
{
    unsigned number = atomicAdd(&to.counts->small, 1);
    to.begin[number] = begin;
    to.end[number] = end;
}

// Lists the large buckets of the first round.
template <class K>
__global__ void __launch_bounds__(MAP_THREADS) list_too_large(const unsigned *start, size_t buckets, round_lists<K> to)
{
    size_t bucket = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x;
    if (bucket < buckets && start[bucket + 1] - start[bucket] > large_tile<K>::LARGEST)
        list_one_large(to, large_bucket<K>{start[bucket], start[bucket + 1] - start[bucket]});
}

// The block's part of a large bucket.
template <class K> struct large_part {
    unsigned number, begin;
    int size;
    __device__ __forceinline__ explicit large_part(const round_lists<K> &lists)
    {
        constexpr unsigned EACH = large_tile<K>::SIZE;
        bucket_part part = lists.parts[blockIdx.x];
        const large_bucket<K> &of = lists.large[part.bucket];
        number = part.bucket;
        begin = of.begin + part.tile * EACH;
        size = int(min(EACH, of.size - part.tile * EACH));
    }
};

__device__ __forceinline__ void atomic_min(uint32_t *to, uint32_t value)
{
    atomicMin(to, value);
}
__device__ __forceinline__ void atomic_max(uint32_t *to, uint32_t value)
{
    atomicMax(to, value);
}
__device__ __forceinline__ void atomic_min(uint64_t *to, uint64_t value)
{
    atomicMin(reinterpret_cast<unsigned long long *>(to), (unsigned long long)value);
}
__device__ __forceinline__ void atomic_max(uint64_t *to, uint64_t value)
{
    atomicMax(reinterpret_cast<unsigned long long *>(to), (unsigned long long)value);
}

// Extremes of each large bucket: a block per part.
template <class K> __global__ void __launch_bounds__(SCATTER_THREADS) see_large(const K *keys, round_lists<K> lists)
{
    large_part<K> part(lists);
    if (lists.large[part.number].is_known)
        return;
    K least = K(~K(0)), greatest = 0;
    for (int at = threadIdx.x; at < part.size; at += SCATTER_THREADS) {
        K key = keys[part.begin + at];
        least = min(least, key);
        greatest = max(greatest, key);
    }
    warp_extremes(&least, &greatest);
    if (lane_id() == 0 && least <= greatest) {
        atomic_min(&lists.large[part.number].least, least);
        atomic_max(&lists.large[part.number].greatest, greatest);
    }
}

// Count: counts[s * ROUND_BINS + b] += keys of bin b of large bucket s. A block per part; cleared before.
template <class K>
__global__ void __launch_bounds__(SCATTER_THREADS) count_large(const K *keys, round_lists<K> lists, unsigned *counts)
{
    __shared__ unsigned count[ROUND_BINS];
    large_part<K> part(lists);
    if (lists.large[part.number].is_equal())
        return;
    range_projection<K> project(lists.large[part.number]);
    if (threadIdx.x < ROUND_BINS)
        count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 8
    for (int at = threadIdx.x; at < part.size; at += SCATTER_THREADS)
        atomicAdd(&count[project(keys[part.begin + at])], 1);
    __syncthreads();
    if (threadIdx.x < ROUND_BINS && count[threadIdx.x] > 0)
        atomicAdd(&counts[part.number * ROUND_BINS + threadIdx.x], count[threadIdx.x]);
}

// Lists the bins of a large bucket that a block can sort, neighbours together up to a tile. end_of: of each bin. By one
// thread.
template <class K>
__device__ __forceinline__ void list_bins(const round_lists<K> &next, unsigned bucket_begin, const unsigned *end_of)
{
    unsigned first = bucket_begin, end = bucket_begin; // [first, end): not listed yet
    for (int bin = 0; bin < ROUND_BINS; bin++) {
        unsigned begin = end;
        end = end_of[bin];
        if (end - first > bucket_tile<K>::SIZE && first < begin) {
            list_small(next, first, begin);
            first = begin;
        }
        if (end - begin > large_tile<K>::LARGEST)
            first = end; // large in the next round
    }
    if (first < end)
        list_small(next, first, end);
}

// Scan: a block per large bucket turns its counts into places, and lists its bins for the next round.
template <class K>
__global__ void __launch_bounds__(ROUND_BINS) place_large(round_lists<K> lists, unsigned *counts, round_lists<K> next)
{
    __shared__ unsigned end_of[ROUND_BINS];
    __shared__ block_sum<sk_u32, ROUND_BINS> sums;
    large_bucket<K> of = lists.large[blockIdx.x];
    if (of.is_equal())
        return;
    unsigned &mine = counts[blockIdx.x * ROUND_BINS + threadIdx.x], count = mine;
    unsigned begin = of.begin + sums.exclusive(count);
    end_of[threadIdx.x] = begin + count;
    mine = begin;
    __syncthreads();
    if (count > large_tile<K>::LARGEST) {
        large_bucket<K> left = {begin, count};
        if (of.has_popular && threadIdx.x == range_projection<K>::POPULAR) {
            left.least = left.greatest = of.popular;
            left.is_known = true;
        }
        list_one_large(next, left);
    }
    if (threadIdx.x == 0)
        list_bins(next, of.begin, end_of);
}

// Scatter: a block per part brings keys to their bins; equal keys go to out, as values.
template <class K, class Order>
__global__ void __launch_bounds__(SCATTER_THREADS, 2)
    scatter_large(const K *in, K *out, Order order, round_lists<K> lists, scatter_pass<K> pass)
{
    using tile = large_tile<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    large_part<K> part(lists);
    const large_bucket<K> &of = lists.large[part.number];
    if (of.is_equal()) {
        K value = order.value(of.least);
        for (int at = threadIdx.x; at < part.size; at += SCATTER_THREADS)
            out[part.begin + at] = value;
        return;
    }
    range_projection<K> project(of);
    unsigned bucket = part.number * ROUND_BINS;
    integer_order<K> as_keys = {0};
    if (part.size == tile::SIZE)
        scatter<true, false, SCATTER_ITEMS<K>>(shared, in + part.begin, part.size, as_keys, project, pass, bucket);
    else
        scatter<false, false, SCATTER_ITEMS<K>>(shared, in + part.begin, part.size, as_keys, project, pass, bucket);
}

#endif
