// device.cuh - a GPU as a backend's device, and what every file of cuda/ offers to the table in context.cu.
#ifndef SK_CUDA_DEVICE_CUH
#define SK_CUDA_DEVICE_CUH

#include <cuda_runtime.h>

#include "backend.h"

// Pageable host memory passes through a ring of pinned buffers: while one is on the bus, the next is filled or emptied.
constexpr int STAGES = 4;
constexpr size_t STAGE_BYTES = size_t(4) << 20;

// Look-back state, kept from launch to launch (state.cuh).
struct kept_state {
    char *memory;
    size_t bytes;
    unsigned launches; // since it was cleared
};

struct cuda_device {
    sk_device base; // first: the library sees only this
    int ordinal, processors;
    bool overlaps;      // kernels may begin before the launch in front of them has ended (launch.cuh)
    size_t shared_most; // bytes of shared memory that a block may have
    size_t ring_least;  // bytes of an array from which on the ring is used; SIZE_MAX: never
    cudaStream_t own, stream;
    char *pinned; // STAGES buffers, then room for results
    cudaEvent_t staged[STAGES], asked;
    unsigned next_stage;
    kept_state states[2];         // of descriptors that are marked throughout, and of others
    struct kernel_cache *kernels; // compile.cu's
    int lane_order;               // whether lanes' atomics take place in their order: 0 not tried, 1 yes, -1 no
};

inline cuda_device *as_cuda(sk_device *device)
{
    return reinterpret_cast<cuda_device *>(device);
}

// What a kernel computed for the host: at most this many bytes, copied and waited for.
constexpr size_t RESULT_BYTES = size_t(16) << 10;
scankit_error cuda_fetch(cuda_device *device, void *host, const void *from, size_t bytes);

// The same in two steps: what is launched between them is not waited for.
scankit_error cuda_ask(cuda_device *device, const void *from, size_t bytes);
scankit_error cuda_answer(cuda_device *device, void *host, size_t bytes);

// The same of what a kernel itself writes to the host's memory: where to, and when it has.
void *cuda_result(cuda_device *device);
scankit_error cuda_wait_result(cuda_device *device, void *host, size_t bytes);

// The memory of a kind of state, so many bytes of it.
scankit_error cuda_take_state(cuda_device *device, unsigned kind, size_t bytes, char **memory);

// Gives back the kernels that were compiled for the device.
void cuda_close_kernels(cuda_device *device);

// The primitives: cuda_scan() and so on.
#define X(name, parameters) scankit_error cuda_##name parameters;
SK_PRIMITIVES(X)
#undef X

#endif
