// block_sum.cuh - sums over the threads of a block: each warp scans by shuffles, the totals of the warps meet in shared
// memory, and each thread adds up the totals of the warps before its own.
#ifndef SK_CUDA_BLOCK_SUM_CUH
#define SK_CUDA_BLOCK_SUM_CUH

#include "common/op.cuh"
#include "common/warp.cuh"

// In shared memory. T: sk_u32 or sk_u64. The first THREADS threads take part.
//
// exclusive() does it all. Kernels that have other work for the same barrier call publish(), wait, and then before() or
// total().
template <class T, int THREADS> struct block_sum {
    static constexpr unsigned WARPS = THREADS / WARP;
    T warp_total[WARPS];

    static __device__ __forceinline__ T warp_inclusive(T value)
    {
        return warp_scan<op_sum<T>>(value);
    }

    // inclusive: the lane's sum within its warp.
    __device__ __forceinline__ void publish(T inclusive)
    {
        if (lane_id() == WARP - 1)
            warp_total[threadIdx.x / WARP] = inclusive;
    }

    // sum + the totals of the warps before this thread's.
    __device__ __forceinline__ T before(T sum = 0) const
    {
        unsigned warp = threadIdx.x / WARP;
#pragma unroll 8
        for (unsigned w = 0; w < WARPS; w++)
            sum += w < warp ? warp_total[w] : 0;
        return sum;
    }

    __device__ __forceinline__ T total() const
    {
        T sum = 0;
#pragma unroll 8
        for (unsigned w = 0; w < WARPS; w++)
            sum += warp_total[w];
        return sum;
    }

    // The sum of the values of all threads before this one. For all threads of the block; one barrier, and another is
    // needed before the next sum.
    __device__ __forceinline__ T exclusive(T value)
    {
        T inclusive = warp_inclusive(value);
        publish(inclusive);
        __syncthreads();
        return before(inclusive - value);
    }
};

#endif
