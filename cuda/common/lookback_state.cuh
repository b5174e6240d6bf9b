// lookback_state.cuh - the look-back state of a device (lookback.cuh), which all single-pass launches share:
//
//     lookback_state<T> state;
//     TRY(take_state(gpu, tiles, &state));     tickets, and room for `tiles` descriptors; nothing needs to be cleared
//     kernel<<<tiles, ...>>>(..., state);      takes each of its tickets; the next launch may follow at once
//
// A launch that fails has taken no tickets. Launches of one device do not overlap: they are on one stream, and a change
// of streams waits for queued work.
#ifndef SK_CUDA_LOOKBACK_STATE_CUH
#define SK_CUDA_LOOKBACK_STATE_CUH

#include "device/check.cuh"
#include "common/lookback.cuh"

template <class T> scankit_error take_state(cuda_device *gpu, size_t tiles, lookback_state<T> *state)
{
    using D = descriptor<T>;
    char *memory;
    TRY(cuda_take_state(gpu, D::MARKED_THROUGHOUT ? 0 : 1, TICKET_BYTES + tiles * sizeof(D), EPOCHS, &memory));
    state->tickets = reinterpret_cast<unsigned long long *>(memory);
    state->result = reinterpret_cast<unsigned long long *>(memory + TICKET_BYTES / 2);
    state->descriptors = reinterpret_cast<D *>(memory + TICKET_BYTES);
    return SCANKIT_OK;
}

// If the caller wants the count that a kernel stores in state.result, the kernel stores it in the host's memory.
template <class T> void tell_host(cuda_device *gpu, lookback_state<T> &state, const size_t *count)
{
    if (count != nullptr)
        state.result = static_cast<unsigned long long *>(cuda_result(gpu));
}

// After the launch. count may be NULL.
inline scankit_error wait_for_count(cuda_device *gpu, size_t *count)
{
    return count == nullptr ? SCANKIT_OK : cuda_wait_result(gpu, count, sizeof *count);
}

#endif
