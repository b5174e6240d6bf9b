// check.cuh - turns errors of the CUDA runtime into errors of the library.
#ifndef SK_CUDA_CHECK_CUH
#define SK_CUDA_CHECK_CUH

#include <cstdio>

#include "device/device.cuh"

// Writes the runtime's message to the device's line of detail. Clears the runtime's error, which the check of the next
// launch would report again.
inline scankit_error cuda_failed(cuda_device *device, cudaError_t error)
{
    (void)cudaGetLastError();
    std::snprintf(device->base.detail, sizeof device->base.detail, "%s (%s)", cudaGetErrorString(error),
                  cudaGetErrorName(error));
    return error == cudaErrorMemoryAllocation ? SCANKIT_E_MEMORY : SCANKIT_E_DEVICE;
}

// Return from the function on an error. CHECK takes a CUDA error and needs a variable `cuda_device *gpu`; TRY takes a
// scankit_error.
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

// Ends a function in a rehearsal: its workspace is taken, and the arrays must not be used.
#define END_REHEARSAL(gpu)             \
    do {                               \
        if (sk_rehearses(&(gpu)->base)) \
            return SCANKIT_OK;         \
    } while (0)

// Checks a kernel launch. Errors of the kernel's execution are reported by the next wait.
#define CHECK_LAUNCH() CHECK(cudaGetLastError())

#endif
