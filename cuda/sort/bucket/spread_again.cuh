// spread_again.cuh - crowded bins of a bucket, spread over new bins in rounds: each from its least key to its greatest,
// over as many new bins as it has keys, or more. So groups of near-duplicates are told apart, whatever bits they differ
// in. If most keys are near the least, the new bins divide the logarithm of the distance from it.
#ifndef SK_CUDA_SPREAD_AGAIN_CUH
#define SK_CUDA_SPREAD_AGAIN_CUH

#include "sort/bucket/bucket_sort.cuh"

// Grows by 2^23 where x doubles, and from 0 to 1.
template <class K> __device__ __forceinline__ unsigned logarithm_of(K x)
{
    constexpr unsigned HALF = 0x3f000000; // as the bits of a float
    return x > 0 ? __float_as_uint(float(x)) - HALF : 0;
}

// `bins` bins for keys from `least` to `greatest`, of the same width or of the same ratio. The least key and the
// greatest have different bins if there are two.
template <class K> struct alignas(16) group_bins {
    K low;
    unsigned scale;            // 2^32 times the bins per (distance >> shift), or per step of its logarithm
    unsigned char shift;       // leaves 31 bits
    unsigned char logarithmic; // 1 or 0
    unsigned short first;      // the first bin

    __device__ __forceinline__ group_bins(K least, K greatest, unsigned first_bin, unsigned bins, bool of_logarithm)
        : low(least), logarithmic(of_logarithm), first((unsigned short)first_bin)
    {
        K range = greatest - least;
        shift = (unsigned char)max(0, int(bits_of(range)) - 31);
        scale = bins_per_step(bins, steps(greatest));
    }
    __device__ __forceinline__ unsigned steps(K own) const
    {
        K distance = own - low;
        return logarithmic ? logarithm_of(distance) : unsigned(distance >> shift);
    }
    __device__ __forceinline__ unsigned operator()(K own) const
    {
        return first + __umulhi(steps(own) + 1, scale); // as many steps as bins or fewer: a bin each
    }
};

// The groups of a round, in ascending order: a crowded bin each, with more than WARP keys. Their keys lie one group
// behind the other.
template <class tile> struct key_groups {
    using K = typename tile::key_type;
    static constexpr unsigned MOST = tile::SIZE / OVERFULL_BIN;
    group_bins<K> bins[MOST];
    unsigned short first[MOST + 1]; // place of the first key among the keys of all groups; all keys
    short in[MOST], out[MOST];      // from there to the places of the keys on chip, and in the bucket
    K least[MOST], greatest[MOST];
    unsigned char are_near[MOST];                  // most keys are near the least
    unsigned char of_chunk[tile::SIZE / WARP + 1]; // of each WARP keys: the group of the first one

    // The group of the key at a place.
    __device__ __forceinline__ unsigned of(unsigned at) const
    {
        unsigned g = of_chunk[at / WARP];
        return g + (at >= first[g + 1]);
    }
};

template <class tile> struct bucket_memory {
    typename tile::shared_memory bucket;
    key_groups<tile> groups;
};

// The block's memory, which is all of its dynamic memory.
template <class tile> __device__ __forceinline__ bucket_memory<tile> &memory_of_bucket()
{
    extern __shared__ __align__(16) char dynamic_memory[];
    return *reinterpret_cast<bucket_memory<tile> *>(dynamic_memory);
}

// The crowded bin that a thread makes a group of.
struct crowded_bin {
    unsigned group, first;  // its number in ascending order, and the keys of the groups before it
    unsigned keys, in, out; // the first one's place on chip, and in the bucket when it is sorted
    bool is_there;
};
template <class Memory, class OutAt>
__device__ __forceinline__ crowded_bin take_crowded(const Memory &shared, OutAt out_at)
{
    const auto &crowded = shared.listed.crowded;
    crowded_bin mine = {0, 0, 0, 0, 0, threadIdx.x < crowded.count};
    if (!mine.is_there)
        return mine;
    unsigned bin = crowded.bin[threadIdx.x];
    bin_range range(shared.ends, bin);
    mine.keys = range.size();
    mine.in = range.begin;
    mine.out = out_at(range.begin);
#pragma unroll 4
    for (unsigned i = 0; i < crowded.count; i++) {
        unsigned other = crowded.bin[i];
        bool is_before = other < bin;
        mine.group += is_before;
        mine.first += is_before ? bin_range(shared.ends, other).size() : 0;
    }
    return mine;
}

// If more than half of some keys of a group are within the first of 2^NEAR_BITS parts of its span, bins divide the
// logarithm.
constexpr unsigned NEAR_BITS = 4;

// A warp finds the extremes of a group, and tells which chunks begin in it.
template <class tile, class K>
__device__ __forceinline__ void see_group(key_groups<tile> &groups, unsigned g, const K *keys)
{
    unsigned first = groups.first[g], size = groups.first[g + 1] - first;
    keys += first + groups.in[g];
    K least = K(~K(0)), greatest = 0;
#pragma unroll 4
    for (unsigned at = lane_id(); at < size; at += WARP) {
        least = min(least, keys[at]);
        greatest = max(greatest, keys[at]);
    }
    warp_extremes(&least, &greatest);
    K sample = keys[lane_id() * size / WARP];
    unsigned near = __ballot_sync(FULL_WARP, K(sample - least) <= K(greatest - least) >> NEAR_BITS);
    for (unsigned chunk = (first + WARP - 1) / WARP + lane_id(); chunk * WARP < first + size; chunk += WARP)
        groups.of_chunk[chunk] = (unsigned char)g;
    if (lane_id() == 0) {
        groups.least[g] = least;
        groups.greatest[g] = greatest;
        groups.are_near[g] = __popc(near) > WARP / 2;
    }
}

// Makes groups of crowded bins, each with its share of the new bins. Returns the number of their keys. mine: of
// take_crowded(). Only every other round divides logarithms, so that each two rounds divide the span of a group by its
// bins. Bins are clear afterwards.
template <class tile>
__device__ __forceinline__ unsigned make_groups(bucket_memory<tile> &memory, const crowded_bin &mine, unsigned round)
{
    auto &shared = memory.bucket;
    auto &groups = memory.groups;
    unsigned count = shared.listed.crowded.count;
    __syncthreads(); // before this, all have taken theirs
    if (mine.is_there) {
        groups.in[mine.group] = short(mine.in - mine.first);
        groups.out[mine.group] = short(mine.out - mine.first);
        groups.first[mine.group] = (unsigned short)mine.first;
        if (mine.group + 1 == count)
            groups.first[count] = (unsigned short)(mine.first + mine.keys);
    }
    __syncthreads();
    unsigned all = groups.first[count];
#pragma unroll 1
    for (unsigned g = threadIdx.x / WARP; g < count; g += tile::THREADS / WARP)
        see_group(groups, g, shared.key);
    clear_bins<tile>(shared);
    __syncthreads();
    for (unsigned g = threadIdx.x; g < count; g += tile::THREADS) {
        unsigned first_bin = groups.first[g] * tile::BINS / all, end_bin = groups.first[g + 1] * tile::BINS / all;
        groups.bins[g] = group_bins<typename tile::key_type>(groups.least[g], groups.greatest[g], first_bin,
                                                             end_bin - first_bin, round % 2 == 0 && groups.are_near[g]);
    }
    __syncthreads();
    return all;
}

// Count, scan, place: `size` keys of groups into new bins. They are all that is left on chip. Returns the size of the
// largest bin.
template <class tile> __device__ __forceinline__ unsigned spread_groups(bucket_memory<tile> &memory, unsigned size)
{
    using K = typename tile::key_type;
    constexpr int BATCH = tile::ITEMS / 3; // a batch's loads wait together
    auto &shared = memory.bucket;
    const auto &groups = memory.groups;
    bucket_items<tile, 0> items;
    unsigned short bin[tile::ITEMS];
    items.size = size;
    auto *counters = reinterpret_cast<uint32_t *>(shared.ends);
#pragma unroll
    for (int first = 0; first < tile::ITEMS; first += BATCH) {
        if (first * tile::THREADS >= size)
            break;
#pragma unroll
        for (int i = first; i < min(first + BATCH, tile::ITEMS); i++) {
            unsigned at = min(items.place(i), size - 1), g = groups.of(at);
            items.key[i] = shared.key[int(at) + groups.in[g]];
            bin[i] = (unsigned short)groups.bins[g](items.key[i]);
        }
#pragma unroll
        for (int i = first; i < min(first + BATCH, tile::ITEMS); i++)
            if (items.is_there(i))
                count_one(counters, bin[i]);
    }
    __syncthreads();
    unsigned largest = scan_bins<tile>(shared);
    items.for_each([&](int i) { shared.key[take_place(counters, bin[i])] = items.key[i]; });
    __syncthreads();
    return largest;
}

// Keys are in the order of their bins. Sorts within and stores to out, as values, but adds the crowded bins to a list
// and leaves them. bin_at(place) is the bin of a key, out_at(place) its place in out.
template <class tile, class K, class Order, class BinAt, class OutAt>
__device__ __forceinline__ void store_but_crowded(typename tile::shared_memory &shared, unsigned size, K *out,
                                                  const Order &order, BinAt bin_at, OutAt out_at)
{
    bool compared = order_bins<tile, BIN_EACH<K>>(shared, size, CROWDED_FROM<K>, bin_at);
    unsigned crowded = shared.listed.crowded.count;
    if (crowded > 0) {
        if (threadIdx.x < crowded) {
            unsigned bin = shared.listed.crowded.bin[threadIdx.x];
            atomicOr(&reinterpret_cast<uint32_t *>(shared.ends)[bin / 2], CROWDED_BIN << bin % 2 * 16);
        }
        __syncthreads();
    }
    if (crowded == 0 && !compared) {
#pragma unroll 4
        for (unsigned at = threadIdx.x; at < size; at += tile::THREADS)
            out[out_at(at)] = order.value(shared.key[at]);
        return;
    }
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS) {
        bin_range range(shared.ends, bin_at(at));
        if (!range.is_crowded)
            out[out_at(place_in_order<tile>(shared, at, range))] = order.value(shared.key[at]);
    }
}

// The keys of groups, whose bins have few keys each.
template <class tile, class K, class Order>
__device__ __forceinline__ void store_groups(bucket_memory<tile> &memory, unsigned size, unsigned largest, K *out,
                                             const Order &order)
{
    auto &shared = memory.bucket;
    const auto &groups = memory.groups;
    bool by_rounds = sizeof(K) <= 4 && largest <= tile::HALO + 1;
    if (by_rounds && largest > 1)
        sort_neighbours<tile>(shared, size, largest);
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS) {
        K own = shared.key[at];
        unsigned g = groups.of(at), place = at;
        if (!by_rounds) {
            bin_range range(shared.ends, groups.bins[g](own));
            place = place_in_bin(shared.key, at, range.begin, range.end);
        }
        out[int(place) + groups.out[g]] = order.value(own);
    }
}

// Spreads the crowded bins in rounds, until all keys are sorted. mine: of take_crowded().
template <class tile, class K, class Order>
__device__ __noinline__ void sort_crowded(crowded_bin mine, K *out, Order order)
{
    auto &memory = memory_of_bucket<tile>();
    auto &shared = memory.bucket;
    const auto &groups = memory.groups;
    auto bin_at = [&](unsigned at) { return groups.bins[groups.of(at)](shared.key[at]); };
    auto out_at = [&](unsigned at) { return unsigned(int(at) + groups.out[groups.of(at)]); };
#pragma unroll 1
    for (unsigned round = 0;; round++) {
        unsigned size = make_groups(memory, mine, round), largest = spread_groups<tile>(memory, size);
        if (largest <= COMPARED_BIN)
            return store_groups(memory, size, largest, out, order);
        store_but_crowded<tile>(shared, size, out, order, bin_at, out_at);
        if (shared.listed.crowded.count == 0)
            return;
        mine = take_crowded(shared, out_at);
    }
}

// How sort_items() sorts a bucket with larger bins. A call of its own leaves the registers to even bins.
template <class tile, class K, class Order, class Bins>
__device__ __noinline__ void sort_uneven_bucket(unsigned size, unsigned largest, K *out, Order order, Bins bin_of)
{
    auto &shared = memory_of_bucket<tile>().bucket;
    if (store_larger_bins<tile>(shared, size, largest, out, order, bin_of))
        return;
    auto same = [](unsigned at) { return at; };
    store_but_crowded<tile>(
        shared, size, out, order, [&](unsigned at) { return bin_of(shared.key[at]); }, same);
    if (shared.listed.crowded.count > 0)
        sort_crowded<tile>(take_crowded(shared, same), out, order);
}
template <class tile> struct uneven_in_rounds {
    template <class K, class Order, class Bins>
    __device__ __forceinline__ bool operator()(unsigned size, unsigned largest, K *out, const Order &order,
                                               const Bins &bin_of) const
    {
        sort_uneven_bucket<tile>(size, largest, out, order, bin_of);
        return true;
    }
};

#endif
