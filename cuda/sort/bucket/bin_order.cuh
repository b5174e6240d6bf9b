// bin_order.cuh - the bins of a bucket that are out of order: found, listed, and sorted by a warp each.
#ifndef SK_CUDA_BIN_ORDER_CUH
#define SK_CUDA_BIN_ORDER_CUH

#include "common/aggregate.cuh"
#include "common/thread.cuh"
#include "device/tuning.cuh"
#include "sort/merge/bitonic_sort.cuh"

// The highest bit of the end of a bin marks a bin that is out of order. A tile has fewer keys.
constexpr unsigned DISORDERED_BIN = 0x8000;

// Where a bin is in the tile. Ends have 16 bits.
struct bin_range {
    unsigned begin, end, mark;
    __device__ __forceinline__ bin_range(const uint4 *packed_ends, unsigned bin)
    {
        auto *ends = reinterpret_cast<const unsigned short *>(packed_ends);
        unsigned last = ends[bin];
        begin = bin > 0 ? ends[bin - 1] & (DISORDERED_BIN - 1) : 0;
        end = last & (DISORDERED_BIN - 1);
        mark = last & DISORDERED_BIN;
    }
    __device__ __forceinline__ unsigned size() const
    {
        return end - begin;
    }
};

// Numbers of bins, in shared memory.
struct bin_list {
    static constexpr unsigned MOST = DISORDERED_BINS;
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

// The bins that are out of order, in shared memory.
struct disordered_bins {
    bin_list small, large;
    unsigned largest;   // keys of the largest
    unsigned too_large; // a bin was too large for a warp

    __device__ __forceinline__ void clear()
    {
        small.count = large.count = largest = too_large = 0;
    }
};

// Keys are in the order of their bins. Marks and lists the bins that are out of order within. Large ones have more than
// `small` keys. Stops when there is no room for large ones.
template <class Memory, class BinOf>
__device__ __forceinline__ void list_disordered(Memory &shared, unsigned size, unsigned small, BinOf bin_of)
{
    disordered_bins &listed = shared.disordered;
    auto *ends = reinterpret_cast<uint32_t *>(shared.ends);
    for (unsigned at = threadIdx.x; at + 1 < size; at += blockDim.x) {
        auto own = shared.key[at];
        if (own <= shared.key[at + 1])
            continue;
        if (*(volatile unsigned *)&listed.large.count > bin_list::MOST)
            break;
        unsigned bin = bin_of(own), half = DISORDERED_BIN << bin % 2 * 16;
        if ((*(volatile uint32_t *)&ends[bin / 2] & half) != 0 || (atomicOr(&ends[bin / 2], half) & half) != 0)
            continue;
        unsigned keys = bin_range(shared.ends, bin).size();
        (keys > small ? listed.large : listed.small).add(bin);
        if (keys > small)
            atomicMax(&listed.largest, keys);
    }
    __syncthreads();
}

// The warp sorts up to N * WARP keys in place.
template <int N, class K> __device__ __forceinline__ void sort_by_warp(K *keys, unsigned size)
{
    K key[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        key[i] = i * WARP + lane_id() < size ? keys[i * WARP + lane_id()] : K(~K(0));
    __syncwarp();
    sort_registers(key);
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
// Returns false, with the bin's keys in another order, if the others are too many.
template <int N, class K> __device__ __forceinline__ bool sort_bin(K *keys, unsigned size)
{
    K value = 0;
    unsigned others = size;
    if (size > POPULAR_BIN && has_popular(keys, size, &value))
        others = gather_others(keys, size, value);
    if (others > N * WARP)
        return false;
    sort_up_to<N>(keys, others);
    if (others < size) {
        __syncwarp();
        insert_copies(keys, others, size, value);
    }
    return true;
}

// Sorts the listed bins: large ones, and the small ones too unless there was no room for some. Returns false if there
// is a bin in which more than N keys per lane are not copies of one value. Bins of more than N keys per lane come
// first, so that this is soon known.
template <int N, class Memory> __device__ __forceinline__ bool sort_listed(Memory &shared)
{
    disordered_bins &listed = shared.disordered;
    unsigned large = listed.large.count, all = large + (listed.small.overflowed() ? 0 : listed.small.count);
#pragma unroll 1
    for (bool larger = listed.largest > N * WARP;; larger = false) {
#pragma unroll 1
        for (unsigned i = threadIdx.x / WARP; i < all; i += blockDim.x / WARP) {
            bin_range range(shared.ends, i < large ? listed.large.bin[i] : listed.small.bin[i - large]);
            if ((range.size() > N * WARP) == larger && !sort_bin<N>(shared.key + range.begin, range.size()))
                listed.too_large = 1;
        }
        __syncthreads();
        if (!larger || listed.too_large > 0)
            return listed.too_large == 0;
    }
}

// Keys are in the order of their bins, the largest of which has `largest` keys, more than COMPARED_BIN. Where keys have
// many copies, most bins are in order: the others are listed and sorted, large ones of up to N keys per lane. *marked:
// large bins are in order now, and small ones without a mark. If there were too many, all have to be compared. Returns
// false if a bin is overfull.
template <int N, class Memory, class BinOf>
__device__ __forceinline__ bool order_bins(Memory &shared, unsigned size, unsigned largest, BinOf bin_of, bool *marked)
{
    const disordered_bins &listed = shared.disordered;
    list_disordered(shared, size, COMPARED_BIN, bin_of);
    *marked = !listed.large.overflowed();
    return *marked ? sort_listed<N>(shared) : largest <= OVERFULL_BIN;
}

#endif
