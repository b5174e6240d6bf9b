// stream.cu - the stream that a device works on, and its order with a caller's streams.
#include "device/check.cuh"
#include "device/device.cuh"

scankit_error cuda_synchronize(sk_device *device)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaStreamSynchronize(gpu->stream));
    return SCANKIT_OK;
}

// The workspace, the pinned buffers and the look-back state are reused in the order of one stream, so a change of
// streams waits.
scankit_error cuda_set_stream(sk_device *device, void *stream)
{
    cuda_device *gpu = as_cuda(device);
    TRY(cuda_synchronize(device));
    gpu->stream = stream == nullptr ? gpu->own : static_cast<cudaStream_t>(stream);
    return SCANKIT_OK;
}

// Orders later work on `after` after the work that `before` has so far. The event can be recorded again at once:
// cudaStreamWaitEvent() waits for the record that is the last when it is called.
static scankit_error order(cuda_device *gpu, cudaStream_t before, cudaStream_t after)
{
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaEventRecord(gpu->ordered, before));
    CHECK(cudaStreamWaitEvent(after, gpu->ordered, 0));
    return SCANKIT_OK;
}

static cudaStream_t stream_of_caller(void *stream)
{
    return stream == nullptr ? cudaStreamLegacy : static_cast<cudaStream_t>(stream);
}

scankit_error cuda_wait_stream(sk_device *device, void *stream)
{
    cuda_device *gpu = as_cuda(device);
    return order(gpu, stream_of_caller(stream), gpu->stream);
}

scankit_error cuda_signal_stream(sk_device *device, void *stream)
{
    cuda_device *gpu = as_cuda(device);
    return order(gpu, gpu->stream, stream_of_caller(stream));
}
