// overfull_sort.cuh - sorts buckets with overfull bins, as near-duplicates leave them. The keys go to their bins again,
// and each overfull bin is sorted by a warp. If one is too large for a warp, they are spread over new bins. If that
// does not do, networks sort the whole bucket: these take the same time for all keys.
#ifndef SK_CUDA_OVERFULL_SORT_CUH
#define SK_CUDA_OVERFULL_SORT_CUH

#include "sort/bucket/spread_again.cuh"
#include "sort/bucket/window_sort.cuh"

template <class K> struct overfull_tile {
    using bins = any_bucket_tile<K, bucket_tile<K>::THREADS, bucket_tile<K>::ITEMS>;
    static constexpr int THREADS = bins::THREADS, SIZE = OVERFULL_SIZE<K>;
    static_assert(SIZE >= bins::SIZE, "a bucket fits");
    static_assert(bins::SIZE / OVERFULL_BIN <= DISORDERED_BINS, "all overfull bins are listed");
    struct shared_memory {
        union {
            struct {
                typename bins::shared_memory bins;
                spread_memory<overfull_tile::bins> spread;
            };
            alignas(16) K run[2][SIZE];
        };
        __device__ shared_memory()
        {
        }
    };
};

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
    const bins_of_span<K> bin_of(find_span<bins>(shared.bins, mine.key, [&](int i) { return mine.is_there(i); }));
    place_in_bins<bins>(shared.bins, mine, bin_of);
    list_disordered(shared.bins, size, OVERFULL_BIN, bin_of);
    if (shared.bins.disordered.largest > WINDOW<K>)
        return spread_again<bins>(shared.bins, shared.spread, size, out, order, bin_of);
    sort_listed<window<K>::ITEMS>(shared.bins);
    if (shared.bins.disordered.small.overflowed())
        store_by_comparing<bins>(shared.bins, mine, out, order, bin_of,
                                 [](bin_range bin) { return bin.mark == 0 || bin.size() > OVERFULL_BIN; });
    else
        store_in_order<bins>(shared.bins, mine, out, order);
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
        bool is_sorted = size <= tile::bins::SIZE && sort_crowded(shared, from, out + begin, size, order);
        __syncthreads();
        if (!is_sorted) {
            sort_windows<tile::THREADS, false>(shared.run, from, out + begin, int(size), order);
            __syncthreads();
        }
    }
}

#endif
