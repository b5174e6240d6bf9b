// overlap.cuh - kernels that begin before the launch in front of them has ended (launch.cuh). All that do wait, every
// block of them and before anything else, so that what has been waited for is all that came before.
#ifndef SK_CUDA_GRID_OVERLAP_CUH
#define SK_CUDA_GRID_OVERLAP_CUH

// All that is before has been done, and is seen.
__device__ __forceinline__ void wait_for_launches()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// What comes next may begin when all blocks have come here, and not only when they have ended.
__device__ __forceinline__ void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

#endif
