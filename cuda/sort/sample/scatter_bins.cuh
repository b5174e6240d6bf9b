// scatter_bins.cuh - scatters keys to their bins between splitters, tile by tile; copies keys that are in order
// already.
#ifndef SK_CUDA_SCATTER_BINS_CUH
#define SK_CUDA_SCATTER_BINS_CUH

#include "common/aggregate.cuh"
#include "common/block_sum.cuh"
#include "sort/sample/sample_bins.cuh"
#include "sort/survey/reverse.cuh"

// Keys in order: a block copies its share, or reverses it.
template <class K> __device__ __forceinline__ void copy_in_order(const K *in, K *out, unsigned n, bool descends)
{
    unsigned first = blockIdx.x * BIN_SCATTER_THREADS + threadIdx.x, step = gridDim.x * BIN_SCATTER_THREADS;
    if (descends)
        reverse_share(in, out, n, first, step);
    else if (in != out)
        for (unsigned at = first; at < n; at += step)
            out[at] = in[at];
}

// A tile in dynamic shared memory: its keys and their bins, then two arrays with an element per bin.
template <class K, int ITEMS> struct bin_scatter_tile {
    static constexpr unsigned SIZE = BIN_SCATTER_THREADS * ITEMS;
    K key[SIZE];
    uint16_t bin[SIZE];
    block_sum<sk_u64, BIN_SCATTER_THREADS> sums;
    unsigned of_bins[1]; // counts, which become places in the tile; and what these differ by from places in the output
    static size_t bytes(unsigned bins)
    {
        return sizeof(bin_scatter_tile) + 2 * bins * sizeof(unsigned);
    }
};

// Scan: counts of the tile's bins become their places in the tile; `to`: what these differ by from places in the
// output. Returns the tile's keys. The starts of bins come from the counts of all tiles; the first block writes them
// for later kernels. Both scans are one, over words with two halves.
template <int ITEMS, class K>
__device__ __forceinline__ unsigned reserve_places(bin_scatter_tile<K, ITEMS> &shared, unsigned bins,
                                                   const sample_lists<K> &lists)
{
    unsigned *count = shared.of_bins, *to = count + bins;
    unsigned each = (bins + BIN_SCATTER_THREADS - 1) / BIN_SCATTER_THREADS;
    unsigned first = threadIdx.x * each, end = min(first + each, bins);
    unsigned long long own = 0; // of all tiles in the upper half, of this one in the lower
#pragma unroll 4
    for (unsigned b = threadIdx.x; b < bins; b += BIN_SCATTER_THREADS)
        to[b] = count[b] > 0 ? atomicAdd(&lists.taken[b], count[b]) : 0;
    for (unsigned b = first; b < end; b++)
        own += (unsigned long long)lists.count[b] << 32 | count[b];
    unsigned long long before = shared.sums.exclusive(own);
    unsigned start = unsigned(before >> 32), place = unsigned(before);
    for (unsigned b = first; b < end; b++) {
        unsigned found = count[b];
        count[b] = place;
        to[b] += start - place;
        if (blockIdx.x == 0)
            lists.start[b] = start;
        place += found;
        start += lists.count[b];
    }
    __syncthreads();
    return unsigned(shared.sums.total());
}

// Lists bins of one value that are too large for one block to write.
template <class K> __device__ __forceinline__ void list_wide(const sample_sizes &sizes, const sample_lists<K> &lists)
{
    const bin_edges<K> edges(lists.sample, sizes);
    for (unsigned b = threadIdx.x; b < sizes.bins(); b += BIN_SCATTER_THREADS)
        if (lists.count[b] > FILL_ALONE && edges.is_single(b))
            lists.wide[atomicAdd(&lists.found->wide, 1)] = b;
    if (threadIdx.x == 0)
        lists.start[sizes.bins()] = sizes.n;
}

// Counts bins; rank[i]: the keys of the bin that took their turn before. Lanes of one bin would wait for one another,
// so if the warp's keys are alike, one lane counts for them.
template <int ITEMS>
__device__ __forceinline__ void rank_in_bins(unsigned *count, const unsigned (&bin)[ITEMS], unsigned (&rank)[ITEMS])
{
    bool are_alike = __all_sync(FULL_WARP, bin[0] == warp_from(bin[0], 0) && bin[0] != NO_BIN);
    if (!are_alike) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            rank[i] = bin[i] != NO_BIN ? atomicAdd(&count[bin[i]], 1) : 0;
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        first_lane first(bin[i]);
        unsigned place = 0;
        if (lane_id() == 0 && first.number != NO_BIN)
            place = atomicAdd(&count[first.number], first.count());
        rank[i] = warp_from(place, 0) + first.below();
        if (bin[i] != first.number && bin[i] != NO_BIN)
            rank[i] = atomicAdd(&count[bin[i]], 1);
    }
}

template <int ITEMS, class K, class Order>
__device__ __forceinline__ void load_classified(const K *in, unsigned n, const uint16_t *bins, unsigned mine,
                                                const Order &order, K (&key)[ITEMS], unsigned (&bin)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        unsigned at = mine + i * BIN_SCATTER_THREADS;
        bin[i] = at < n ? bins[at] : NO_BIN;
        key[i] = at < n ? order.key(in[at]) : 0;
    }
}

// A block per tile. Keys go to their bins in any order; keys of bins of one value stay.
template <int ITEMS, class K, class Order>
__global__ void __launch_bounds__(BIN_SCATTER_THREADS, 2)
    scatter_to_bins(const K *in, K *other, K *out, Order order, sample_sizes sizes, sample_lists<K> lists)
{
    using tile = bin_scatter_tile<K, ITEMS>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<tile *>(dynamic_memory);
    wait_for_launches();
    let_next_begin();
    if (!lists.found->descends || !lists.found->ascends) {
        copy_in_order(in, out, sizes.n, lists.found->descends);
        return;
    }
    unsigned bins = sizes.bins(), *count = shared.of_bins, *to = count + bins;
    unsigned mine = blockIdx.x * tile::SIZE + threadIdx.x, bin[ITEMS], rank[ITEMS];
    K key[ITEMS];

    // Load: keys and their bins.
    load_classified(in, sizes.n, lists.bin, mine, order, key, bin);
    for (unsigned b = threadIdx.x; b < bins; b += BIN_SCATTER_THREADS)
        count[b] = 0;
    __syncthreads();

    // Count and scan.
    rank_in_bins(count, bin, rank);
    __syncthreads();
    unsigned total = reserve_places<ITEMS>(shared, bins, lists);

    // Place: the tile by bins, in shared memory.
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (bin[i] != NO_BIN) {
            unsigned place = count[bin[i]] + rank[i];
            shared.key[place] = key[i];
            shared.bin[place] = uint16_t(bin[i]);
        }
    }
    __syncthreads();

    // Scatter: to the output.
    for (unsigned at = threadIdx.x; at < total; at += BIN_SCATTER_THREADS)
        other[at + to[shared.bin[at]]] = shared.key[at];
    if (blockIdx.x == 0)
        list_wide(sizes, lists);
}

#endif
