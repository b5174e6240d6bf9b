// scatter_to_bins.cuh - keys to their bins between splitters, tile by tile; what is in order already to where it
// belongs.
#ifndef SK_CUDA_GRID_DEAL_KEYS_CUH
#define SK_CUDA_GRID_DEAL_KEYS_CUH

#include "sort/sample/sample_bins.cuh"

// What is in order already is copied, or turned round; both ways a block has its share.
template <class K> __device__ __forceinline__ void copy_in_order(const K *in, K *out, unsigned n, bool descends)
{
    unsigned first = blockIdx.x * BIN_SCATTER_THREADS + threadIdx.x, step = gridDim.x * BIN_SCATTER_THREADS;
    if (descends) {
        for (unsigned at = first; at < (n + 1) / 2; at += step) {
            K front = in[at], back = in[n - 1 - at];
            out[at] = back;
            out[n - 1 - at] = front;
        }
    } else if (in != out) {
        for (unsigned at = first; at < n; at += step)
            out[at] = in[at];
    }
}

// A tile's keys, bins of its own size, all behind one another in dynamic shared memory.
template <class K, int ITEMS> struct bin_scatter_tile {
    static constexpr unsigned SIZE = BIN_SCATTER_THREADS * ITEMS;
    K key[SIZE];
    uint16_t bin[SIZE];
    unsigned long long warp_total[BIN_SCATTER_THREADS / WARP];
    unsigned of_bins[1]; // counts, which become places in the tile; then where place 0 of the tile would go
    static size_t bytes(unsigned bins)
    {
        return sizeof(bin_scatter_tile) + 2 * bins * sizeof(unsigned);
    }
};

// Counts of the tile's bins become where they begin in it; to: where place 0 would go, were it of the bin. Answers how
// many keys the tile has. Bins begin where the counts of all tiles say, which the first block tells others that come
// later.
template <class K>
__device__ __forceinline__ unsigned reserve_places(unsigned *count, unsigned *to, unsigned bins,
                                                   const sample_lists<K> &lists, unsigned long long *warp_total)
{
    unsigned each = (bins + BIN_SCATTER_THREADS - 1) / BIN_SCATTER_THREADS, warp = threadIdx.x / WARP;
    unsigned first = threadIdx.x * each, end = min(first + each, bins);
    unsigned long long own = 0, before = 0, total = 0; // of all tiles, and of this one in the lower half
#pragma unroll 4
    for (unsigned b = threadIdx.x; b < bins; b += BIN_SCATTER_THREADS)
        to[b] = count[b] > 0 ? atomicAdd(&lists.taken[b], count[b]) : 0;
    for (unsigned b = first; b < end; b++)
        own += (unsigned long long)lists.count[b] << 32 | count[b];
    unsigned long long inclusive = warp_scan<op_sum<sk_u64>>(own);
    if (lane_id() == WARP - 1)
        warp_total[warp] = inclusive;
    __syncthreads();
    for (unsigned w = 0; w < BIN_SCATTER_THREADS / WARP; w++) {
        before += w < warp ? warp_total[w] : 0;
        total += warp_total[w];
    }
    before += inclusive - own;
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
    return unsigned(total);
}

// Bins of one value that are too large to be written by one block.
template <class K> __device__ __forceinline__ void list_wide(const sample_sizes &sizes, const sample_lists<K> &lists)
{
    const bin_edges<K> edges(lists.sample, sizes);
    for (unsigned b = threadIdx.x; b < sizes.bins(); b += BIN_SCATTER_THREADS)
        if (lists.count[b] > FILL_ALONE && edges.is_single(b))
            lists.wide[atomicAdd(&lists.found->wide, 1)] = b;
    if (threadIdx.x == 0)
        lists.start[sizes.bins()] = sizes.n;
}

// How many of its bin's keys took their turn before each. Lanes that are alike would wait for one another.
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
        unsigned first = warp_from(bin[i], 0), same = __ballot_sync(FULL_WARP, bin[i] == first), place = 0;
        if (lane_id() == 0 && first != NO_BIN)
            place = atomicAdd(&count[first], unsigned(__popc(same)));
        rank[i] = warp_from(place, 0) + __popc(same & lanes_below());
        if (bin[i] != first && bin[i] != NO_BIN)
            rank[i] = atomicAdd(&count[bin[i]], 1);
    }
}

// A block a tile: keys to their bins, in any order, but for those of bins of one value.
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
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        unsigned at = mine + i * BIN_SCATTER_THREADS;
        bin[i] = at < sizes.n ? lists.bin[at] : NO_BIN;
        key[i] = at < sizes.n ? order.key(in[at]) : 0;
    }
    for (unsigned b = threadIdx.x; b < bins; b += BIN_SCATTER_THREADS)
        count[b] = 0;
    __syncthreads();
    rank_in_bins(count, bin, rank);
    __syncthreads();
    unsigned total = reserve_places(count, to, bins, lists, shared.warp_total);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (bin[i] != NO_BIN) {
            unsigned place = count[bin[i]] + rank[i];
            shared.key[place] = key[i];
            shared.bin[place] = uint16_t(bin[i]);
        }
    }
    __syncthreads();
    for (unsigned at = threadIdx.x; at < total; at += BIN_SCATTER_THREADS)
        other[at + to[shared.bin[at]]] = shared.key[at];
    if (blockIdx.x == 0)
        list_wide(sizes, lists);
}

#endif
