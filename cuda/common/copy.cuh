// copy.cuh - copies within the device's memory.
#ifndef SK_CUDA_COPY_CUH
#define SK_CUDA_COPY_CUH

#include "device/check.cuh"

// Does nothing if the array is there already, or is none.
inline scankit_error copy_array(cuda_device *gpu, const void *in, void *out, size_t bytes)
{
    END_REHEARSAL(gpu);
    if (in != out && bytes > 0)
        CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, gpu->stream));
    return SCANKIT_OK;
}

#endif
