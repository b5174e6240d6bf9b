// sort_bins.cuh - sorts the bins between splitters on chip, a block each, and writes the bins of one value.
#ifndef SK_CUDA_SORT_BINS_CUH
#define SK_CUDA_SORT_BINS_CUH

#include "sort/bucket/window_sort.cuh"
#include "sort/sample/long_sort.cuh"
#include "sort/sample/sample_bins.cuh"

template <class K> struct bin_tile {
    static constexpr int THREADS = BIN_THREADS<K>;
    static constexpr unsigned SIZE = THREADS * window<K>::ITEMS;
    union shared_memory {
        K run[2][SIZE];
        typename long_sort<K, THREADS>::shared_memory passes;
    };
};

template <class K>
__device__ __forceinline__ void fill(K *out, unsigned begin, unsigned end, K value, unsigned first, unsigned step)
{
    for (unsigned at = begin + first; at < end; at += step)
        out[at] = value;
}

// The wide bins: each by as many blocks as another, so that no block has to find out about all of them.
template <class K, class Order>
__device__ __forceinline__ void fill_wide(K *out, const Order &order, const bin_edges<K> &edges,
                                          const sample_lists<K> &lists)
{
    constexpr unsigned THREADS = bin_tile<K>::THREADS;
    unsigned count = lists.found->wide, parts = count > 0 ? max(gridDim.x / count, 1) : 0;
    for (unsigned job = blockIdx.x; job < count * parts; job += gridDim.x) {
        unsigned wide = lists.wide[job % count], part = job / count;
        fill(out, lists.start[wide], lists.start[wide + 1], order.value(edges.range(wide).first),
             part * THREADS + threadIdx.x, parts * THREADS);
    }
}

// A block per bin; the keys of `in` are overwritten.
template <class K, class Order>
__global__ void __launch_bounds__(BIN_THREADS<K>, BIN_BLOCKS<K>)
    sort_bins(K *in, K *second, K *out, Order order, sample_sizes sizes, sample_lists<K> lists)
{
    using tile = bin_tile<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    wait_for_launches();
    if (!lists.found->descends || !lists.found->ascends)
        return;
    const bin_edges<K> edges(lists.sample, sizes);
    unsigned begin = lists.start[blockIdx.x], end = lists.start[blockIdx.x + 1], size = end - begin;
    if (size > 0 && edges.is_single(blockIdx.x)) {
        if (size <= FILL_ALONE)
            fill(out, begin, end, order.value(edges.range(blockIdx.x).first), threadIdx.x, tile::THREADS);
    } else if (size <= tile::SIZE) {
        sort_windows<tile::THREADS, false>(shared.run, in + begin, out + begin, int(size), order);
    } else {
        long_sort<K, tile::THREADS>::sort(shared.passes, in + begin, second + begin, out + begin, size, order);
    }
    fill_wide(out, order, edges, lists);
}

#endif
