// reverse.cuh - an array in reverse, in place or elsewhere.
#ifndef SK_CUDA_REVERSE_CUH
#define SK_CUDA_REVERSE_CUH

#include "device/tuning.cuh"

// The pairs of keys first, first + step and so on from both ends.
template <class K, class I> __device__ __forceinline__ void reverse_share(const K *in, K *out, I n, I first, I step)
{
    for (I at = first; at < (n + 1) / 2; at += step) {
        K front = in[at], back = in[n - 1 - at];
        out[at] = back;
        out[n - 1 - at] = front;
    }
}

template <class K> __global__ void __launch_bounds__(MAP_THREADS) reverse_keys(const K *in, K *out, size_t n)
{
    reverse_share(in, out, n, size_t(blockIdx.x) * MAP_THREADS + threadIdx.x, size_t(gridDim.x) * MAP_THREADS);
}

#endif
