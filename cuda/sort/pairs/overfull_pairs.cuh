// overfull_pairs.cuh - sorts buckets of pairs with overfull bins by radix sort, a block each. Few values are numbered
// in their order first: then one digit tells them apart, whatever bits they differ in.
#ifndef SK_CUDA_OVERFULL_PAIRS_CUH
#define SK_CUDA_OVERFULL_PAIRS_CUH

#include "sort/pairs/pair_buckets.cuh"

template <class K, class V>
using overfull_tile_of_pairs = block_radix_sort<K, V, SORT_THREADS, (pair_tile<K, V>::SIZE - 1) / SORT_THREADS + 1>;

// The fine bins that have keys, in shared memory.
template <class K> struct bins_with_keys {
    static constexpr unsigned WORDS = (1u << BUCKET_FINE_BITS) / WARP;
    uint32_t word[WORDS];   // a bit a bin
    unsigned before[WORDS]; // bins with keys before the word
    unsigned count;         // of all
    K value[RADIX];         // a key of each, if there are no more

    __device__ __forceinline__ void clear()
    {
        for (unsigned w = threadIdx.x; w < WORDS; w += blockDim.x)
            word[w] = 0;
    }
    // Returns true for one of the bin's keys.
    __device__ __forceinline__ bool add(unsigned bin)
    {
        uint32_t bit = 1u << bin % WARP;
        return (*(volatile uint32_t *)&word[bin / WARP] & bit) == 0 && (atomicOr(&word[bin / WARP], bit) & bit) == 0;
    }
    // By the first warp.
    __device__ __forceinline__ void number_all()
    {
        constexpr unsigned EACH = WORDS / WARP;
        unsigned own = 0;
        for (unsigned w = 0; w < EACH; w++)
            own += __popc(word[lane_id() * EACH + w]);
        unsigned all = warp_scan<op_sum<sk_u32>>(own), at = all - own;
        for (unsigned w = 0; w < EACH; w++) {
            before[lane_id() * EACH + w] = at;
            at += __popc(word[lane_id() * EACH + w]);
        }
        if (lane_id() == WARP - 1)
            count = all;
    }
    __device__ __forceinline__ unsigned number_of(unsigned bin) const
    {
        return before[bin / WARP] + __popc(word[bin / WARP] & ((1u << bin % WARP) - 1));
    }
};

// Sorts by the numbers of the fine bins with keys. Returns false, with nothing done, if these are more than RADIX or
// one has several values.
template <class K, class V>
__device__ __forceinline__ bool
sort_few_values(overfull_tile_of_pairs<K, V> &items, typename overfull_tile_of_pairs<K, V>::shared_memory &shared,
                bins_with_keys<K> &bins, unsigned size, const fine_bins<K> &fine, rank_by way)
{
    using tile = overfull_tile_of_pairs<K, V>;
    constexpr int ITEMS = tile::ITEMS_EACH;
    auto is_there = [&](int i) { return unsigned(tile::ranker::place(i)) < size; };
    unsigned first = 0; // bit i: item i is the first of its bin
    bins.clear();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (is_there(i) && bins.add(fine.of(items.key[i])))
            first |= 1u << i;
    __syncthreads();
    if (threadIdx.x < WARP)
        bins.number_all();
    __syncthreads();
    if (bins.count > RADIX)
        return false;

    // Two blocks have no registers to keep numbers.
    constexpr bool KEEPS = OVERFULL_PAIR_BLOCKS<K, V> == 1;
    unsigned kept[KEEPS ? ITEMS : 1] = {};
    auto find_number = [&](int i) { // what is behind the bucket stays behind
        return is_there(i) ? bins.number_of(fine.of(items.key[i])) : bins.count - 1;
    };
    auto number = [&](int i) { return KEEPS ? kept[KEEPS ? i : 0] : find_number(i); };
    bool same = true;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if constexpr (KEEPS)
            kept[i] = find_number(i);
        if (first >> i & 1)
            bins.value[number(i)] = items.key[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        same = same && (!is_there(i) || ((items.key[i] ^ bins.value[number(i)]) & fine.bits) == 0);
    if (!__syncthreads_and(same))
        return false;
    unsigned rank[ITEMS];
    tile::ranker::rank(shared.ranks, way, number, rank, [](uint32_t) {});
    tile::exchange(shared.exchange.key, items.key, rank);
    tile::exchange(shared.exchange.value, items.value, rank);
    return true;
}

template <class K, class V> struct overfull_memory {
    typename overfull_tile_of_pairs<K, V>::shared_memory sort;
    bins_with_keys<K> bins;
};

// Sorts the listed buckets, a block at a time, by bits [bit, bit + rest) of the keys. out may be in.
template <class K, class V>
__global__ void __launch_bounds__(SORT_THREADS, OVERFULL_PAIR_BLOCKS<K, V>)
    sort_overfull_pairs(pair_columns<const K, const V> in, pair_columns<K, V> out, const unsigned *start, unsigned bit,
                        unsigned rest, number_order<K> order, rank_by way, const unsigned *listed, const unsigned *list)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<overfull_memory<K, V> *>(dynamic_memory);
    fine_bins<K> fine(bit, rest);
    wait_for_launches();
    for (unsigned i = blockIdx.x; i < *listed; i += gridDim.x) {
        unsigned begin = start[list[i]], size = start[list[i] + 1] - begin;
        overfull_tile_of_pairs<K, V> items;
        items.load(in.keys + begin, in.values + begin, int(size));
        if (!sort_few_values<K, V>(items, shared.sort, shared.bins, size, fine, way))
            items.sort(shared.sort, bit, bit + rest, way);
#pragma unroll
        for (K &key : items.key)
            key = order.value(key);
        items.store(out.keys + begin, out.values + begin, int(size));
        __syncthreads();
    }
}

#endif
