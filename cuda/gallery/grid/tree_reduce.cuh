// tree_reduce.cuh - reduction of any length made of block reductions: a launch makes of each tile one result, the next
// reduces the results, until there is one.
#ifndef SK_CUDA_TREE_REDUCE_CUH
#define SK_CUDA_TREE_REDUCE_CUH

#include "device/arena.cuh"
#include "gallery/block/block_scan.cuh"
#include "device/check.cuh"

template <template <class> class Block, class Op>
__global__ void __launch_bounds__(BLOCK_SCAN_THREADS)
    reduce_blocks(const typename Op::type *in, size_t n, typename Op::type *results)
{
    __shared__ typename Block<Op>::shared_memory shared;
    size_t i = size_t(blockIdx.x) * BLOCK_SCAN_THREADS + threadIdx.x;
    typename Op::type result = Block<Op>::reduce(i < n ? in[i] : Op::identity(), shared);
    if (threadIdx.x == 0)
        results[blockIdx.x] = result;
}

// result: the host's.
template <template <class> class Block, class Op>
scankit_error tree_reduce(cuda_device *gpu, const typename Op::type *in, size_t n, void *result)
{
    using T = typename Op::type;
    workspace scratch(gpu);
    do {
        size_t blocks = (n - 1) / BLOCK_SCAN_THREADS + 1;
        T *results;
        if (!scratch.take(&results, blocks))
            return SCANKIT_E_MEMORY;
        reduce_blocks<Block, Op><<<unsigned(blocks), BLOCK_SCAN_THREADS, 0, gpu->stream>>>(in, n, results);
        CHECK_LAUNCH();
        in = results;
        n = blocks;
    } while (n > 1);
    return cuda_fetch(gpu, result, in, sizeof(T));
}

#endif
