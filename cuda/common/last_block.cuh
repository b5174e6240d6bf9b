// last_block.cuh - the last block of a launch, which sees what the others wrote.
#ifndef SK_CUDA_LAST_BLOCK_CUH
#define SK_CUDA_LAST_BLOCK_CUH

// True for the last block that comes here, which then sees what the others wrote.
__device__ __forceinline__ bool is_last_block(unsigned *blocks_done, unsigned blocks = gridDim.x)
{
    __shared__ bool is_last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(blocks_done, 1) == blocks - 1;
    __syncthreads();
    if (is_last)
        __threadfence();
    return is_last;
}

#endif
