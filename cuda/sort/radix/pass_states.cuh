// pass_states.cuh - the tile descriptors of the passes of a radix sort. If they are small, one call clears all: then no
// pass waits for a call of its own.
#ifndef SK_CUDA_PASS_STATES_CUH
#define SK_CUDA_PASS_STATES_CUH

#include "device/arena.cuh"
#include "device/launch.cuh"

constexpr size_t STATES_TOGETHER = size_t(24) << 20; // bytes of all

// Of all passes of a sort that clears them before it knows whether it needs them.
constexpr size_t STATES_CLEARED_EARLY = size_t(2) << 20;

constexpr size_t aligned_state_bytes(size_t bytes)
{
    constexpr size_t ALIGNMENT = 256;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// `bytes` each; NULL if each pass clears its own.
struct pass_states {
    char *first = nullptr;
    size_t bytes = 0;
    char *of(unsigned i) const
    {
        return first != nullptr ? first + i * bytes : nullptr;
    }
};

// For `passes` passes, of at most `most`: whether they are together does not depend on the data.
inline scankit_error clear_states(cuda_device *gpu, workspace &scratch, unsigned passes, unsigned most, size_t bytes,
                                  pass_states *states)
{
    bytes = aligned_state_bytes(bytes);
    *states = {nullptr, bytes};
    if (most * bytes > STATES_TOGETHER || passes == 0)
        return SCANKIT_OK;
    if (!scratch.take(&states->first, passes * bytes))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(states->first, 0, passes * bytes, gpu->stream));
    return SCANKIT_OK;
}

#endif
