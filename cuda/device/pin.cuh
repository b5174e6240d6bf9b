// pin.cuh - what transfers know about host memory that callers have pinned (scankit_pin).
#ifndef SK_CUDA_PIN_CUH
#define SK_CUDA_PIN_CUH

#include "device/device.cuh"

enum host_state {
    HOST_PINNED,  // by a caller
    HOST_STAGED,  // not pinned, but near pinned memory: the driver might refuse it
    HOST_UNKNOWN, // not pinned by scankit_pin()
};

// The first bytes of an area of host memory, which are all in the same state.
struct host_part {
    size_t bytes;
    host_state state;
    bool read_only;
};

host_part next_part(const void *host, size_t bytes);

// Unpins the memory that was pinned by this device.
void unpin_all(const cuda_device *gpu);

#endif
