// large_buckets.cuh - buckets that are larger than a block can sort, all of them at once. A round divides each by the
// splitters of a sample, so that whatever its distribution its parts are about the same size. It lists the parts that a
// block can sort, and those that are still too large. The keys of a part of one value are written at once.
#ifndef SK_CUDA_LARGE_BUCKETS_CUH
#define SK_CUDA_LARGE_BUCKETS_CUH

#include "sort/bucket/bucket_sort.cuh"
#include "sort/bucket/scatter.cuh"
#include "sort/segments/splitters.cuh"

struct large_bucket {
    unsigned begin, size;
    unsigned first; // its first part, among the parts of all large buckets
    bool is_equal;  // it has one value, as its counts show
};

// Keys of one value, as many as a tile has or fewer.
template <class K> struct equal_keys {
    unsigned begin, size;
    K value;
};

struct round_counts {
    unsigned large, tiles, small, equal;
    unsigned parts;  // of the large buckets, at most
    unsigned listed; // long buckets, of the small
};

// The work of a round: large buckets and their tiles; small buckets, from begin to end; and keys of one value.
template <class K> struct round_lists {
    large_bucket *large;
    bucket_part *tiles;
    unsigned *begin, *end;
    equal_keys<K> *equal;
    round_counts *counts; // cleared before
};

// The parts of large buckets: their splitters; and how many keys each has, then where its next key goes.
template <class K> struct round_parts {
    K *splitter;
    unsigned *buckets; // parts of each large bucket
    unsigned *count;   // cleared before

    __device__ __forceinline__ segment_split<K> of(unsigned number, const large_bucket &bucket) const
    {
        return {splitter + bucket.first, buckets + number};
    }
};

// The part of a key. It is costly: a search.
template <class K> struct part_projection {
    static constexpr bool IS_COSTLY = true;
    const bucket_search<K> &search;
    unsigned splitters;
    __device__ __forceinline__ unsigned operator()(K key) const
    {
        const K one[1] = {key};
        unsigned part[1];
        search.find(one, splitters, part);
        return part[0];
    }
};

template <class K> struct large_tile : scatter_tile<K, SCATTER_ITEMS_CDF<K>> {
    static constexpr int EACH = SCATTER_ITEMS_CDF<K>;
    static constexpr unsigned LARGEST = LONG_BUCKET<K>; // small bucket
};

template <class K>
__device__ __forceinline__ void list_one_large(const round_lists<K> &to, unsigned begin, unsigned size)
{
    constexpr unsigned EACH = large_tile<K>::SIZE;
    unsigned number = atomicAdd(&to.counts->large, 1), tiles = (size - 1) / EACH + 1;
    unsigned first = atomicAdd(&to.counts->tiles, tiles);
    to.large[number] = {begin, size, atomicAdd(&to.counts->parts, wanted_buckets(size)), false};
    for (unsigned i = 0; i < tiles; i++)
        to.tiles[first + i] = {number, i};
}

template <class K>
__device__ __forceinline__ void list_equal(const round_lists<K> &to, unsigned begin, unsigned size, K value)
{
    constexpr unsigned EACH = large_tile<K>::SIZE;
    unsigned tiles = (size - 1) / EACH + 1, first = atomicAdd(&to.counts->equal, tiles);
    for (unsigned i = 0; i < tiles; i++)
        to.equal[first + i] = {begin + i * EACH, min(EACH, size - i * EACH), value};
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
        list_one_large(to, start[bucket], start[bucket + 1] - start[bucket]);
}

// The block's tile of a large bucket.
template <class K> struct tile_of_large {
    unsigned number, begin;
    int size;
    large_bucket of;
    __device__ __forceinline__ explicit tile_of_large(const round_lists<K> &lists)
    {
        constexpr unsigned EACH = large_tile<K>::SIZE;
        bucket_part tile = lists.tiles[blockIdx.x];
        number = tile.bucket;
        of = lists.large[number];
        begin = of.begin + tile.tile * EACH;
        size = int(min(EACH, of.size - tile.tile * EACH));
    }
};

// Splitters: a block per large bucket.
template <class K>
__global__ void __launch_bounds__(SPLITTER_THREADS)
    split_large(const K *keys, round_lists<K> lists, round_parts<K> parts)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    const large_bucket of = lists.large[blockIdx.x];
    find_splitters_of(*reinterpret_cast<splitter_sample<K> *>(dynamic_memory), keys + of.begin, of.size,
                      parts.of(blockIdx.x, of));
}

// A tile's counts of parts.
template <class K> struct part_counts {
    static constexpr int BATCH = 8; // whose loads and searches overlap
    unsigned count[BUCKETS];
    bucket_search<K> search;

    // Calls act(keys, which are there) for all keys, by whole warps.
    template <class Do> static __device__ __forceinline__ void for_batches(const K *keys, int size, Do act)
    {
        for (int begin = 0; begin < size; begin += BATCH * SCATTER_THREADS) {
            K key[BATCH];
            unsigned there = 0; // bit i: key i
#pragma unroll
            for (int i = 0; i < BATCH; i++) {
                int at = begin + i * SCATTER_THREADS + int(threadIdx.x);
                key[i] = at < size ? keys[at] : K(0);
                there |= unsigned(at < size) << i;
            }
            act(key, there);
        }
    }
    __device__ __forceinline__ void add(const K *keys, int size, unsigned splitters)
    {
        for_batches(keys, size, [&](const K(&key)[BATCH], unsigned there) {
            unsigned part[BATCH];
            search.find(key, splitters, part);
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                add_alike(part[i], there >> i & 1,
                          [&](unsigned which, unsigned added) { atomicAdd(&count[which], added); });
        });
    }
    // The same for one splitter or two, in registers.
    __device__ __forceinline__ void add_to_few(const K *keys, int size, unsigned splitters)
    {
        unsigned all = 0, above[2] = {};
        K first = search.splitter[0], second = search.splitter[1];
        for_batches(keys, size, [&](const K(&key)[BATCH], unsigned there) {
#pragma unroll
            for (int i = 0; i < BATCH; i++) {
                bool is_there = there >> i & 1;
                all += is_there;
                above[0] += is_there && key[i] >= first;
                above[1] += is_there && splitters > 1 && key[i] >= second;
            }
        });
        all = warp_sum(all);
        above[0] = warp_sum(above[0]);
        above[1] = warp_sum(above[1]);
        if (lane_id() > 0)
            return;
        atomicAdd(&count[0], all - above[0]);
        atomicAdd(&count[1], above[0] - above[1]);
        atomicAdd(&count[2], above[1]);
    }
};

// Count: the keys of each part. A block per tile.
template <class K>
__global__ void __launch_bounds__(SCATTER_THREADS)
    count_large(const K *keys, round_lists<K> lists, round_parts<K> parts)
{
    __shared__ part_counts<K> counts;
    tile_of_large<K> tile(lists);
    const segment_split<K> split = parts.of(tile.number, tile.of);
    unsigned splitters = split.splitters();
    counts.search.load(split);
    if (threadIdx.x < BUCKETS)
        counts.count[threadIdx.x] = 0;
    __syncthreads();
    if (splitters <= 2)
        counts.add_to_few(keys + tile.begin, tile.size, splitters);
    else
        counts.add(keys + tile.begin, tile.size, splitters);
    __syncthreads();
    if (threadIdx.x < BUCKETS && counts.count[threadIdx.x] > 0)
        atomicAdd(&parts.count[tile.of.first + threadIdx.x], counts.count[threadIdx.x]);
}

// Lists the parts of a large bucket that a block can sort, neighbours together up to a tile. end_of: of each part. By
// one thread.
template <class K>
__device__ __forceinline__ void list_parts(const round_lists<K> &next, unsigned bucket_begin, unsigned parts,
                                           const unsigned *end_of)
{
    unsigned first = bucket_begin, end = bucket_begin; // [first, end): not listed yet
    for (unsigned part = 0; part < parts; part++) {
        unsigned begin = end;
        end = end_of[part];
        if (end - first > bucket_tile<K>::SIZE && first < begin) {
            list_small(next, first, begin);
            first = begin;
        }
        if (end - begin > large_tile<K>::LARGEST)
            first = end; // in another list
    }
    if (first < end)
        list_small(next, first, end);
}

// Scan: a block per large bucket turns its counts into places, and lists its parts for the next round.
template <class K>
__global__ void __launch_bounds__(BUCKETS) place_large(round_lists<K> lists, round_parts<K> parts, round_lists<K> next)
{
    __shared__ unsigned end_of[BUCKETS];
    __shared__ block_sum<sk_u32, BUCKETS> sums;
    const large_bucket of = lists.large[blockIdx.x];
    const segment_split<K> split = parts.of(blockIdx.x, of);
    unsigned part = threadIdx.x, all = *split.buckets, *mine = &parts.count[of.first + part];
    unsigned count = part < all ? *mine : 0, begin = of.begin + sums.exclusive(count);
    end_of[part] = begin + count;
    if (part < all)
        *mine = begin;
    __syncthreads();
    if (count > large_tile<K>::LARGEST) {
        if (split.is_equal(part)) {
            list_equal(next, begin, count, split.least(part));
            if (count == of.size)
                lists.large[blockIdx.x].is_equal = true;
        } else
            list_one_large(next, begin, count);
    }
    if (part == 0)
        list_parts(next, of.begin, all, end_of);
}

// Scatter: a block per tile brings keys to their parts. Popular values make neighbours alike.
template <class K>
__global__ void __launch_bounds__(SCATTER_THREADS, 2)
    scatter_large(const K *in, round_lists<K> lists, round_parts<K> parts, scatter_pass<K> pass)
{
    using tile = large_tile<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    __shared__ bucket_search<K> search;
    tile_of_large<K> own(lists);
    if (own.of.is_equal)
        return;
    const segment_split<K> split = parts.of(own.number, own.of);
    search.load(split); // scatter() has a barrier before its first search
    const part_projection<K> project = {search, split.splitters()};
    integer_order<K> as_keys = {0};
    if (own.size == tile::SIZE)
        scatter<true, true, tile::EACH>(shared, in + own.begin, own.size, as_keys, project, pass, own.of.first);
    else
        scatter<false, true, tile::EACH>(shared, in + own.begin, own.size, as_keys, project, pass, own.of.first);
}

// Keys of one value, as values. A block per entry.
template <class K, class Order>
__global__ void __launch_bounds__(SCATTER_THREADS) write_equal(K *out, Order order, const equal_keys<K> *list)
{
    const equal_keys<K> of = list[blockIdx.x];
    K value = order.value(of.value);
    for (unsigned at = threadIdx.x; at < of.size; at += SCATTER_THREADS)
        out[of.begin + at] = value;
}

#endif
