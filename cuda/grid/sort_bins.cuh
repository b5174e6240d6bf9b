// sort_bins.cuh - bins between splitters sorted on chip, a block each, and those of one value written.
#ifndef SK_CUDA_GRID_SORT_BINS_CUH
#define SK_CUDA_GRID_SORT_BINS_CUH

#include "block/long_sort.cuh"
#include "grid/bitonic_sort.cuh"
#include "grid/sample_bins.cuh"

// A warp sorts a window; windows are merged two and two.
template <class K> struct bin_tile {
    static constexpr int ITEMS = warp_network<K>::ITEMS, VECTOR = warp_network<K>::VECTOR;
    static constexpr int THREADS = BIN_THREADS<K>;
    static constexpr unsigned SIZE = THREADS * ITEMS;
    union shared_memory {
        K run[2][SIZE];
        typename long_sort<K, THREADS>::shared_memory passes;
    };
};

// The warp's keys, in order, to where the warp's window is in shared memory.
template <class K> __device__ __forceinline__ void sort_window(const K *in, int valid, K *to)
{
    constexpr int ITEMS = bin_tile<K>::ITEMS, VECTOR = bin_tile<K>::VECTOR;
    K key[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * WARP + int(lane_id());
        key[i] = at < valid ? in[at] : K(~K(0));
    }
    sort_registers(key);
    sort_lanes(key);
    struct alignas(16) vector {
        K key[VECTOR];
    };
#pragma unroll
    for (int v = 0; v < ITEMS / VECTOR; v++) {
        vector some;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            some.key[i] = key[v * VECTOR + i];
        reinterpret_cast<vector *>(to + lane_id() * ITEMS)[v] = some;
    }
}

// Batcher's networks whatever the keys are, so that no distribution within a bin is slower than others.
template <class K, class Order>
__device__ __forceinline__ void sort_bin(K (&run)[2][bin_tile<K>::SIZE], const K *in, K *out, int size,
                                         const Order &order)
{
    constexpr int THREADS = bin_tile<K>::THREADS;
    int at = int(threadIdx.x / WARP) * WINDOW<K>, all = (size + WINDOW<K> - 1) / WINDOW<K> * WINDOW<K>, of = 0;
    auto same = [](K own) { return own; };
    if (at < size)
        sort_window(in + at, size - at, run[0] + at);
    __syncthreads();
#pragma unroll 1
    for (int length = WINDOW<K>; length < all; length *= 2, of ^= 1) {
        if (at < size) {
            int diagonal = at % (2 * length), begin = at - diagonal;
            int na = min(length, all - begin), nb = min(length, all - begin - na);
            K key[bin_tile<K>::ITEMS];
            merge_window(key, run[of] + begin, na, run[of] + begin + na, nb, diagonal, same);
            store_window(key, run[of ^ 1] + at, same);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < size; i += THREADS)
        out[i] = order.value(run[of][i]);
}

template <class K>
__device__ __forceinline__ void fill(K *out, unsigned begin, unsigned end, K value, unsigned first, unsigned step)
{
    for (unsigned at = begin + first; at < end; at += step)
        out[at] = value;
}

// A block a bin. What it finds in bins is written over.
template <class K, class Order>
__global__ void __launch_bounds__(BIN_THREADS<K>, BIN_BLOCKS<K>)
    sort_bins(K *in, K *second, K *out, Order order, sample_plan plan, sample_lists<K> lists)
{
    using tile = bin_tile<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    wait_for_launches();
    if (!lists.found->descends || !lists.found->ascends)
        return;
    const bin_edges<K> edges(lists.sample, plan);
    unsigned begin = lists.start[blockIdx.x], end = lists.start[blockIdx.x + 1], size = end - begin;
    if (size > 0 && edges.is_single(blockIdx.x)) {
        if (size <= FILL_ALONE)
            fill(out, begin, end, order.value(edges.range(blockIdx.x).first), threadIdx.x, tile::THREADS);
    } else if (size <= tile::SIZE) {
        sort_bin(shared.run, in + begin, out + begin, int(size), order);
    } else {
        long_sort<K, tile::THREADS>::sort(shared.passes, in + begin, second + begin, out + begin, size, order);
    }
    for (unsigned i = 0; i < lists.found->wide; i++) {
        unsigned wide = lists.wide[i];
        fill(out, lists.start[wide], lists.start[wide + 1], order.value(edges.range(wide).first),
             blockIdx.x * tile::THREADS + threadIdx.x, gridDim.x * tile::THREADS);
    }
}

#endif
