// chunk_sort.cuh - sorts many chunks at once, each on chip by a block.
#ifndef SK_CUDA_CHUNK_SORT_CUH
#define SK_CUDA_CHUNK_SORT_CUH

#include "sort/radix/radix_sort.cuh"
#include "sort/survey/key_order.cuh"

// Block b sorts the b-th tile. Stable, by bits [begin_bit, end_bit) of the keys in their order. in may be out.
template <class K, class V>
__global__ void __launch_bounds__(SORT_THREADS, 2)
    sort_chunks(const K *keys_in, const V *values_in, K *keys_out, V *values_out, size_t n, unsigned begin_bit,
                unsigned end_bit, number_order<K> order, rank_by way)
{
    using tile = sort_tile<K, V>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    size_t begin = size_t(blockIdx.x) * tile::TILE, end = begin + tile::TILE;
    end = end < n ? end : n;
    tile items;
    items.load(keys_in + begin, values_in + begin, int(end - begin));
#pragma unroll
    for (int i = 0; i < tile::ITEMS_EACH; i++)
        if (begin + tile::ranker::place(i) < end)
            items.key[i] = order.key(items.key[i]);
    items.sort(shared, begin_bit, end_bit, way);
#pragma unroll
    for (K &key : items.key)
        key = order.value(key);
    items.store(keys_out + begin, values_out + begin, int(end - begin));
}

#endif
