// brent_kung.cuh - a tree of sums, and from it the inclusive scan at once: two elements a thread, O(n) operations in 2
// log n steps (Brent and Kung, A Regular Layout for Parallel Adders, 1982; Kirk, Hwu and El Hajj, Programming Massively
// Parallel Processors, 2022, section 11.4).
#ifndef SK_CUDA_BRENT_KUNG_CUH
#define SK_CUDA_BRENT_KUNG_CUH

#include "gallery/block/work_efficient.cuh"

template <class Op> struct brent_kung {
    using T = typename Op::type;
    static constexpr int SIZE = 2 * BLOCK_SCAN_THREADS;
    struct shared_memory {
        T x[SIZE];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        int a = threadIdx.x, b = threadIdx.x + BLOCK_SCAN_THREADS;
        T *x = shared.x;
        x[a] = tile.load(a);
        x[b] = tile.load(b);
        // The tree: elements 1, 3, 7, ... hold the scan then, and the ends of all subtrees their sum.
        up_sweep<Op, unpadded, SIZE>(x);
        // Back: the end of a subtree, done, completes the one in the middle of the next.
        for (int distance = SIZE / 4; distance > 0; distance /= 2) {
            int end = (threadIdx.x + 1) * 2 * distance - 1;
            if (end + distance < SIZE)
                x[end + distance] = Op::combine(x[end], x[end + distance]);
            __syncthreads();
        }
        tile.store_inclusive(a, x);
        tile.store_inclusive(b, x);
        return x[SIZE - 1];
    }
};

#endif
