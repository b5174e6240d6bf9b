// device.cuh - a GPU as a backend's device: its state, and the functions that the table in backend.cu lists.
#ifndef SK_CUDA_DEVICE_CUH
#define SK_CUDA_DEVICE_CUH

#include <cuda_runtime.h>

#include "backend.h"

// Pinned buffers for transfers of pageable host memory: while one is on the bus, the next is filled or emptied.
constexpr int STAGES = 4;
constexpr size_t STAGE_BYTES = size_t(4) << 20;

// Memory for look-back state (common/lookback_state.cuh).
struct kept_state {
    char *memory;
    size_t bytes;
    unsigned launches; // that have used the memory
};

struct cuda_device {
    sk_device base; // first: lib/ sees nothing else
    int ordinal, processors;
    int capability;     // major compute capability
    bool captures;      // the stream is being captured into a CUDA graph (capture.cu)
    bool overlaps;      // kernels may begin before the previous launch has ended (launch.cuh)
    size_t shared_most; // bytes of shared memory per block, at most
    size_t ring_least;  // bytes of the smallest array for which the ring is used; SIZE_MAX: never
    cudaStream_t own, stream;
    cudaStream_t beside;          // copy_beside()
    char *pinned;                 // STAGES buffers, then RESULT_BYTES for results, then WORD_BYTES
    cudaEvent_t staged[STAGES];   // the last transfer of each buffer
    unsigned long long words;     // that kernels have been asked for (host_word.cuh)
    cudaEvent_t asked;            // cuda_ask()
    cudaEvent_t ordered;          // wait_stream() and signal_stream()
    unsigned next_stage;          // modulo STAGES
    kept_state states[2];         // by the kind of state
    struct kernel_cache *kernels; // of compact/compile.cu
    int lane_order;               // 1: atomics of a warp's lanes run in lane order; -1: not; 0: not known yet
    kept_state clear;             // cuda_take_clear()
};

inline cuda_device *as_cuda(sk_device *device)
{
    return reinterpret_cast<cuda_device *>(device);
}

// ---- opening and closing (open.cu) ----

// Opens all of a device but what needs the floors above: ring_least and kernels.
scankit_error open_device(cuda_device **device, int number);
void close_device(cuda_device *device);

// ---- CUDA graphs (capture.cu) ----

// At the beginning of a primitive: finds out whether the stream is being captured. Then the workspace must be the
// caller's, because a graph uses it as long as it exists.
scankit_error cuda_begin_call(cuda_device *device);

// What cannot be captured: SCANKIT_E_ARGUMENT, with the reason.
scankit_error cuda_refuse_capture(cuda_device *device, const char *reason);

// Refuses the gallery's functions in captures and rehearsals.
scankit_error cuda_begin_gallery(cuda_device *device);

// Copies a little host memory, which may change after the call. The data become a part of a graph that is captured.
scankit_error cuda_put(cuda_device *device, void *to, const void *from, size_t bytes);

// ---- results for the host (result.cu): zeros in a rehearsal; a stream that is captured has none ----

constexpr size_t RESULT_BYTES = size_t(16) << 10;
constexpr size_t WORD_BYTES = 16; // for host_word.cuh

// Copies at most RESULT_BYTES to the host and waits for all work on the stream.
scankit_error cuda_fetch(cuda_device *device, void *host, const void *from, size_t bytes);

// The same in two steps: cuda_answer() waits for the copy but not for work queued after cuda_ask().
scankit_error cuda_ask(cuda_device *device, const void *from, size_t bytes);
scankit_error cuda_answer(cuda_device *device, void *host, size_t bytes);

// For results that a kernel writes to the host itself: the memory to write to, at most RESULT_BYTES; and the wait for
// all work on the stream.
void *cuda_result(cuda_device *device);
scankit_error cuda_wait_result(cuda_device *device, void *host, size_t bytes);

// ---- look-back state (state.cu) ----

// Returns the device's memory for this kind of state (0 or 1), at least `bytes`. It is cleared when it is new and then
// once every `epochs` calls. In between it holds what earlier launches left. If the workspace is the caller's, it is a
// part of that until the primitive ends, and cleared.
scankit_error cuda_take_state(cuda_device *device, unsigned kind, size_t bytes, unsigned epochs, char **memory);

// Returns clear memory of at least `bytes`, which launches leave clear. One at a time may use it.
scankit_error cuda_take_clear(cuda_device *device, size_t bytes, char **memory);

// ---- compiled predicates (compact/compile.cu) ----

// Unloads the kernels that were compiled for the device. They must not be running.
void cuda_close_kernels(cuda_device *device);

// ---- the backend's functions ----

#define X(result, name, parameters) result cuda_##name parameters;
SK_DEVICE_FUNCTIONS(X)
#undef X

#define X(name, parameters) scankit_error cuda_##name parameters;
SK_PRIMITIVES(X)
#undef X

#endif
