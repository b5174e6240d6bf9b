// network.cuh - what sorting networks for whole arrays share. A comparator puts the lesser of two keys into the lower
// place; so keys past the end, which come last, never move, and a network for the next power of two sorts any length.
#ifndef SK_CUDA_GALLERY_NETWORK_CUH
#define SK_CUDA_GALLERY_NETWORK_CUH

#include "common/map.cuh"
#include "gallery/sort/sort_call.cuh"

// One step of a network: a thread per comparator. `pair(c, &low, &high)` gives comparator c its places.
template <class K, class Step> struct compare_step {
    K *keys;
    size_t n;
    Step pair;
    __device__ void operator()(size_t c) const
    {
        size_t low, high;
        pair(c, &low, &high);
        if (high < n && keys[high] < keys[low]) {
            K greater = keys[low];
            keys[low] = keys[high];
            keys[high] = greater;
        }
    }
};

// A step over the whole array, of n / 2 comparators or a few more.
template <class K, class Step>
scankit_error compare_all(cuda_device *gpu, K *keys, size_t n, size_t comparators, Step pair)
{
    map_kernel<<<map_blocks(comparators), MAP_THREADS, 0, gpu->stream>>>(comparators,
                                                                         compare_step<K, Step>{keys, n, pair});
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// A block's chunk in shared memory.
template <class K> struct chunk_of_keys {
    K *key;
    __device__ void load(const K *keys, size_t n)
    {
        size_t begin = size_t(blockIdx.x) * CHUNK<K>;
        for (int i = threadIdx.x; i < CHUNK<K>; i += CHUNK_THREADS)
            key[i] = begin + i < n ? keys[begin + i] : ABSENT<K>;
    }
    __device__ void store(K *keys, size_t n) const
    {
        size_t begin = size_t(blockIdx.x) * CHUNK<K>;
        for (int i = threadIdx.x; i < CHUNK<K> && begin + i < n; i += CHUNK_THREADS)
            keys[begin + i] = key[i];
    }

    // A step within the chunk, between two barriers.
    template <class Step> __device__ void compare(Step pair)
    {
        __syncthreads();
        for (int c = threadIdx.x; c < CHUNK<K> / 2; c += CHUNK_THREADS) {
            size_t low, high;
            pair(c, &low, &high);
            if (high < CHUNK<K>)
                compare_exchange(key[low], key[high]);
        }
        __syncthreads();
    }
};

#endif
