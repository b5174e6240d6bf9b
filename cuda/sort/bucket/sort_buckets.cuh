// sort_buckets.cuh - sorts buckets on chip, a block each: all that the first kernel has room for, then the longer ones.
#ifndef SK_CUDA_SORT_BUCKETS_CUH
#define SK_CUDA_SORT_BUCKETS_CUH

#include "sort/bucket/spread_again.cuh"

// Bucket b is keys [starts[b], ends[b]) of the output. In the input it is there too, or begins at b * room.
struct bucket_bounds {
    const unsigned *starts, *ends;
    unsigned room;        // keys per slack region; 0: there are none
    const unsigned *lost; // with regions: if > 0, keys were lost, and nothing is sorted
    __device__ __forceinline__ unsigned in_input(unsigned bucket, unsigned begin) const
    {
        return room > 0 ? bucket * room : begin;
    }
};

// A block per bucket. out may be in, if there are no slack regions; keys become values. Without FIND, the keys of a
// bucket differ in the last `rest` bits alone. Longer buckets that sort_long_buckets() has room for are listed. Buckets
// that their slack regions have no room for are left alone.
template <bool FIND, class K, class Order>
__global__ void __launch_bounds__(bucket_tile<K>::THREADS, BUCKET_BLOCKS<K>)
    sort_buckets(const K *in, K *out, bucket_bounds bounds, Order order, unsigned rest, unsigned *listed,
                 unsigned *list)
{
    using tile = bucket_tile<K>;
    constexpr int FULL = FIND ? 0 : tile::ITEMS * 5 / 6; // a second version of FIND would spill registers
    auto &shared = memory_of_bucket<tile>().bucket;
    wait_for_launches();
    unsigned lost = bounds.room > 0 ? *bounds.lost : 0;
    unsigned begin = bounds.starts[blockIdx.x], size = bounds.ends[blockIdx.x] - begin;
    if (lost > 0 || (bounds.room > 0 && size > bounds.room))
        return;
    in += bounds.in_input(blockIdx.x, begin);
    const uneven_in_rounds<tile> in_rounds;
    if (FULL > 0 && size >= FULL * tile::THREADS && size <= tile::SIZE)
        sort_bucket<tile, FULL, FIND>(shared, in, out, begin, size, order, rest, in_rounds);
    else if (size <= tile::SIZE)
        sort_bucket<tile, 0, FIND>(shared, in, out, begin, size, order, rest, in_rounds);
    else if (size <= LONG_BUCKET<K> && threadIdx.x == 0)
        list[atomicAdd(listed, 1)] = blockIdx.x;
}

template <class K> using long_tile = any_bucket_tile<K, LONG_THREADS, LONG_BUCKET<K> / LONG_THREADS, true>;

// Sorts the listed buckets, a block at a time. out may be in.
template <class K, class Order>
__global__ void __launch_bounds__(long_tile<K>::THREADS, LONG_BLOCKS<K>)
    sort_long_buckets(const K *in, K *out, bucket_bounds bounds, Order order, const unsigned *listed,
                      const unsigned *list)
{
    using tile = long_tile<K>;
    auto &shared = memory_of_bucket<tile>().bucket;
    const uneven_in_rounds<tile> in_rounds;
    wait_for_launches();
    for (unsigned i = blockIdx.x; i < *listed; i += gridDim.x) {
        unsigned begin = bounds.starts[list[i]], size = bounds.ends[list[i]] - begin;
        sort_bucket<tile, 0, true>(shared, in + bounds.in_input(list[i], begin), out, begin, size, order, 0, in_rounds);
        __syncthreads();
    }
}

#endif
