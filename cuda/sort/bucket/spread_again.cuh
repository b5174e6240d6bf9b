// spread_again.cuh - overfull bins of a bucket that are out of order, spread over new bins: each from its least key to
// its greatest, over as many as it has keys. So groups of near-duplicates are told apart, whatever bits they differ in.
// If most keys are near the least, bins divide the logarithm of the distance from it.
#ifndef SK_CUDA_SPREAD_AGAIN_CUH
#define SK_CUDA_SPREAD_AGAIN_CUH

#include "sort/bucket/bucket_sort.cuh"

// Grows by 2^23 where x doubles, and from 0 to 1.
template <class K> __device__ __forceinline__ unsigned logarithm_of(K x)
{
    constexpr unsigned HALF = 0x3f000000; // as the bits of a float
    return x > 0 ? __float_as_uint(float(x)) - HALF : 0;
}

// `bins` bins for keys from `least` to `greatest`, of the same width or of the same ratio.
template <class K> struct group_bins {
    K low;
    unsigned shift, scale; // 2^32 times the bins per (distance >> shift), or per step of its logarithm
    bool logarithmic;

    __device__ __forceinline__ group_bins(K least, K greatest, unsigned bins, bool of_logarithm)
        : low(least), shift(0), logarithmic(of_logarithm)
    {
        K range = greatest - least;
        if (sizeof(K) == 8)
            shift = max(0, WARP - __clzll(range));
        scale = bins_per_step(bins, logarithmic ? logarithm_of(range) : unsigned(range >> shift));
    }
    __device__ __forceinline__ unsigned operator()(K own) const
    {
        K distance = own - low;
        return __umulhi(logarithmic ? logarithm_of(distance) : unsigned(distance >> shift), scale);
    }
};

// The keys of an overfull bin.
template <class K> struct key_group {
    group_bins<K> bins;
    unsigned short begin, first, base; // its place in the bucket, among the keys of all groups, and its first new bin
};

// Beside the bucket's memory. The number of a bin's group, plus 1; and the keys of all groups, by their new bins.
template <class tile> struct spread_memory {
    static constexpr unsigned MOST = DISORDERED_BINS;
    typename tile::shared_memory again;
    key_group<typename tile::key_type> group[MOST];
    uint32_t numbers[tile::BINS / 4];
    unsigned keys; // of all groups

    __device__ __forceinline__ unsigned number_of(unsigned bin) const
    {
        return reinterpret_cast<const unsigned char *>(numbers)[bin];
    }
};

// The new bin of a key of a group.
template <class tile, class BinOf> struct new_bins {
    using K = typename tile::key_type;
    const spread_memory<tile> &memory;
    const BinOf &bin_of;

    __device__ __forceinline__ const key_group<K> &group_of(K own) const
    {
        return memory.group[memory.number_of(bin_of(own)) - 1];
    }
    __device__ __forceinline__ unsigned operator()(K own) const
    {
        const key_group<K> &group = group_of(own);
        return group.base + group.bins(own);
    }
};

// If more than half of some keys of a group are within the first of 2^NEAR_BITS parts of its span, bins divide the
// logarithm.
constexpr unsigned NEAR_BITS = 4;

// A warp finds the extremes of a group: `bins` new bins divide what is between.
template <class K>
__device__ __forceinline__ void divide_group(key_group<K> *group, const K *keys, unsigned size, unsigned bins)
{
    K least = K(~K(0)), greatest = 0;
    for (unsigned at = lane_id(); at < size; at += WARP) {
        least = min(least, keys[at]);
        greatest = max(greatest, keys[at]);
    }
    warp_extremes(&least, &greatest);
    K sample = keys[lane_id() * size / WARP];
    unsigned near = __ballot_sync(FULL_WARP, K(sample - least) <= K(greatest - least) >> NEAR_BITS);
    if (lane_id() == 0)
        group->bins = group_bins<K>(least, greatest, bins, __popc(near) > WARP / 2);
}

// Makes the groups of the listed bins. Each has more than BINS / tile::SIZE keys, so at least one new bin.
template <class tile>
__device__ __forceinline__ void make_groups(const typename tile::shared_memory &shared, spread_memory<tile> &memory)
{
    const bin_list &listed = shared.disordered.large;
    clear_bins<tile>(memory.again);
    for (unsigned i = threadIdx.x; i < tile::BINS / 4; i += tile::THREADS)
        memory.numbers[i] = 0;
    unsigned size = threadIdx.x < listed.count ? bin_range(shared.ends, listed.bin[threadIdx.x]).size() : 0;
    unsigned first = memory.again.sums.exclusive(size);
    if (threadIdx.x < listed.count) {
        unsigned bin = listed.bin[threadIdx.x], begin = bin_range(shared.ends, bin).begin;
        reinterpret_cast<unsigned char *>(memory.numbers)[bin] = (unsigned char)(threadIdx.x + 1);
        key_group<typename tile::key_type> &own = memory.group[threadIdx.x];
        own.begin = (unsigned short)begin;
        own.first = (unsigned short)first;
        own.base = (unsigned short)(first * tile::BINS / tile::SIZE);
    }
    if (threadIdx.x + 1 == listed.count)
        memory.keys = first + size;
    __syncthreads();
    for (unsigned g = threadIdx.x / WARP; g < listed.count; g += tile::THREADS / WARP) {
        bin_range range(shared.ends, listed.bin[g]);
        unsigned end = (memory.group[g].first + range.size()) * tile::BINS / tile::SIZE;
        divide_group(&memory.group[g], shared.key + range.begin, range.size(), end - memory.group[g].base);
    }
    __syncthreads();
}

// Keys are in the order of their bins, and overfull ones that are out of order are listed, at least one. Sorts all and
// stores to out, as values. Returns false, and leaves out as it was, if a new bin is overfull too.
template <class tile, class K, class Order, class BinOf>
__device__ __forceinline__ bool spread_again(const typename tile::shared_memory &shared, spread_memory<tile> &memory,
                                             unsigned size, K *out, const Order &order, const BinOf &bin_of)
{
    auto &again = memory.again;
    auto *counters = reinterpret_cast<uint32_t *>(again.ends);
    const new_bins<tile, BinOf> new_bin = {memory, bin_of};
    make_groups<tile>(shared, memory);

    // Count, scan, place: the keys of groups into new bins.
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS)
        if (memory.number_of(bin_of(shared.key[at])) > 0)
            count_one(counters, new_bin(shared.key[at]));
    __syncthreads();
    unsigned largest = scan_bins<tile>(again);
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS)
        if (memory.number_of(bin_of(shared.key[at])) > 0)
            again.key[take_place(counters, new_bin(shared.key[at]))] = shared.key[at];
    __syncthreads();
    bool marked = false;
    if (largest > COMPARED_BIN && !order_bins<LISTED_EACH<K>>(again, memory.keys, largest, new_bin, &marked))
        return false;

    // Store: the keys of groups by their new bins, and the others by the old ones.
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS) {
        K own = shared.key[at];
        unsigned bin = bin_of(own);
        bin_range range(shared.ends, bin);
        if (memory.number_of(bin) == 0)
            out[range.mark == 0 ? at : place_in_bin(shared.key, at, range.begin, range.end)] = order.value(own);
    }
    for (unsigned at = threadIdx.x; at < memory.keys; at += tile::THREADS) {
        K own = again.key[at];
        const key_group<K> &group = new_bin.group_of(own);
        bin_range range(again.ends, new_bin(own));
        bool in_order = marked && (range.mark == 0 || range.size() > COMPARED_BIN);
        unsigned place = in_order ? at : place_in_bin(again.key, at, range.begin, range.end);
        out[group.begin + place - group.first] = order.value(own);
    }
    return true;
}

#endif
