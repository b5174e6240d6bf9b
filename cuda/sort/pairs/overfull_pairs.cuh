// overfull_pairs.cuh - sorts buckets of pairs with overfull bins by radix sort, a block each. If few bins have keys,
// they are numbered in their order: then one digit tells them apart, whatever bits they differ in, and before it come
// only the digits of the last bits that keys of the same bin differ in. Few values have none.
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
    unsigned differing;     // bits that keys of the same bin differ in
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

// A bucket's items, and the numbers of their fine bins.
template <class K, class V> struct numbered_items {
    using tile = overfull_tile_of_pairs<K, V>;
    static constexpr int ITEMS = tile::ITEMS_EACH;
    tile &items;
    bins_with_keys<K> &bins;
    unsigned size;
    const fine_bins<K> &fine;

    __device__ __forceinline__ bool is_there(int i) const
    {
        return unsigned(tile::ranker::place(i)) < size;
    }
    // What is behind the bucket stays behind.
    __device__ __forceinline__ unsigned number(int i) const
    {
        return is_there(i) ? bins.number_of(fine.of(items.key[i])) : bins.count - 1;
    }
    // Finds the bins with keys. Returns false if these are more than RADIX; otherwise each has a key as its value. Ends
    // with a barrier.
    __device__ __forceinline__ bool find_bins() const
    {
        unsigned first = 0; // bit i: item i is the first of its bin
        if (threadIdx.x == 0)
            bins.differing = 0;
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
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (first >> i & 1)
                bins.value[number(i)] = items.key[i];
        __syncthreads();
        return true;
    }
    // How many bits from `bit` on it takes to tell keys of the same bin apart.
    __device__ __forceinline__ unsigned differing_bits(unsigned bit) const
    {
        K differing = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (is_there(i))
                differing |= (items.key[i] ^ bins.value[number(i)]) & fine.bits;
        differing >>= bit;
        if (__syncthreads_or(differing != 0) == 0)
            return 0;
        unsigned most = warp_max(bits_of(differing));
        if (lane_id() == 0)
            atomicMax(&bins.differing, most);
        __syncthreads();
        return bins.differing;
    }
};

// Sorts by the last bits that keys of a fine bin differ in, and by the numbers of the bins with keys. Returns false,
// with nothing done, if these are more than RADIX or if that takes as many digits as all the `rest` bits.
template <class K, class V>
__device__ __forceinline__ bool sort_few_bins(overfull_tile_of_pairs<K, V> &items,
                                              typename overfull_tile_of_pairs<K, V>::shared_memory &shared,
                                              bins_with_keys<K> &bins, unsigned size, unsigned bit, unsigned rest,
                                              const fine_bins<K> &fine, rank_by way)
{
    using tile = overfull_tile_of_pairs<K, V>;
    const numbered_items<K, V> numbered = {items, bins, size, fine};
    if (!numbered.find_bins())
        return false;
    unsigned bits = numbered.differing_bits(bit);
    if (bits > 0) {
        if (digit_range{0, bits}.count() + 1 >= digit_range{0, rest}.count())
            return false;
        items.sort(shared, bit, bit + bits, way);
    }
    unsigned rank[tile::ITEMS_EACH];
    tile::ranker::rank(
        shared.ranks, way, [&](int i) { return numbered.number(i); }, rank, [](uint32_t) {});
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
__global__ void __launch_bounds__(SORT_THREADS, OVERFULL_PAIR_BLOCKS)
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
        if (!sort_few_bins<K, V>(items, shared.sort, shared.bins, size, bit, rest, fine, way))
            items.sort(shared.sort, bit, bit + rest, way);
#pragma unroll
        for (K &key : items.key)
            key = order.value(key);
        items.store(out.keys + begin, out.values + begin, int(size));
        __syncthreads();
    }
}

#endif
