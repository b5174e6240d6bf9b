// bitonic_sort.cuh - sorts many chunks of keys alone at once, a block each, by Batcher's bitonic networks. Each thread
// sorts its keys in registers, and each warp its lanes by shuffles; then warps merge runs in shared memory.
#ifndef SK_CUDA_BITONIC_SORT_CUH
#define SK_CUDA_BITONIC_SORT_CUH

#include "sort/merge/merge_keys.cuh"
#include "sort/network/networks.cuh"

// Stores the lane's keys as they are, by vectors; `to` is aligned.
template <int N, class K> __device__ __forceinline__ void store_lane(const K (&key)[N], K *to)
{
    constexpr int VECTOR = 16 / sizeof(K);
    struct alignas(16) vector {
        K key[VECTOR];
    };
#pragma unroll
    for (int v = 0; v < N / VECTOR; v++) {
        vector some;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            some.key[i] = key[v * VECTOR + i];
        reinterpret_cast<vector *>(to)[v] = some;
    }
}

// Block b sorts the b-th MERGE_TILE<K> keys; in may be out. The last chunk is filled up with greatest keys.
template <class K>
__global__ void __launch_bounds__(MERGE_THREADS, BITONIC_BLOCKS) bitonic_chunks(const K *in, K *out, size_t n)
{
    constexpr int ITEMS = warp_network<K>::ITEMS, TILE = MERGE_TILE<K>;
    __shared__ alignas(16) K run[2][TILE];
    size_t begin = size_t(blockIdx.x) * TILE;
    int valid = n - begin < TILE ? int(n - begin) : TILE, at = int(threadIdx.x / WARP) * WINDOW<K>;
    K key[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int from = i * MERGE_THREADS + threadIdx.x;
        key[i] = from < valid ? in[begin + from] : K(~K(0));
    }
    merge_exchange(key);
    sort_lanes(key);
    store_lane(key, run[0] + threadIdx.x * ITEMS);
    auto same = [](K own) { return own; };
    int of = 0;
#pragma unroll 1
    for (int length = WINDOW<K>; length < TILE; length *= 2, of ^= 1) {
        __syncthreads();
        int diagonal = at % (2 * length);
        const K *a = run[of] + (at - diagonal), *b = a + length;
        merge_window(key, a, length, b, length, diagonal, same);
        if (2 * length < TILE)
            store_window(key, run[of ^ 1] + at, same);
    }
    if (at < valid)
        store_window(key, out + begin + at, valid - at, same);
}

#endif
