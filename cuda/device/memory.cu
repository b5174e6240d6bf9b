// memory.cu - a device's memory, and transfers to it, from it and within it.
#include <cstdio>

#include "device/check.cuh"
#include "device/device.cuh"
#include "device/pin.cuh"

// ---- memory ----

scankit_error cuda_allocate(sk_device *device, void **memory, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    cudaError_t error = cudaMalloc(memory, bytes);
    if (error == cudaSuccess)
        return SCANKIT_OK;
    *memory = nullptr;
    return cuda_failed(gpu, error);
}

// cudaFree() waits for all work on the GPU, so the memory may still be in use.
void cuda_release(sk_device *device, void *memory)
{
    cudaSetDevice(as_cuda(device)->ordinal);
    cudaFree(memory);
}

scankit_error cuda_available(sk_device *device, size_t *bytes)
{
    cuda_device *gpu = as_cuda(device);
    size_t total;
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaMemGetInfo(bytes, &total));
    return SCANKIT_OK;
}

scankit_error cuda_total(sk_device *device, size_t *bytes)
{
    cuda_device *gpu = as_cuda(device);
    size_t available;
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaMemGetInfo(&available, bytes));
    return SCANKIT_OK;
}

// ---- transfers ----

static bool is_known_to_driver(const void *host)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
        cudaGetLastError(); // clears the error
        return false;
    }
    return attributes.type != cudaMemoryTypeUnregistered;
}

// True if the transfer needs no staging: the host memory is pinned or managed, or the transfer is small.
static bool is_direct(const char *host, const host_part &part)
{
    if (part.state != HOST_UNKNOWN)
        return part.state == HOST_PINNED;
    return part.bytes <= STAGE_BYTES / 8 || (is_known_to_driver(host) && is_known_to_driver(host + part.bytes - 1));
}

static scankit_error transfer_direct(cuda_device *gpu, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    CHECK(cudaMemcpyAsync(to, from, bytes, kind, gpu->stream));
    CHECK(cudaStreamSynchronize(gpu->stream));
    return SCANKIT_OK;
}

static char *stage_buffer(cuda_device *gpu, unsigned stage)
{
    return gpu->pinned + stage * STAGE_BYTES;
}

// Queues a transfer between the device and a stage's buffer, and records the event that marks its end.
static scankit_error transfer_stage(cuda_device *gpu, unsigned stage, void *to, const void *from, size_t bytes,
                                    cudaMemcpyKind kind)
{
    CHECK(cudaMemcpyAsync(to, from, bytes, kind, gpu->stream));
    CHECK(cudaEventRecord(gpu->staged[stage], gpu->stream));
    return SCANKIT_OK;
}

static scankit_error upload_staged(cuda_device *gpu, char *to, const char *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
        unsigned stage = gpu->next_stage++ % STAGES;
        char *buffer = stage_buffer(gpu, stage);
        CHECK(cudaEventSynchronize(gpu->staged[stage]));
        sk_copy_by_threads(buffer, from + done, part);
        TRY(transfer_stage(gpu, stage, to + done, buffer, part, cudaMemcpyHostToDevice));
        done += part;
    }
    return SCANKIT_OK;
}

scankit_error cuda_upload(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    TRY(cuda_begin_call(gpu));
    if (gpu->captures || sk_rehearses(device))
        return cuda_put(gpu, to, from, bytes);
    for (size_t done = 0; done < bytes;) {
        const char *host = static_cast<const char *>(from) + done;
        char *place = static_cast<char *>(to) + done;
        host_part part = next_part(host, bytes - done);
        TRY(is_direct(host, part) ? transfer_direct(gpu, place, host, part.bytes, cudaMemcpyHostToDevice)
                                  : upload_staged(gpu, place, host, part.bytes));
        done += part.bytes;
    }
    return SCANKIT_OK;
}

// Part k is copied out of its buffer while the transfers of up to STAGES - 1 later parts are queued.
static scankit_error download_staged(cuda_device *gpu, char *to, const char *from, size_t bytes)
{
    size_t parts = (bytes + STAGE_BYTES - 1) / STAGE_BYTES;
    auto size_of = [=](size_t part) { return part + 1 < parts ? STAGE_BYTES : bytes - part * STAGE_BYTES; };
    unsigned first_stage = gpu->next_stage;
    for (size_t queued = 0, done = 0; done < parts; done++) {
        for (; queued < parts && queued - done < STAGES; queued++) {
            unsigned stage = gpu->next_stage++ % STAGES;
            TRY(transfer_stage(gpu, stage, stage_buffer(gpu, stage), from + queued * STAGE_BYTES, size_of(queued),
                               cudaMemcpyDeviceToHost));
        }
        unsigned stage = unsigned(first_stage + done) % STAGES;
        CHECK(cudaEventSynchronize(gpu->staged[stage]));
        sk_copy_by_threads(to + done * STAGE_BYTES, stage_buffer(gpu, stage), size_of(done));
    }
    return SCANKIT_OK;
}

scankit_error cuda_download(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    END_REHEARSAL(gpu);
    TRY(cuda_begin_call(gpu));
    if (gpu->captures)
        return cuda_refuse_capture(gpu, "a download");
    for (size_t done = 0; done < bytes;) {
        char *host = static_cast<char *>(to) + done;
        const char *place = static_cast<const char *>(from) + done;
        host_part part = next_part(host, bytes - done);
        if (part.read_only) {
            std::snprintf(device->detail, sizeof device->detail, "the memory is pinned to be read only");
            return SCANKIT_E_ARGUMENT;
        }
        TRY(is_direct(host, part) ? transfer_direct(gpu, host, place, part.bytes, cudaMemcpyDeviceToHost)
                                  : download_staged(gpu, host, place, part.bytes));
        done += part.bytes;
    }
    return SCANKIT_OK;
}

scankit_error cuda_copy(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    END_REHEARSAL(gpu);
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, gpu->stream));
    return SCANKIT_OK;
}

scankit_error cuda_copy_beside(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaEventRecord(gpu->ordered, gpu->stream));
    CHECK(cudaStreamWaitEvent(gpu->beside, gpu->ordered, 0));
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, gpu->beside));
    return SCANKIT_OK;
}

scankit_error cuda_wait_beside(sk_device *device)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaStreamSynchronize(gpu->beside));
    return SCANKIT_OK;
}

// Without this, the driver copies between two GPUs through the host. Access stays until the process ends.
scankit_error cuda_reach(sk_device *device, const sk_device *other)
{
    cuda_device *gpu = as_cuda(device);
    int peer = reinterpret_cast<const cuda_device *>(other)->ordinal, can = 0;
    if (peer == gpu->ordinal)
        return SCANKIT_OK;
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaDeviceCanAccessPeer(&can, gpu->ordinal, peer));
    if (can == 0)
        return SCANKIT_OK;
    cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        return SCANKIT_OK;
    }
    CHECK(error);
    return SCANKIT_OK;
}
