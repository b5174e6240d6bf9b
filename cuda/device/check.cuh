// check.cuh - errors of the CUDA runtime as errors of the library.
#ifndef SK_CUDA_CHECK_CUH
#define SK_CUDA_CHECK_CUH

#include <cstdio>

#include "device/device.cuh"

// Keeps the runtime's words in the device's line of detail, and has it forget the error: it would tell the next launch
// of it.
inline scankit_error cuda_failed(cuda_device *device, cudaError_t error)
{
    (void)cudaGetLastError();
    std::snprintf(device->base.detail, sizeof device->base.detail, "%s (%s)", cudaGetErrorString(error),
                  cudaGetErrorName(error));
    return error == cudaErrorMemoryAllocation ? SCANKIT_E_MEMORY : SCANKIT_E_DEVICE;
}

// Both need a `cuda_device *gpu` in sight and leave the function on an error.
#define CHECK(call)                               \
    do {                                          \
        cudaError_t check_error = (call);         \
        if (check_error != cudaSuccess)           \
            return cuda_failed(gpu, check_error); \
    } while (0)

#define TRY(call)                         \
    do {                                  \
        scankit_error try_error = (call); \
        if (try_error != SCANKIT_OK)      \
            return try_error;             \
    } while (0)

// After a kernel launch: errors of the launch itself; those of its run come with the next wait.
#define CHECK_LAUNCH() CHECK(cudaGetLastError())

#endif
