// key_vectors.cuh - an array of keys as vectors of 16 bytes, whatever its alignment, and the extremes of a warp's keys.
#ifndef SK_CUDA_KEY_VECTORS_CUH
#define SK_CUDA_KEY_VECTORS_CUH

#include <cstddef>
#include <cstdint>

#include "common/warp.cuh"

// The aligned vectors of an array, and the `head` keys before them and the rest behind.
template <class K> struct key_vectors {
    static constexpr int EACH = 16 / sizeof(K);
    const K *keys;
    size_t n, head, whole;
    const uint4 *first;
    __device__ __forceinline__ key_vectors(const K *all, size_t count) : keys(all), n(count)
    {
        head = (16 - uintptr_t(keys) % 16) % 16 / sizeof(K);
        head = head < n ? head : n;
        whole = (n - head) / EACH;
        first = reinterpret_cast<const uint4 *>(keys + head);
    }

    // The keys outside the vectors, by one block.
    template <class Do> __device__ __forceinline__ void for_ends(Do act) const
    {
        size_t tail = head + whole * EACH;
        if (threadIdx.x < head)
            act(keys[threadIdx.x]);
        if (threadIdx.x < n - tail)
            act(keys[tail + threadIdx.x]);
    }

    template <class Do> static __device__ __forceinline__ void for_each(const uint4 &vector, Do act)
    {
        const K *item = reinterpret_cast<const K *>(&vector);
#pragma unroll
        for (int k = 0; k < EACH; k++)
            act(item[k]);
    }

    // All keys, by blocks of THREADS with VECTORS loads per thread in flight. A block calls give_up() after each step
    // and ends if it returns true.
    template <int THREADS, int VECTORS, class Do, class GiveUp>
    __device__ __forceinline__ void for_all(Do act, GiveUp give_up) const
    {
        constexpr size_t EACH = size_t(THREADS) * VECTORS;
        if (blockIdx.x == 0)
            for_ends(act);
        for (size_t begin = blockIdx.x * EACH; begin < whole; begin += gridDim.x * EACH) {
            uint4 found[VECTORS];
#pragma unroll
            for (int i = 0; i < VECTORS; i++) {
                size_t at = begin + i * THREADS + threadIdx.x;
                found[i] = at < whole ? __ldcs(&first[at]) : uint4{};
            }
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                if (begin + i * THREADS + threadIdx.x < whole)
                    for_each(found[i], act);
            if (give_up())
                break;
        }
    }
};

// The least and the greatest key of all lanes, for every lane.
template <class K> __device__ __forceinline__ void warp_extremes(K *least, K *greatest)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        *least = min(*least, K(__shfl_xor_sync(FULL_WARP, *least, distance)));
        *greatest = max(*greatest, K(__shfl_xor_sync(FULL_WARP, *greatest, distance)));
    }
}

#endif
