// open.cu - counts, opens and closes GPUs.
#include <cstdlib>
#include <cstring>

#include "device/check.cuh"
#include "device/device.cuh"
#include "device/pin.cuh"

int cuda_count()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

// ---- the workspace's memory ----

static void *arena_allocate(void *owner, size_t bytes)
{
    void *memory;
    return cuda_allocate(static_cast<sk_device *>(owner), &memory, bytes) == SCANKIT_OK ? memory : nullptr;
}

static void arena_release(void *owner, void *memory)
{
    cuda_release(static_cast<sk_device *>(owner), memory);
}

// ---- opening ----

static __global__ void compiled_like_others()
{
}

// Programmatic launches need compute capability 9 in the compiled code, not only in the GPU.
static scankit_error find_overlap(cuda_device *gpu)
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, compiled_like_others));
    gpu->overlaps = attributes.ptxVersion >= 90;
    return SCANKIT_OK;
}

static scankit_error read_properties(cuda_device *gpu)
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, gpu->ordinal));
    gpu->processors = properties.multiProcessorCount;
    gpu->capability = properties.major;
    gpu->shared_most = properties.sharedMemPerBlockOptin;
    std::snprintf(gpu->base.name, sizeof gpu->base.name, "cuda:%d (%.100s)", gpu->ordinal, properties.name);
    for (size_t i = 0; i < sizeof properties.uuid.bytes; i++)
        std::snprintf(gpu->base.identity + 2 * i, 3, "%02x", unsigned(uint8_t(properties.uuid.bytes[i])));
    return find_overlap(gpu);
}

static scankit_error create_event(cuda_device *gpu, cudaEvent_t *event)
{
    CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    return SCANKIT_OK;
}

static scankit_error start(cuda_device *gpu)
{
    CHECK(cudaSetDevice(gpu->ordinal));
    TRY(read_properties(gpu));
    CHECK(cudaStreamCreateWithFlags(&gpu->own, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&gpu->beside, cudaStreamNonBlocking));
    gpu->stream = gpu->own;
    CHECK(cudaMallocHost(reinterpret_cast<void **>(&gpu->pinned), STAGES * STAGE_BYTES + RESULT_BYTES + WORD_BYTES));
    std::memset(gpu->pinned + STAGES * STAGE_BYTES + RESULT_BYTES, 0, WORD_BYTES);
    for (cudaEvent_t &event : gpu->staged)
        TRY(create_event(gpu, &event));
    TRY(create_event(gpu, &gpu->asked));
    return create_event(gpu, &gpu->ordered);
}

scankit_error open_device(cuda_device **device, int number)
{
    if (number >= cuda_count())
        return SCANKIT_E_NO_DEVICE;
    auto *gpu = static_cast<cuda_device *>(std::calloc(1, sizeof(cuda_device)));
    if (gpu == nullptr)
        return SCANKIT_E_MEMORY;
    gpu->ordinal = number;
    gpu->base.workspace.allocate = arena_allocate;
    gpu->base.workspace.release = arena_release;
    gpu->base.workspace.owner = gpu;
    scankit_error error = start(gpu);
    if (error == SCANKIT_OK)
        *device = gpu;
    else
        close_device(gpu);
    return error;
}

// ---- closing ----

static void destroy_event(cudaEvent_t event)
{
    if (event != nullptr)
        cudaEventDestroy(event);
}

void close_device(cuda_device *gpu)
{
    cudaSetDevice(gpu->ordinal);
    if (gpu->own != nullptr) {
        cudaStreamSynchronize(gpu->stream);
        cudaStreamDestroy(gpu->own);
    }
    if (gpu->beside != nullptr)
        cudaStreamDestroy(gpu->beside);
    unpin_all(gpu);
    sk_arena_close(&gpu->base.workspace);
    for (kept_state &state : gpu->states)
        cudaFree(state.memory);
    cudaFree(gpu->clear.memory);
    for (cudaEvent_t event : gpu->staged)
        destroy_event(event);
    destroy_event(gpu->asked);
    destroy_event(gpu->ordered);
    if (gpu->pinned != nullptr)
        cudaFreeHost(gpu->pinned);
    std::free(gpu);
}
