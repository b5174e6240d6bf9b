// double_buffered.cuh - the naive block scan: each step adds to every element the one that is 1, 2, 4, ... places to
// its left, from one buffer to another, so that no thread reads what another has written in the same step. n log n
// operations (Hillis and Steele, Data Parallel Algorithms, 1986; GPU Gems 3, chapter 39, listing 1).
#ifndef SK_CUDA_DOUBLE_BUFFERED_CUH
#define SK_CUDA_DOUBLE_BUFFERED_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct double_buffered {
    using T = typename Op::type;
    static constexpr int SIZE = BLOCK_SCAN_THREADS;
    struct shared_memory {
        T x[2][SIZE];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        int i = threadIdx.x, from = 0;
        shared.x[from][i] = tile.load(i);
        __syncthreads();
        // log n steps: what has nothing so far to its left is copied as it is.
        for (int distance = 1; distance < SIZE; distance *= 2) {
            const T *x = shared.x[from];
            shared.x[1 - from][i] = i >= distance ? Op::combine(x[i - distance], x[i]) : x[i];
            from = 1 - from;
            __syncthreads();
        }
        tile.store_inclusive(i, shared.x[from]);
        return shared.x[from][SIZE - 1];
    }
};

#endif
