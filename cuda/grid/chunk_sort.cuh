// chunk_sort.cuh - many small sorts at once: each block sorts one chunk on chip; and the buckets that a partition left.
#ifndef SK_CUDA_GRID_CHUNK_SORT_CUH
#define SK_CUDA_GRID_CHUNK_SORT_CUH

#include "grid/partition.cuh"

// Block b sorts the chunk from start[b] to start[b + 1], or, with start = nullptr, the b-th of full tiles. Stable, by
// bits [begin_bit, end_bit). in may be out.
template <class K, class V>
__global__ void __launch_bounds__(SORT_THREADS, 2)
    sort_chunks(const K *keys_in, const V *values_in, K *keys_out, V *values_out, size_t n,
                const unsigned long long *start, unsigned begin_bit, unsigned end_bit)
{
    using tile = sort_tile<K, V>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    size_t begin = size_t(blockIdx.x) * tile::TILE, end = begin + tile::TILE;
    if (start != nullptr) {
        begin = start[blockIdx.x];
        end = start[blockIdx.x + 1];
    }
    end = end < n ? end : n;
    if (begin == end)
        return;
    tile items;
    items.load(keys_in + begin, values_in + begin, int(end - begin));
    items.sort(shared, begin_bit, end_bit);
    items.store(keys_out + begin, values_out + begin, int(end - begin));
}

// Where the buckets of keys that are ordered by (key >> bit) & mask begin: start[0..mask + 1].
template <class K>
__global__ void __launch_bounds__(MAP_THREADS)
    find_buckets(const K *keys, size_t n, unsigned bit, unsigned mask, unsigned long long *start)
{
    for (size_t i = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x; i <= n; i += size_t(gridDim.x) * MAP_THREADS) {
        unsigned from = i == 0 ? 0 : digit_of(keys[i - 1], bit, mask) + 1;
        unsigned to = i == n ? mask + 1 : digit_of(keys[i], bit, mask);
        for (unsigned bucket = from; bucket <= to; bucket++)
            start[bucket] = i;
    }
}

// *largest = the size of the largest bucket; cleared before.
static __global__ void __launch_bounds__(MAP_THREADS)
    largest_bucket(const unsigned long long *start, unsigned buckets, unsigned long long *largest)
{
    unsigned bucket = blockIdx.x * MAP_THREADS + threadIdx.x;
    if (bucket < buckets)
        atomicMax(largest, start[bucket + 1] - start[bucket]);
}

#endif
