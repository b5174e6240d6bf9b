// overlap.cuh - the device's side of programmatic launches (launch.cuh). Every block of such a kernel waits before it
// does anything else. So when a kernel ends, all launches before it have ended too.
#ifndef SK_CUDA_OVERLAP_CUH
#define SK_CUDA_OVERLAP_CUH

// Waits until the previous launches have ended and their writes are visible.
__device__ __forceinline__ void wait_for_launches()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Lets the next launch begin once all blocks have called this or ended.
__device__ __forceinline__ void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

#endif
