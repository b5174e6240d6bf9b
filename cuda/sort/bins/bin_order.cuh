// bin_order.cuh - the bins of a bucket that are out of order: found, listed, and sorted by a warp each. Crowded bins
// are left to others.
#ifndef SK_CUDA_BIN_ORDER_CUH
#define SK_CUDA_BIN_ORDER_CUH

#include "common/aggregate.cuh"
#include "common/thread.cuh"
#include "device/tuning.cuh"
#include "sort/merge/bitonic_sort.cuh"

// The two highest bits of the end of a bin mark a listed bin, and a crowded one. A tile has fewer keys.
constexpr unsigned LISTED_BIN = 0x8000, CROWDED_BIN = 0x4000, BIN_MARKS = LISTED_BIN | CROWDED_BIN;

// Where a bin is in the tile. Ends have 16 bits.
struct bin_range {
    unsigned begin, end;
    bool is_crowded;
    __device__ __forceinline__ bin_range(const uint4 *packed_ends, unsigned bin)
    {
        auto *ends = reinterpret_cast<const unsigned short *>(packed_ends);
        unsigned last = ends[bin];
        begin = bin > 0 ? ends[bin - 1] & ~BIN_MARKS : 0;
        end = last & ~BIN_MARKS;
        is_crowded = (last & CROWDED_BIN) != 0;
    }
    __device__ __forceinline__ unsigned size() const
    {
        return end - begin;
    }
};

// Which keys of a tile are followed by a lesser one: a bit each, in shared memory. Keys are in the order of their bins,
// so the bin of such a key is out of order.
template <int SIZE> struct descents {
    uint32_t of_chunk[SIZE / WARP + 2]; // of each WARP keys, and room behind them

    // The bits of WARP keys, from one on.
    __device__ __forceinline__ uint32_t from(unsigned at) const
    {
        return __funnelshift_r(of_chunk[at / WARP], of_chunk[at / WARP + 1], at);
    }
    // Whether a bin of 1 to WARP keys is out of order.
    __device__ __forceinline__ bool are_in(const bin_range &range) const
    {
        return (from(range.begin) & ((1u << (range.size() - 1)) - 1)) != 0;
    }
    // The same for a bin of any size, by a warp.
    __device__ __forceinline__ bool warp_finds(unsigned begin, unsigned end) const
    {
        bool found = false;
        for (unsigned at = begin + lane_id() * WARP; at - lane_id() * WARP + 1 < end; at += WARP * WARP)
            if (at + 1 < end)
                found = found || (from(at) & (FULL_WARP >> (WARP - min(end - 1 - at, WARP)))) != 0;
        return __any_sync(FULL_WARP, found);
    }
};

// Elements of a bin that are looked at together, of which the last may stand behind the bin.
constexpr unsigned LOOK = 4;

// The place of a key in its bin [place, end): `place` and the keys that are less, or equal and before it. Bins of up to
// LOOK keys, nearly all of them, take one step.
template <class K>
__device__ __forceinline__ unsigned place_in_bin(const K *keys, unsigned at, unsigned place, unsigned end)
{
    K own = keys[at];
    for (unsigned other = place; other < end; other += LOOK) {
#pragma unroll
        for (unsigned k = 0; k < LOOK; k++) {
            K found = keys[other + k]; // there is room behind the last
            bool less = found < own || (found == own && other + k < at);
            place += less && other + k < end;
        }
    }
    return place;
}

// The same for pairs: the keys before it are less in the bits that count, or equal and earlier in the bucket. from:
// where a key was in the bucket.
template <class K>
__device__ __forceinline__ unsigned place_of_pair(const K *keys, const uint16_t *from, unsigned at, unsigned place,
                                                  unsigned end, K bits)
{
    K own = keys[at] & bits;
    unsigned own_from = from[at];
    for (unsigned other = place; other < end; other += LOOK) {
#pragma unroll
        for (unsigned k = 0; k < LOOK; k++) {
            K found = keys[other + k] & bits; // there is room behind the last
            bool before = found < own;
            if (found == own)
                before = from[other + k] < own_from;
            place += before && other + k < end;
        }
    }
    return place;
}

// Numbers of bins, in shared memory.
template <unsigned ROOM> struct bin_list {
    static constexpr unsigned MOST = ROOM;
    unsigned count; // of bins that were added, also those for which there was no room
    unsigned short bin[MOST];

    __device__ __forceinline__ bool overflowed() const
    {
        return count > MOST;
    }
    __device__ __forceinline__ void add(unsigned own)
    {
        unsigned at = atomicAdd(&count, 1);
        if (at < MOST)
            bin[at] = (unsigned short)own;
    }
};

// The bins of a tile that are sorted otherwise than by comparing keys, in shared memory. There is room for all large
// and crowded ones.
template <class K, int SIZE> struct listed_bins {
    bin_list<SMALL_BINS> small;
    bin_list<SIZE / (LARGE_BIN<K> + 1)> large;
    bin_list<SIZE / OVERFULL_BIN> crowded;
    descents<SIZE> descending;
    unsigned are_many; // bins are out of order

    __device__ __forceinline__ void clear()
    {
        small.count = large.count = crowded.count = are_many = 0;
    }
};

// The warp sorts up to N * WARP keys in place.
template <int N, class K> __device__ __forceinline__ void sort_by_warp(K *keys, unsigned size)
{
    K key[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        key[i] = i * WARP + lane_id() < size ? keys[i * WARP + lane_id()] : K(~K(0));
    __syncwarp();
    merge_exchange(key);
    sort_lanes(key);
#pragma unroll
    for (int i = 0; i < N; i++)
        if (lane_id() * N + i < size)
            keys[lane_id() * N + i] = key[i];
}

// The same by the smallest network that holds them.
template <int N, class K> __device__ __forceinline__ void sort_up_to(K *keys, unsigned size)
{
    if constexpr (N > 1) {
        if (size <= N / 2 * WARP)
            return sort_up_to<N / 2>(keys, size);
    }
    sort_by_warp<N>(keys, size);
}

// True if at least POPULAR_IN_BIN of WARP keys, taken at even distances, have the same value. Neighbours are compared
// first: they nearly always tell that there is none.
template <class K> __device__ __forceinline__ bool has_popular(const K *keys, unsigned size, K *value)
{
    K own = keys[lane_id() * size / WARP];
    K next = __shfl_xor_sync(FULL_WARP, own, 1), other = __shfl_xor_sync(FULL_WARP, own, 2);
    if (!__any_sync(FULL_WARP, own == next || own == other))
        return false;
    unsigned most;
    *value = most_frequent(own, unsigned(__popc(__match_any_sync(FULL_WARP, own))), &most);
    return most >= POPULAR_IN_BIN;
}

// Moves the keys that are not `value` to the front, and copies of it behind them. Returns the number of these keys. A
// call of its own, as bins without a popular value are more frequent.
template <class K> __device__ __noinline__ unsigned gather_others(K *keys, unsigned size, K value)
{
    __builtin_assume(__isShared(keys));
    unsigned others = 0;
#pragma unroll 1
    for (unsigned first = 0; first < size; first += WARP) {
        K own = first + lane_id() < size ? keys[first + lane_id()] : value;
        unsigned votes = __ballot_sync(FULL_WARP, own != value);
        __syncwarp();
        if (own != value)
            keys[others + unsigned(__popc(votes & lanes_below()))] = own;
        others += unsigned(__popc(votes));
    }
    for (unsigned at = others + lane_id(); at < size; at += WARP)
        keys[at] = value;
    __syncwarp();
    return others;
}

// The first `others` keys are in order, and behind them are copies of `value`. Moves them to where they belong.
template <class K> __device__ __noinline__ void insert_copies(K *keys, unsigned others, unsigned size, K value)
{
    __builtin_assume(__isShared(keys));
    unsigned end = others, moved = WARP; // the greater keys move to the end, the last ones first
#pragma unroll 1
    while (moved == WARP) {
        unsigned at = end - 1 - lane_id();
        K own = lane_id() < end ? keys[at] : value;
        __syncwarp();
        if (own > value)
            keys[at + size - others] = own;
        moved = unsigned(__popc(__ballot_sync(FULL_WARP, own > value)));
        end -= moved;
        __syncwarp();
    }
    for (unsigned at = end + lane_id(); at < min(others, end + size - others); at += WARP)
        keys[at] = value;
    __syncwarp();
}

// The warp sorts a bin in place, by a network of up to N * WARP keys. Where a value is popular, its copies need none.
// Returns false, with the bin's keys in another order, if the others are too many, or if there is no such value and the
// bin has more than `most` keys.
template <int N, class K> __device__ __forceinline__ bool sort_bin(K *keys, unsigned size, unsigned most)
{
    K value = 0;
    unsigned others = size;
    if (size > POPULAR_BIN && has_popular(keys, size, &value)) {
        others = gather_others(keys, size, value);
        most = N * WARP;
    }
    if (others > most)
        return false;
    sort_up_to<N>(keys, others);
    if (others < size) {
        __syncwarp();
        insert_copies(keys, others, size, value);
    }
    return true;
}

// Finds which of a warp's keys are followed by a lesser one, keeps these bits, and returns them. The warp's first key
// is at a multiple of WARP.
template <class tile>
__device__ __forceinline__ unsigned keep_descents(typename tile::shared_memory &shared, unsigned size, unsigned at)
{
    unsigned votes = __ballot_sync(FULL_WARP, at + 1 < size && shared.key[at] > shared.key[at + 1]);
    if (lane_id() == 0)
        shared.listed.descending.of_chunk[at / WARP] = votes;
    return votes;
}

// Finds the descents, for all keys. Returns whether there are any. Ends with a barrier.
template <class tile> __device__ __forceinline__ bool mark_descents(typename tile::shared_memory &shared, unsigned size)
{
    unsigned found = 0;
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < (size + WARP - 1) / WARP * WARP; at += tile::THREADS)
        found |= keep_descents<tile>(shared, size, at);
    return __syncthreads_or(found != 0);
}

// Finds the descents, and lists the bins that are out of order, until a warp sees that they are many. bin_at(place) is
// the bin of a key. A barrier comes next.
template <class tile, class BinAt>
__device__ __forceinline__ void find_disordered(typename tile::shared_memory &shared, unsigned size, BinAt bin_at)
{
    auto &listed = shared.listed;
    auto *ends = reinterpret_cast<uint32_t *>(shared.ends);
    unsigned most = size / (tile::THREADS / WARP * FEW_DESCENTS), found = 0;
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < (size + WARP - 1) / WARP * WARP; at += tile::THREADS) {
        unsigned votes = keep_descents<tile>(shared, size, at);
        found += unsigned(__popc(votes));
        if (found > most || (votes >> lane_id() & 1) == 0)
            continue;
        unsigned bin = bin_at(at), mark = LISTED_BIN << bin % 2 * 16;
        if ((atomicOr(&ends[bin / 2], mark) & mark) != 0)
            continue;
        if (bin_range(shared.ends, bin).size() > LARGE_BIN<typename tile::key_type>)
            listed.large.add(bin);
        else
            listed.small.add(bin);
    }
    if (found > most && lane_id() == 0)
        listed.are_many = 1;
}

// Lists all large bins. Barriers come before and next. Returns whether the thread saw a small bin of several keys.
template <class tile> __device__ __forceinline__ bool list_large(typename tile::shared_memory &shared)
{
    constexpr int VECTORS = tile::BINS / 8 / tile::THREADS;
    const uint4 *mine = shared.ends + threadIdx.x * VECTORS;
    unsigned begin = threadIdx.x > 0 ? (mine - 1)->w >> 16 & ~BIN_MARKS : 0, bin = threadIdx.x * VECTORS * 8;
    bool small = false;
    auto see = [&](unsigned end) {
        if (end - begin > LARGE_BIN<typename tile::key_type>)
            shared.listed.large.add(bin);
        else
            small = small || end - begin > 1;
        begin = end;
        bin++;
    };
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        uint4 four = mine[i];
        for (unsigned two : {four.x, four.y, four.z, four.w}) {
            see(two & 0xffff & ~BIN_MARKS);
            see(two >> 16 & ~BIN_MARKS);
        }
    }
    return small;
}

// Sorts the listed bins that are out of order, a warp each; small ones only if there was room for all. A bin with more
// than `most` keys that are not copies of one value is added to the crowded ones instead.
template <class tile, int N>
__device__ __noinline__ void sort_listed(typename tile::shared_memory &shared, unsigned most)
{
    __builtin_assume(__isShared(&shared));
    auto &listed = shared.listed;
    unsigned large = listed.large.count, all = large + (listed.small.overflowed() ? 0 : listed.small.count);
#pragma unroll 1
    for (unsigned i = threadIdx.x / WARP; i < all; i += tile::THREADS / WARP) {
        unsigned bin = i < large ? listed.large.bin[i] : listed.small.bin[i - large];
        bin_range range(shared.ends, bin);
        if ((listed.are_many == 0 || listed.descending.warp_finds(range.begin, range.end)) &&
            !sort_bin<N>(shared.key + range.begin, range.size(), most) && lane_id() == 0)
            listed.crowded.add(bin);
    }
    __syncthreads();
}

// Keys are in the order of their bins. Sorts within the large bins but the crowded ones, which are listed, and within
// the small bins, if few are out of order. Returns whether there are many, so that keys of small bins have to be
// compared. most: from OVERFULL_BIN up to N keys per lane.
template <class tile, int N, class BinAt>
__device__ __forceinline__ bool order_bins(typename tile::shared_memory &shared, unsigned size, unsigned most,
                                           BinAt bin_at)
{
    auto &listed = shared.listed;
    find_disordered<tile>(shared, size, bin_at);
    __syncthreads();
    bool compared = listed.small.overflowed();
    if (listed.are_many > 0) {
        __syncthreads();
        if (threadIdx.x == 0)
            listed.large.count = listed.small.count = 0;
        __syncthreads();
        compared = __syncthreads_or(list_large<tile>(shared));
    }
    sort_listed<tile, N>(shared, most);
    return compared;
}

// Where a key belongs, if keys of small bins have to be compared.
template <class tile>
__device__ __forceinline__ unsigned place_in_order(const typename tile::shared_memory &shared, unsigned at,
                                                   const bin_range &range)
{
    bool is_sorted = range.size() > LARGE_BIN<typename tile::key_type> || !shared.listed.descending.are_in(range);
    return is_sorted ? at : place_in_bin(shared.key, at, range.begin, range.end);
}

#endif
