// result.cu - small results that the host waits for. They pass through pinned memory, at the end of the pinned buffers.
#include <cstring>

#include "device/check.cuh"
#include "device/device.cuh"

void *cuda_result(cuda_device *gpu)
{
    return gpu->pinned + STAGES * STAGE_BYTES; // pinned memory has the same address on the host and on the GPU
}

scankit_error cuda_wait_result(cuda_device *gpu, void *host, size_t bytes)
{
    CHECK(cudaStreamSynchronize(gpu->stream));
    std::memcpy(host, cuda_result(gpu), bytes);
    return SCANKIT_OK;
}

scankit_error cuda_fetch(cuda_device *gpu, void *host, const void *from, size_t bytes)
{
    CHECK(cudaMemcpyAsync(cuda_result(gpu), from, bytes, cudaMemcpyDeviceToHost, gpu->stream));
    return cuda_wait_result(gpu, host, bytes);
}

scankit_error cuda_ask(cuda_device *gpu, const void *from, size_t bytes)
{
    CHECK(cudaMemcpyAsync(cuda_result(gpu), from, bytes, cudaMemcpyDeviceToHost, gpu->stream));
    CHECK(cudaEventRecord(gpu->asked, gpu->stream));
    return SCANKIT_OK;
}

scankit_error cuda_answer(cuda_device *gpu, void *host, size_t bytes)
{
    CHECK(cudaEventSynchronize(gpu->asked));
    std::memcpy(host, cuda_result(gpu), bytes);
    return SCANKIT_OK;
}
