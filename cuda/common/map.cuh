// map.cuh - elementwise work: one thread per element, over a grid of any size. launch() may begin it early.
#ifndef SK_CUDA_MAP_CUH
#define SK_CUDA_MAP_CUH

#include "device/launch.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"

template <class F> __global__ void __launch_bounds__(MAP_THREADS) map_kernel(size_t n, F f)
{
    wait_for_launches();
    for (size_t i = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x; i < n; i += size_t(gridDim.x) * MAP_THREADS)
        f(i);
}

// Blocks for n elements: at most 2^16, enough for any GPU.
inline unsigned map_blocks(size_t n)
{
    size_t blocks = (n - 1) / MAP_THREADS + 1;
    return unsigned(blocks < 65536 ? blocks : 65536);
}

// Queues f(i) for all i below n.
template <class F> scankit_error map_elements(cuda_device *gpu, size_t n, F f)
{
    return launch(gpu, map_kernel<F>, map_blocks(n), MAP_THREADS, 0, n, f);
}

#endif
