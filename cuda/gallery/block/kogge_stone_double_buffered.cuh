// kogge_stone_double_buffered.cuh - Kogge and Stone's scan with two buffers, so that a step waits once, and with a
// thread's own sum in a register, so that it reads once (Kirk, Hwu and El Hajj, Programming Massively Parallel
// Processors, 2022, section 11.2 and its exercise).
#ifndef SK_CUDA_KOGGE_STONE_DOUBLE_BUFFERED_CUH
#define SK_CUDA_KOGGE_STONE_DOUBLE_BUFFERED_CUH

#include "gallery/block/block_scan.cuh"

// The inclusive scan of a value a thread; it is returned, and all of them are in the buffer that is.
template <class Op> struct scanned_values {
    typename Op::type own;
    const typename Op::type *all;
};

template <class Op>
__device__ __forceinline__ scanned_values<Op> scan_values(typename Op::type own,
                                                          typename Op::type (&x)[2][BLOCK_SCAN_THREADS])
{
    int i = threadIdx.x, from = 0;
    x[from][i] = own;
    __syncthreads();
    for (int distance = 1; distance < BLOCK_SCAN_THREADS; distance *= 2) {
        if (i >= distance)
            own = Op::combine(x[from][i - distance], own);
        from = 1 - from;
        x[from][i] = own;
        __syncthreads();
    }
    return {own, x[from]};
}

template <class Op> struct kogge_stone_double_buffered {
    using T = typename Op::type;
    static constexpr int SIZE = BLOCK_SCAN_THREADS;
    struct shared_memory {
        T x[2][SIZE];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        scanned_values<Op> scanned = scan_values<Op>(tile.load(threadIdx.x), shared.x);
        tile.store_inclusive(threadIdx.x, scanned.all);
        return scanned.all[SIZE - 1];
    }
};

#endif
