// reduce_divergent.cuh - reduction by interleaved pairs, each step by every second of the threads before: all warps
// stay busy with ever fewer of their lanes (Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 1).
#ifndef SK_CUDA_REDUCE_DIVERGENT_CUH
#define SK_CUDA_REDUCE_DIVERGENT_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct reduce_divergent {
    using T = typename Op::type;
    struct shared_memory {
        T x[BLOCK_SCAN_THREADS];
    };

    // The sum of the threads' values, for thread 0.
    static __device__ T reduce(T value, shared_memory &shared)
    {
        int i = threadIdx.x;
        T *x = shared.x;
        x[i] = value;
        for (int distance = 1; distance < BLOCK_SCAN_THREADS; distance *= 2) {
            __syncthreads();
            if (i % (2 * distance) == 0)
                x[i] = Op::combine(x[i], x[i + distance]);
        }
        return i == 0 ? x[0] : value; // only thread 0 knows that it is done
    }
};

#endif
