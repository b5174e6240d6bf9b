// overfull_sort.cuh - sorts buckets with overfull bins, as near-duplicates leave them. The keys go to their bins again,
// and each overfull bin is sorted by a warp. If a bin is too large for a warp, networks sort the whole bucket: these
// take the same time for all keys.
#ifndef SK_CUDA_OVERFULL_SORT_CUH
#define SK_CUDA_OVERFULL_SORT_CUH

#include "sort/bucket/bucket_sort.cuh"
#include "sort/bucket/window_sort.cuh"

template <class K> struct overfull_tile {
    using bins = any_bucket_tile<K, bucket_tile<K>::THREADS, bucket_tile<K>::ITEMS>;
    static constexpr int THREADS = bins::THREADS, SIZE = OVERFULL_SIZE<K>;
    static constexpr int LISTED = bins::SIZE / OVERFULL_BIN; // overfull bins at most
    static_assert(SIZE >= bins::SIZE, "a bucket fits");
    struct shared_memory {
        union {
            typename bins::shared_memory bins;
            alignas(16) K run[2][SIZE];
        };
        unsigned listed, largest;
        bin_range overfull[LISTED];
        __device__ shared_memory()
        {
        }
    };
};

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

// Lists the overfull bins that are marked. Returns the size of the largest.
template <class K> __device__ __forceinline__ unsigned list_overfull(typename overfull_tile<K>::shared_memory &shared)
{
    using bins = typename overfull_tile<K>::bins;
    for (unsigned bin = threadIdx.x; bin < bins::BINS; bin += bins::THREADS) {
        bin_range range(shared.bins.ends, bin);
        if (range.mark != 0 && range.size() > OVERFULL_BIN) {
            shared.overfull[atomicAdd(&shared.listed, 1)] = range;
            atomicMax(&shared.largest, range.size());
        }
    }
    __syncthreads();
    return shared.largest;
}

// Sorts each overfull bin. Returns false, with nothing sorted, if one is too large for a warp.
template <class K> __device__ __forceinline__ bool sort_overfull_bins(typename overfull_tile<K>::shared_memory &shared)
{
    constexpr int ITEMS = window<K>::ITEMS, WARPS = overfull_tile<K>::THREADS / WARP;
    if (list_overfull<K>(shared) > ITEMS * WARP)
        return false;
    for (unsigned i = threadIdx.x / WARP; i < shared.listed; i += WARPS) {
        bin_range range = shared.overfull[i];
        K *keys = shared.bins.key + range.begin;
        unsigned size = range.size();
        if (size <= ITEMS / 2 * WARP)
            sort_by_warp<ITEMS / 2>(keys, size);
        else
            sort_by_warp<ITEMS>(keys, size);
    }
    __syncthreads();
    return true;
}

// Sorts a bucket by bins and overfull bins. Returns false, and leaves out as it was, if that does not do.
template <class K, class Order>
__device__ __forceinline__ bool sort_crowded(typename overfull_tile<K>::shared_memory &shared, const K *in, K *out,
                                             unsigned size, const Order &order)
{
    using bins = typename overfull_tile<K>::bins;
    bucket_items<bins, 0> mine;
    mine.size = size;
    mine.load(in);
    clear_bins<bins>(shared.bins);
    if (threadIdx.x == 0)
        shared.listed = shared.largest = 0;
    const bins_of_span<K> bin_of(find_span<bins>(shared.bins, mine.key, [&](int i) { return mine.is_there(i); }));
    place_in_bins<bins>(shared.bins, mine, bin_of);
    mark_mixed_bins<bins>(shared.bins, size, bin_of);
    if (!sort_overfull_bins<K>(shared))
        return false;
    store_by_comparing<bins>(shared.bins, mine, out, 0, order, bin_of);
    return true;
}

// Sorts the listed buckets, a block at a time. out may be in.
template <class K, class Order>
__global__ void __launch_bounds__(overfull_tile<K>::THREADS, OVERFULL_BLOCKS<K>)
    sort_overfull(const K *in, K *out, bucket_bounds bounds, Order order, const unsigned *listed, const unsigned *list)
{
    using tile = overfull_tile<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    wait_for_launches();
    for (unsigned i = blockIdx.x; i < *listed; i += gridDim.x) {
        unsigned begin = bounds.starts[list[i]], size = bounds.ends[list[i]] - begin;
        const K *from = in + bounds.in_input(list[i], begin);
        if (size > tile::bins::SIZE || !sort_crowded(shared, from, out + begin, size, order))
            sort_windows<tile::THREADS, false>(shared.run, from, out + begin, int(size), order);
        __syncthreads();
    }
}

#endif
