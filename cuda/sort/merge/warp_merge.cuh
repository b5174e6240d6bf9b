// warp_merge.cuh - merges two sorted arrays on chip by warps. A window is the outputs of a warp. The warp finds by
// merge path where the window begins in either array, takes a window from both, and keeps the lesser half by the first
// step of a bitonic merge. The other steps sort that half (Batcher 1968), in registers and by shuffles.
#ifndef SK_CUDA_WARP_MERGE_CUH
#define SK_CUDA_WARP_MERGE_CUH

#include "common/thread.cuh"
#include "sort/merge/merge_path.cuh"
#include "sort/network/networks.cuh"

// The network over a window: item i of a lane is at place i * WARP + lane.
template <class E> struct warp_network {
    static constexpr int ITEMS = 64 / sizeof(E);

    static __device__ __forceinline__ void sort(E (&item)[ITEMS])
    {
        bitonic_merge(item);
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2) {
            bool upper = lane_id() & distance;
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                item[i] = keep(upper, item[i], from_lane(item[i], distance));
        }
    }
};

template <class E> constexpr int WINDOW = WARP *warp_network<E>::ITEMS;

// Takes the elements of the window from `diagonal` on, of arrays in shared memory, in the network's order. element(x):
// what x is ordered by.
template <class E, class K, class F>
__device__ __forceinline__ void take_window(E (&item)[warp_network<E>::ITEMS], const K *a, int na, const K *b, int nb,
                                            int diagonal, F element)
{
    constexpr int ITEMS = warp_network<E>::ITEMS;
    constexpr E LAST = E(~E(0));
    int from_a = warp_merge_path(diagonal, na, nb, [&](int i, int j) { return element(b[j]) < element(a[i]); });
    int from_b = diagonal - from_a, lane = int(lane_id());
    const K *up = a + from_a + lane, *down = b + from_b + (WINDOW<E> - 1 - lane);
    if (from_a + WINDOW<E> <= na && from_b + WINDOW<E> <= nb) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            item[i] = min(element(up[i * WARP]), element(down[-i * WARP]));
    } else {
        int rest_a = na - from_a - lane, rest_b = nb - from_b - (WINDOW<E> - 1 - lane);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            item[i] = min(i * WARP < rest_a ? element(up[i * WARP]) : LAST,
                          -i * WARP < rest_b ? element(down[-i * WARP]) : LAST);
    }
}

// Merges the window.
template <class E, class K, class F>
__device__ __forceinline__ void merge_window(E (&item)[warp_network<E>::ITEMS], const K *a, int na, const K *b, int nb,
                                             int diagonal, F element)
{
    take_window(item, a, na, b, nb, diagonal, element);
    warp_network<E>::sort(item);
}

// Stores a window.
template <class E, class K, class F>
__device__ __forceinline__ void store_window(const E (&item)[warp_network<E>::ITEMS], K *out, F value)
{
    out += lane_id();
#pragma unroll
    for (int i = 0; i < warp_network<E>::ITEMS; i++)
        out[i * WARP] = value(item[i]);
}

// Stores the first `valid` elements of a window, or all.
template <class E, class K, class F>
__device__ __forceinline__ void store_window(const E (&item)[warp_network<E>::ITEMS], K *out, int valid, F value)
{
    if (valid >= WINDOW<E>) {
        store_window(item, out, value);
        return;
    }
#pragma unroll
    for (int i = 0; i < warp_network<E>::ITEMS; i++)
        if (i * WARP + int(lane_id()) < valid)
            out[i * WARP + lane_id()] = value(item[i]);
}

#endif
