// warp_merge.cuh - merges two sorted arrays on chip by warps. A window is the outputs of a warp. The warp finds by
// merge path where the window begins in either array, takes a window from both, and keeps the lesser half by the first
// step of a bitonic merge. The other steps sort that half (Batcher 1968), in registers: before each step over lanes,
// half of the items change places with the lane bit that the step compares.
#ifndef SK_CUDA_WARP_MERGE_CUH
#define SK_CUDA_WARP_MERGE_CUH

#include "common/thread.cuh"
#include "sort/merge/merge_path.cuh"

// Exchanges the meaning of a lane bit and an item bit. COMPARE: then compares the items that differ in the item bit.
template <bool COMPARE, int N, class E> __device__ __forceinline__ void swap_bits(E (&item)[N], int lane_bit, int bit)
{
    bool upper = lane_id() >> lane_bit & 1;
#pragma unroll
    for (int i = 0; i < N; i++) {
        if (i >> bit & 1)
            continue;
        E &low = item[i], &high = item[i | 1 << bit];
        E other = __shfl_xor_sync(FULL_WARP, upper ? low : high, 1 << lane_bit);
        if constexpr (COMPARE) {
            E keep = upper ? high : low;
            low = min(keep, other);
            high = max(keep, other);
        } else {
            low = upper ? other : low;
            high = upper ? high : other;
        }
    }
}

// The network over a window. Before it, item i of a lane is at place i * WARP + lane; after it, at lane_place() +
// item_place(i): a lane has vectors of 16 bytes, and eight lanes have neighbouring ones.
template <class E> struct warp_network;

template <> struct warp_network<uint32_t> {
    static constexpr int ITEMS = 16, VECTOR = 4;
    static __device__ __forceinline__ void sort(uint32_t (&item)[ITEMS])
    {
        bitonic_merge(item);
        swap_bits<true>(item, 4, 3);
        swap_bits<true>(item, 3, 2);
        swap_bits<true>(item, 2, 1);
        swap_bits<true>(item, 1, 0);
        swap_bits<true>(item, 0, 3);
        swap_bits<false>(item, 1, 2);
        swap_bits<false>(item, 2, 1);
    }
    static __device__ __forceinline__ int lane_place()
    {
        int lane = int(lane_id());
        return (lane & 0x18) << 4 | (lane & 4) | (lane & 2) << 2 | (lane & 1) << 4;
    }
    static __device__ __forceinline__ int item_place(int item)
    {
        return item >> 3 | (item & 1) << 1 | (item & 4) << 3 | (item & 2) << 5;
    }
};

template <> struct warp_network<uint64_t> {
    static constexpr int ITEMS = 8, VECTOR = 2;
    static __device__ __forceinline__ void sort(uint64_t (&item)[ITEMS])
    {
        bitonic_merge(item);
        swap_bits<true>(item, 4, 2);
        swap_bits<true>(item, 3, 1);
        swap_bits<true>(item, 2, 0);
        swap_bits<true>(item, 1, 2);
        swap_bits<true>(item, 0, 1);
        swap_bits<false>(item, 2, 0);
        swap_bits<false>(item, 1, 2);
    }
    static __device__ __forceinline__ int lane_place()
    {
        int lane = int(lane_id());
        return (lane & 0x18) << 3 | (lane & 4) | (lane & 2) | (lane & 1) << 3;
    }
    static __device__ __forceinline__ int item_place(int item)
    {
        return (item & 2) >> 1 | (item & 4) << 2 | (item & 1) << 5;
    }
};

template <class E> constexpr int WINDOW = WARP *warp_network<E>::ITEMS;

// Merges the window from `diagonal` on, of arrays in shared memory. element(x): what x is ordered by.
template <class E, class K, class F>
__device__ __forceinline__ void merge_window(E (&item)[warp_network<E>::ITEMS], const K *a, int na, const K *b, int nb,
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
    warp_network<E>::sort(item);
}

// Stores a window that is aligned for it, by vectors; or the first `valid` of it one by one.
template <class E, class K, class F>
__device__ __forceinline__ void store_window(const E (&item)[warp_network<E>::ITEMS], K *out, F value)
{
    using network = warp_network<E>;
    struct alignas(network::VECTOR * sizeof(K)) vector {
        K key[network::VECTOR];
    };
    out += network::lane_place();
#pragma unroll
    for (int i = 0; i < network::ITEMS; i++) {
        int place = network::item_place(i);
        if (place % network::VECTOR > 0)
            continue;
        vector to;
#pragma unroll
        for (int j = 0; j < network::ITEMS; j++)
            if (network::item_place(j) / network::VECTOR == place / network::VECTOR)
                to.key[network::item_place(j) % network::VECTOR] = value(item[j]);
        *reinterpret_cast<vector *>(out + place) = to;
    }
}

template <class E, class K, class F>
__device__ __forceinline__ void store_window(const E (&item)[warp_network<E>::ITEMS], K *out, int valid, F value)
{
    using network = warp_network<E>;
#pragma unroll
    for (int i = 0; i < network::ITEMS; i++) {
        int place = network::lane_place() + network::item_place(i);
        if (place < valid)
            out[place] = value(item[i]);
    }
}

#endif
