// reduce_shuffle.cuh - reduction in registers: each warp by shuffles, then the first warp the sums of all (Luitjens,
// Faster Parallel Reductions on Kepler, 2014). Distances rise, not fall as there, so that operands keep their order.
#ifndef SK_CUDA_REDUCE_SHUFFLE_CUH
#define SK_CUDA_REDUCE_SHUFFLE_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct reduce_shuffle {
    using T = typename Op::type;
    static constexpr int WARPS = BLOCK_SCAN_THREADS / WARP;
    struct shared_memory {
        T sums[WARPS];
    };

    // For lane 0: after each step it has the sum of twice as many lanes.
    static __device__ __forceinline__ T reduce_warp(T value)
    {
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2)
            value = Op::combine(value, warp_down(value, distance));
        return value;
    }

    static __device__ T reduce(T value, shared_memory &shared)
    {
        int i = threadIdx.x;
        value = reduce_warp(value);
        if (lane_id() == 0)
            shared.sums[i / WARP] = value;
        __syncthreads();
        if (i < WARP)
            value = reduce_warp(i < WARPS ? shared.sums[i] : Op::identity());
        return value;
    }
};

#endif
