// capture.cu - CUDA graphs: what is different while a stream is being captured. Nothing may be allocated or waited for,
// and no host memory be read later.
#include <cstdio>
#include <cstring>

#include "device/check.cuh"
#include "device/device.cuh"

scankit_error cuda_refuse_capture(cuda_device *gpu, const char *reason)
{
    std::snprintf(gpu->base.detail, sizeof gpu->base.detail, "while the stream is captured: %s", reason);
    return SCANKIT_E_ARGUMENT;
}

static scankit_error find_capture(cuda_device *gpu)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    gpu->captures = false;
    if (sk_rehearses(&gpu->base))
        return SCANKIT_OK;
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaStreamIsCapturing(gpu->stream, &status));
    gpu->captures = status == cudaStreamCaptureStatusActive;
    return SCANKIT_OK;
}

// If it cannot be found out, the next call reports why.
bool cuda_captures(sk_device *device)
{
    cuda_device *gpu = as_cuda(device);
    return find_capture(gpu) == SCANKIT_OK && gpu->captures;
}

scankit_error cuda_begin_call(cuda_device *gpu)
{
    TRY(find_capture(gpu));
    if (gpu->captures && gpu->base.workspace.mode != SK_ARENA_FIXED)
        return cuda_refuse_capture(gpu, "the workspace must be the caller's");
    return SCANKIT_OK;
}

scankit_error cuda_begin_gallery(cuda_device *gpu)
{
    if (gpu->captures)
        return cuda_refuse_capture(gpu, "the gallery");
    if (!sk_rehearses(&gpu->base))
        return SCANKIT_OK;
    std::snprintf(gpu->base.detail, sizeof gpu->base.detail, "the gallery has no rehearsals on a GPU");
    return SCANKIT_E_ARGUMENT;
}

// ---- host memory as kernel parameters ----

constexpr size_t PUT_BYTES = 2048, PUT_MOST = size_t(4) << 20;

struct put_block {
    unsigned char byte[PUT_BYTES];
};

static __global__ void put_kernel(unsigned char *to, const __grid_constant__ put_block from, unsigned bytes)
{
    for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x)
        to[i] = from.byte[i];
}

static scankit_error put_captured(cuda_device *gpu, unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes > PUT_MOST)
        return cuda_refuse_capture(gpu, "more than 4 MiB of host memory");
    for (size_t done = 0; done < bytes; done += PUT_BYTES) {
        size_t part = bytes - done < PUT_BYTES ? bytes - done : PUT_BYTES;
        put_block block;
        std::memcpy(block.byte, from + done, part);
        put_kernel<<<1, 256, 0, gpu->stream>>>(to + done, block, unsigned(part));
        CHECK_LAUNCH();
    }
    return SCANKIT_OK;
}

scankit_error cuda_put(cuda_device *gpu, void *to, const void *from, size_t bytes)
{
    END_REHEARSAL(gpu);
    if (gpu->captures)
        return put_captured(gpu, static_cast<unsigned char *>(to), static_cast<const unsigned char *>(from), bytes);
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, gpu->stream));
    return SCANKIT_OK;
}
