// block_sum.cuh - sums over a block: the totals of the warps meet in shared memory, and each thread adds up the totals
// of the warps before its own. The file is also compiled at run time, so it does not include op.cuh.
#ifndef SK_CUDA_BLOCK_SUM_CUH
#define SK_CUDA_BLOCK_SUM_CUH

#include "common/warp.cuh"

// Sums and maxima of unsigned integers.
template <class T> struct plain_sum {
    using type = T;
    static __device__ __forceinline__ T identity()
    {
        return 0;
    }
    static __device__ __forceinline__ T combine(T a, T b)
    {
        return a + b;
    }
};

template <class T> struct plain_max {
    using type = T;
    static __device__ __forceinline__ T identity()
    {
        return 0;
    }
    static __device__ __forceinline__ T combine(T a, T b)
    {
        return max(a, b);
    }
};

template <class T> struct warp_share {
    T before; // the total of the warps before this one
    T total;  // the total of the block
};

// In shared memory: a total per warp. The first THREADS threads take part. A barrier is needed between publish() and
// fold(), and another one before the next publish(). Op need not be commutative.
template <class Op, int THREADS> struct warp_totals {
    using T = typename Op::type;
    static constexpr unsigned WARPS = THREADS / WARP;
    T of_warp[WARPS];

    // The last lane's value counts.
    __device__ __forceinline__ void publish(T value)
    {
        if (lane_id() == WARP - 1)
            of_warp[threadIdx.x / WARP] = value;
    }

    __device__ __forceinline__ warp_share<T> fold() const
    {
        unsigned warp = threadIdx.x / WARP;
        warp_share<T> share = {Op::identity(), Op::identity()};
#pragma unroll
        for (unsigned w = 0; w < WARPS; w++) {
            if (w == warp)
                share.before = share.total;
            share.total = Op::combine(share.total, of_warp[w]);
        }
        return share;
    }
};

// T: unsigned, of 4 or 8 bytes. exclusive() does it all. Kernels that have other work for the same barrier call
// publish() with the lane's inclusive sum, wait, and then call before() or total(): one of the two is cheaper than
// fold(), which matters for many warps.
template <class T, int THREADS> struct block_sum : warp_totals<plain_sum<T>, THREADS> {
    using totals = warp_totals<plain_sum<T>, THREADS>;
    using totals::of_warp, totals::WARPS;

    static __device__ __forceinline__ T warp_inclusive(T value)
    {
        return warp_scan<plain_sum<T>>(value);
    }

    // sum + the totals of the warps before this thread's.
    __device__ __forceinline__ T before(T sum = 0) const
    {
        unsigned warp = threadIdx.x / WARP;
#pragma unroll 8
        for (unsigned w = 0; w < WARPS; w++)
            sum += w < warp ? of_warp[w] : 0;
        return sum;
    }

    __device__ __forceinline__ T total() const
    {
        T sum = 0;
#pragma unroll 8
        for (unsigned w = 0; w < WARPS; w++)
            sum += of_warp[w];
        return sum;
    }

    // The sum of the values of all threads before this one. For all threads of the block; one barrier, and another is
    // needed before the next sum.
    __device__ __forceinline__ T exclusive(T value)
    {
        T inclusive = warp_inclusive(value);
        this->publish(inclusive);
        __syncthreads();
        return before(inclusive - value);
    }
};

#endif
