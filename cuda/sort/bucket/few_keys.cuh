// few_keys.cuh - a block sorts few keys in shared memory, so that no distribution is slower than another: each warp
// sorts a window in registers, and windows are merged two at a time. There each key finds its place by a search of the
// other window (Satish, Harris and Garland 2009), which takes fewer instructions than a network.
#ifndef SK_CUDA_FEW_KEYS_CUH
#define SK_CUDA_FEW_KEYS_CUH

#include "sort/bins/bin_order.cuh"
#include "sort/choose/choose.h"

// The keys, and room for as many.
template <class K> using few_keys = K[2 * FEW_KEYS];

// Where a key comes when two sorted runs of `width` keys are merged: it passes the keys of the other run that are less,
// or equal in the first run. Places are in few_keys, as pointers would not tell that they are to shared memory. A
// thread searches for several keys at once, without branches, so that no search waits for another.
template <class K> struct run_search {
    K own, bound;              // it passes keys below `bound`
    unsigned before, last, at; // places before the other run and of its last key, and the last one that it passes

    // For key i of `all` that begin at `from`.
    __device__ __forceinline__ run_search(const few_keys<K> &keys, unsigned from, unsigned i, unsigned width,
                                          unsigned all)
        : own(keys[from + i])
    {
        unsigned first = (i ^ width) & ~(width - 1), size = first < all ? min(width, all - first) : 0;
        bool passes_equals = (i & width) != 0;
        bound = passes_equals ? K(own + 1) : own;
        before = from + first - 1;
        last = before + size;
        at = passes_equals && bound == 0 ? last : before;
    }
    __device__ __forceinline__ void step(const few_keys<K> &keys, unsigned distance)
    {
        unsigned next = min(at + distance, last);
        at = keys[next] < bound ? next : at;
    }
    __device__ __forceinline__ unsigned passed() const
    {
        return at - before;
    }
};

// Sorts the first `size` keys, up to FEW_KEYS: two a thread. Returns where they begin then.
template <int THREADS, class K> __device__ __forceinline__ unsigned sort_few_keys(few_keys<K> &keys, unsigned size)
{
    static_assert(THREADS / WARP * FEW_WINDOW<K> >= FEW_KEYS && FEW_KEYS <= 2 * THREADS, "a warp a window");
    unsigned mine = threadIdx.x / WARP * FEW_WINDOW<K>, from = 0;
    if (mine < size)
        sort_by_warp<FEW_WINDOW<K> / WARP>(&keys[mine], min(size - mine, FEW_WINDOW<K>));
    __syncthreads();
#pragma unroll 1
    for (unsigned width = FEW_WINDOW<K>; width < size; width *= 2, from ^= FEW_KEYS) {
        unsigned i = threadIdx.x, j = i + THREADS;
        if (i < size) {
            run_search<K> of_i(keys, from, i, width, size), of_j(keys, from, j, width, size);
#pragma unroll 1
            for (unsigned distance = width; distance > 0; distance /= 2) {
                of_i.step(keys, distance);
                if (size > THREADS)
                    of_j.step(keys, distance);
            }
            unsigned to = from ^ FEW_KEYS;
            keys[to + (i & ~width) + of_i.passed()] = of_i.own;
            if (j < size)
                keys[to + (j & ~width) + of_j.passed()] = of_j.own;
        }
        __syncthreads();
    }
    return from;
}

#endif
