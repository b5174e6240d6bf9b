// reverse.cuh - an array the other way round, where it is or elsewhere.
#ifndef SK_CUDA_GRID_REVERSE_CUH
#define SK_CUDA_GRID_REVERSE_CUH

#include "device/tuning.cuh"

template <class K> __global__ void __launch_bounds__(MAP_THREADS) reverse_keys(const K *in, K *out, size_t n)
{
    for (size_t i = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x; i < (n + 1) / 2;
         i += size_t(gridDim.x) * MAP_THREADS) {
        K left = in[i], right = in[n - 1 - i];
        out[i] = right;
        out[n - 1 - i] = left;
    }
}

#endif
