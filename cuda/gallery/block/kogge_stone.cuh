// kogge_stone.cuh - the naive scan in place: every step reads, waits until all have read, and writes (Kogge and Stone,
// A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations, 1973; Kirk, Hwu and El
// Hajj, Programming Massively Parallel Processors, 2022, section 11.2).
#ifndef SK_CUDA_KOGGE_STONE_CUH
#define SK_CUDA_KOGGE_STONE_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct kogge_stone {
    using T = typename Op::type;
    static constexpr int SIZE = BLOCK_SCAN_THREADS;
    struct shared_memory {
        T x[SIZE];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        int i = threadIdx.x;
        shared.x[i] = tile.load(i);
        // log n steps: after each, x[i] is the sum of twice as many elements up to i.
        for (int distance = 1; distance < SIZE; distance *= 2) {
            __syncthreads();
            T sum = i >= distance ? Op::combine(shared.x[i - distance], shared.x[i]) : shared.x[i];
            __syncthreads();
            shared.x[i] = sum;
        }
        __syncthreads();
        tile.store_inclusive(i, shared.x);
        return shared.x[SIZE - 1];
    }
};

#endif
