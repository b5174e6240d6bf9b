// window_sort.cuh - sorts keys on chip by a block, by Batcher's networks, so that no distribution is slower than
// another: each warp sorts a window in registers, and windows are merged two at a time.
#ifndef SK_CUDA_WINDOW_SORT_CUH
#define SK_CUDA_WINDOW_SORT_CUH

#include "sort/merge/bitonic_sort.cuh"

// The warp's window of keys, filled up with the greatest key.
template <class K> struct window {
    static constexpr int ITEMS = warp_network<K>::ITEMS;
    K key[ITEMS];

    __device__ __forceinline__ void load(const K *in, int valid)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = i * WARP + int(lane_id());
            key[i] = at < valid ? in[at] : K(~K(0));
        }
    }

    // Sorts, and stores in order to shared memory.
    __device__ __forceinline__ void sort_to(K *to)
    {
        merge_exchange(key);
        sort_lanes(key);
        store_lane(key, to + lane_id() * ITEMS);
    }
};

// Calls go(place of the window) for the warp's windows of the first `size` keys.
template <int THREADS, int SIZE, class K, class Go> __device__ __forceinline__ void for_windows(int size, Go go)
{
    int first = int(threadIdx.x / WARP) * WINDOW<K>;
    constexpr int STEP = THREADS / WARP * WINDOW<K>;
    if constexpr (STEP >= SIZE) {
        if (first < size)
            go(first);
    } else {
#pragma unroll 1
        for (int at = first; at < size; at += STEP)
            go(at);
    }
}

// Sorts `size` keys. OVERWRITES: in may be in run[0], which is read before it is written; the block has a warp per
// window.
template <int THREADS, bool OVERWRITES, int SIZE, class K, class Order>
__device__ __forceinline__ void sort_windows(K (&run)[2][SIZE], const K *in, K *out, int size, const Order &order)
{
    static_assert(!OVERWRITES || THREADS * window<K>::ITEMS >= SIZE, "a warp a window");
    static_assert(SIZE % WINDOW<K> == 0, "whole windows");
    int all = (size + WINDOW<K> - 1) / WINDOW<K> * WINDOW<K>, of = 0;
    auto same = [](K own) { return own; };
    if constexpr (OVERWRITES) {
        int at = int(threadIdx.x / WARP) * WINDOW<K>;
        window<K> mine;
        mine.load(in + at, size - at);
        __syncthreads();
        if (at < size)
            mine.sort_to(run[0] + at);
    } else {
        for_windows<THREADS, SIZE, K>(size, [&](int at) {
            window<K> mine;
            mine.load(in + at, size - at);
            mine.sort_to(run[0] + at);
        });
    }
    __syncthreads();
#pragma unroll 1
    for (int length = WINDOW<K>; length < all; length *= 2, of ^= 1) {
        for_windows<THREADS, SIZE, K>(size, [&](int at) {
            int diagonal = at % (2 * length), begin = at - diagonal;
            int na = min(length, all - begin), nb = min(length, all - begin - na);
            K key[window<K>::ITEMS];
            merge_window(key, run[of] + begin, na, run[of] + begin + na, nb, diagonal, same);
            store_window(key, run[of ^ 1] + at, same);
        });
        __syncthreads();
    }
    for (int i = threadIdx.x; i < size; i += THREADS)
        out[i] = order.value(run[of][i]);
}

#endif
