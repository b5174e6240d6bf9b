// reduce_strided.cuh - the same pairs, by the first of the threads: warps end as a whole, but a warp's elements lie 2,
// 4,
// ... apart, in the same banks of shared memory (Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 2).
#ifndef SK_CUDA_REDUCE_STRIDED_CUH
#define SK_CUDA_REDUCE_STRIDED_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct reduce_strided {
    using T = typename Op::type;
    struct shared_memory {
        T x[BLOCK_SCAN_THREADS];
    };

    static __device__ T reduce(T value, shared_memory &shared)
    {
        T *x = shared.x;
        x[threadIdx.x] = value;
        for (int distance = 1; distance < BLOCK_SCAN_THREADS; distance *= 2) {
            __syncthreads();
            int i = threadIdx.x * 2 * distance;
            if (i < BLOCK_SCAN_THREADS)
                x[i] = Op::combine(x[i], x[i + distance]);
        }
        return threadIdx.x == 0 ? x[0] : value; // only thread 0 knows that it is done
    }
};

#endif
