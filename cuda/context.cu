// context.cu - opening a GPU, its memory, and the table of what it can do.
#include <cstdlib>
#include <cstring>

#include "device/check.cuh"
#include "device/device.cuh"
#include "gallery/gallery.cuh"
#include "common/ring.cuh"

static int count()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

// ---- memory ----

static scankit_error allocate(sk_device *device, void **memory, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    cudaError_t error = cudaMalloc(memory, bytes);
    if (error == cudaSuccess)
        return SCANKIT_OK;
    *memory = nullptr;
    cudaGetLastError(); // not sticky: forget it
    return cuda_failed(gpu, error);
}

static void release(sk_device *device, void *memory)
{
    cudaSetDevice(as_cuda(device)->ordinal);
    cudaFree(memory);
}

static void *arena_allocate(void *owner, size_t bytes)
{
    void *memory;
    return allocate(static_cast<sk_device *>(owner), &memory, bytes) == SCANKIT_OK ? memory : nullptr;
}

static void arena_release(void *owner, void *memory)
{
    release(static_cast<sk_device *>(owner), memory);
}

// ---- transfers ----

// Pinned and managed memory needs no staging; neither does what is too small to gain by it.
static bool is_direct(const void *host, size_t bytes)
{
    cudaPointerAttributes attributes;
    if (bytes <= STAGE_BYTES / 8)
        return true;
    if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return attributes.type != cudaMemoryTypeUnregistered;
}

static scankit_error direct(cuda_device *gpu, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    CHECK(cudaMemcpyAsync(to, from, bytes, kind, gpu->stream));
    CHECK(cudaStreamSynchronize(gpu->stream));
    return SCANKIT_OK;
}

static scankit_error upload(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (is_direct(from, bytes))
        return direct(gpu, to, from, bytes, cudaMemcpyHostToDevice);
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
        unsigned stage = gpu->next_stage++ % STAGES;
        char *buffer = gpu->pinned + stage * STAGE_BYTES;
        CHECK(cudaEventSynchronize(gpu->staged[stage]));
        std::memcpy(buffer, static_cast<const char *>(from) + done, part);
        CHECK(cudaMemcpyAsync(static_cast<char *>(to) + done, buffer, part, cudaMemcpyHostToDevice, gpu->stream));
        CHECK(cudaEventRecord(gpu->staged[stage], gpu->stream));
        done += part;
    }
    return SCANKIT_OK;
}

static scankit_error download(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (is_direct(to, bytes))
        return direct(gpu, to, from, bytes, cudaMemcpyDeviceToHost);
    // Transfer k is queued STAGES - 1 ahead of the one that is copied out of its buffer.
    size_t parts = (bytes + STAGE_BYTES - 1) / STAGE_BYTES;
    auto size_of = [=](size_t part) { return part + 1 < parts ? STAGE_BYTES : bytes - part * STAGE_BYTES; };
    unsigned first_stage = gpu->next_stage;
    for (size_t queued = 0, done = 0; done < parts;) {
        while (queued < parts && queued - done < STAGES) {
            unsigned stage = gpu->next_stage++ % STAGES;
            CHECK(cudaMemcpyAsync(gpu->pinned + stage * STAGE_BYTES,
                                  static_cast<const char *>(from) + queued * STAGE_BYTES, size_of(queued),
                                  cudaMemcpyDeviceToHost, gpu->stream));
            CHECK(cudaEventRecord(gpu->staged[stage], gpu->stream));
            queued++;
        }
        unsigned stage = unsigned(first_stage + done) % STAGES;
        CHECK(cudaEventSynchronize(gpu->staged[stage]));
        std::memcpy(static_cast<char *>(to) + done * STAGE_BYTES, gpu->pinned + stage * STAGE_BYTES, size_of(done));
        done++;
    }
    return SCANKIT_OK;
}

static scankit_error copy(sk_device *device, void *to, const void *from, size_t bytes)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, gpu->stream));
    return SCANKIT_OK;
}

static scankit_error synchronize(sk_device *device)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaStreamSynchronize(gpu->stream));
    return SCANKIT_OK;
}

static scankit_error available(sk_device *device, size_t *bytes)
{
    cuda_device *gpu = as_cuda(device);
    size_t total;
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaMemGetInfo(bytes, &total));
    return SCANKIT_OK;
}

void *cuda_result(cuda_device *gpu)
{
    return gpu->pinned + STAGES * STAGE_BYTES; // pinned memory has one address everywhere
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

// ---- look-back state ----

constexpr size_t STATE_LEAST = size_t(256) << 10;

scankit_error cuda_take_state(cuda_device *gpu, unsigned kind, size_t bytes, char **memory)
{
    kept_state &state = gpu->states[kind];
    if (state.bytes < bytes) {
        size_t size = 2 * state.bytes < STATE_LEAST ? STATE_LEAST : 2 * state.bytes;
        cudaFree(state.memory); // waits for the launches that use it
        state = {};
        TRY(allocate(&gpu->base, reinterpret_cast<void **>(&state.memory), size < bytes ? bytes : size));
        state.bytes = size < bytes ? bytes : size;
    }
    if (state.launches++ % EPOCHS == 0)
        CHECK(cudaMemsetAsync(state.memory, 0, state.bytes, gpu->stream));
    *memory = state.memory;
    return SCANKIT_OK;
}

// ---- the device ----

static scankit_error set_stream(sk_device *device, void *stream)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaStreamSynchronize(gpu->stream));
    gpu->stream = stream == nullptr ? gpu->own : static_cast<cudaStream_t>(stream);
    return SCANKIT_OK;
}

static void close(sk_device *device)
{
    cuda_device *gpu = as_cuda(device);
    cudaSetDevice(gpu->ordinal);
    if (gpu->own != nullptr) {
        cudaStreamSynchronize(gpu->stream);
        cudaStreamDestroy(gpu->own);
    }
    cuda_close_kernels(gpu);
    sk_arena_close(&gpu->base.workspace);
    for (kept_state &state : gpu->states)
        cudaFree(state.memory);
    for (cudaEvent_t event : gpu->staged)
        if (event != nullptr)
            cudaEventDestroy(event);
    if (gpu->asked != nullptr)
        cudaEventDestroy(gpu->asked);
    if (gpu->pinned != nullptr)
        cudaFreeHost(gpu->pinned);
    std::free(gpu);
}

// From how many bytes on the ring is used. It needs bulk copies, and most of a multiprocessor's shared memory for a
// block; elsewhere, and for less, tiles are blocks' own. SCANKIT_CUDA_ENGINE=tiles or ring chooses for all sizes.
static size_t choose_ring(const cudaDeviceProp &properties)
{
    const char *wanted = std::getenv("SCANKIT_CUDA_ENGINE");
    bool able = properties.major >= 9 && properties.sharedMemPerBlockOptin >= sizeof(ring_memory<uint64_t>);
    if (!able || (wanted != nullptr && std::strcmp(wanted, "tiles") == 0))
        return SIZE_MAX;
    return wanted != nullptr && std::strcmp(wanted, "ring") == 0 ? 0 : RING_LEAST_BYTES;
}

static __global__ void compiled_like_others()
{
}

// Kernels wait for what is before them from compute capability 9 on, if they are compiled for that.
static scankit_error find_overlap(cuda_device *gpu)
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, compiled_like_others));
    gpu->overlaps = attributes.ptxVersion >= 90;
    return SCANKIT_OK;
}

static scankit_error start(cuda_device *gpu)
{
    cudaDeviceProp properties;
    CHECK(cudaSetDevice(gpu->ordinal));
    CHECK(cudaGetDeviceProperties(&properties, gpu->ordinal));
    gpu->processors = properties.multiProcessorCount;
    gpu->shared_most = properties.sharedMemPerBlockOptin;
    gpu->ring_least = choose_ring(properties);
    TRY(find_overlap(gpu));
    std::snprintf(gpu->base.name, sizeof gpu->base.name, "cuda:%d (%.100s)", gpu->ordinal, properties.name);
    CHECK(cudaStreamCreateWithFlags(&gpu->own, cudaStreamNonBlocking));
    gpu->stream = gpu->own;
    CHECK(cudaMallocHost(reinterpret_cast<void **>(&gpu->pinned), STAGES * STAGE_BYTES + RESULT_BYTES));
    for (cudaEvent_t &event : gpu->staged)
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&gpu->asked, cudaEventDisableTiming));
    return SCANKIT_OK;
}

static scankit_error open(sk_device **device, int number)
{
    *device = nullptr;
    if (number < 0)
        number = 0;
    if (number >= count())
        return SCANKIT_E_NO_DEVICE;
    auto *gpu = static_cast<cuda_device *>(std::calloc(1, sizeof(cuda_device)));
    if (gpu == nullptr)
        return SCANKIT_E_MEMORY;
    gpu->ordinal = number;
    gpu->base.workspace.allocate = arena_allocate;
    gpu->base.workspace.release = arena_release;
    gpu->base.workspace.owner = gpu;
    scankit_error error = start(gpu);
    if (error != SCANKIT_OK) {
        close(&gpu->base);
        return error;
    }
    *device = &gpu->base;
    return SCANKIT_OK;
}

extern "C" const sk_backend sk_cuda_backend = {
    .prefix = "cuda",
    .is_host = false,
#define X(result, name, parameters) .name = name,
    SK_DEVICE_FUNCTIONS(X)
#undef X
#define X(name, parameters) .name = cuda_##name,
        SK_PRIMITIVES(X)
#undef X
};
