// backend.cu - the GPU as a backend: its table of functions, and what opening and closing need from all of cuda/.
#include <cstdlib>
#include <cstring>

#include "common/choose_ring.h"
#include "common/ring.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/device.cuh"
#include "gallery/gallery.cuh"
#include "rle/ring_encode.cuh"

// Returns the least array size in bytes for which the ring is used; SIZE_MAX if the GPU lacks bulk copies or the shared
// memory for a ring. SCANKIT_CUDA_ENGINE=tiles or ring decides for all sizes instead.
static size_t choose_ring(const cuda_device *gpu)
{
    const char *wanted = std::getenv("SCANKIT_CUDA_ENGINE");
    bool able = gpu->capability >= 9 && gpu->shared_most >= sizeof(ring_memory<uint64_t, scan_shape>) &&
                gpu->shared_most >= RING_ENCODE_BYTES<uint16_t> && gpu->shared_most >= RING_ENCODE_BYTES<uint32_t> &&
                gpu->shared_most >= RING_ENCODE_BYTES<uint64_t>;
    if (!able || (wanted != nullptr && std::strcmp(wanted, "tiles") == 0))
        return SIZE_MAX;
    return wanted != nullptr && std::strcmp(wanted, "ring") == 0 ? 0 : RING_LEAST_BYTES;
}

scankit_error cuda_open(sk_device **device, int number)
{
    cuda_device *gpu;
    *device = nullptr;
    TRY(open_device(&gpu, number < 0 ? 0 : number));
    gpu->ring_least = choose_ring(gpu);
    *device = &gpu->base;
    return SCANKIT_OK;
}

void cuda_close(sk_device *device)
{
    cuda_synchronize(device); // a compiled kernel may still run
    cuda_close_kernels(as_cuda(device));
    close_device(as_cuda(device));
}

// A primitive as the table has it: what it took of the workspace is given back.
template <auto PRIMITIVE> struct entry;
template <class... Parameters, scankit_error (*PRIMITIVE)(sk_device *, Parameters...)> struct entry<PRIMITIVE> {
    static scankit_error call(sk_device *device, Parameters... parameters)
    {
        cuda_device *gpu = as_cuda(device);
        workspace scratch(gpu);
        TRY(cuda_begin_call(gpu));
        return PRIMITIVE(device, parameters...);
    }
};

extern "C" const sk_backend sk_cuda_backend = {.prefix = "cuda",
                                               .is_host = false,
#define X(result, name, parameters) .name = cuda_##name,
                                               SK_DEVICE_FUNCTIONS(X)
#undef X
#define X(name, parameters) .name = entry<cuda_##name>::call,
                                                   SK_PRIMITIVES(X)
#undef X
};
