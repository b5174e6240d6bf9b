// host_word.cuh - a result of 8 bytes or less that the host reads as soon as a kernel has written it. This takes less
// time than to wait for the end of the kernel.
#ifndef SK_CUDA_HOST_WORD_CUH
#define SK_CUDA_HOST_WORD_CUH

#include "device/device.cuh"

// In pinned memory. The value comes first, then the number of the call that it belongs to.
struct host_word {
    volatile unsigned long long *value;
    volatile unsigned long long *arrived;
    unsigned long long number;

    // By one thread, once.
    template <class T>
    __device__ void put(T result) const
    {
        unsigned long long bits = 0;
        memcpy(&bits, &result, sizeof result);
        *value = bits;
        __threadfence_system();
        *arrived = number;
    }
};

// The word for the next launch. There is one: the host waits before it asks for another.
host_word cuda_next_word(cuda_device *device);

// Copies the value to the host when it has arrived.
scankit_error cuda_wait_word(cuda_device *device, void *host, size_t bytes);

#endif
