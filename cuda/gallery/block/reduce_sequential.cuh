// reduce_sequential.cuh - the first half of the elements gets the second half added, again and again: neighbouring
// threads take neighbouring elements, without bank conflicts. Operands do not keep their order, so this is for
// commutative operators (Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 3).
#ifndef SK_CUDA_REDUCE_SEQUENTIAL_CUH
#define SK_CUDA_REDUCE_SEQUENTIAL_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct reduce_sequential {
    using T = typename Op::type;
    struct shared_memory {
        T x[BLOCK_SCAN_THREADS];
    };

    static __device__ T reduce(T value, shared_memory &shared)
    {
        int i = threadIdx.x;
        T *x = shared.x;
        x[i] = value;
        for (int distance = BLOCK_SCAN_THREADS / 2; distance > 0; distance /= 2) {
            __syncthreads();
            if (i < distance)
                x[i] = Op::combine(x[i], x[i + distance]);
        }
        return i == 0 ? x[0] : value; // only thread 0 knows that it is done
    }
};

#endif
