// state.cuh - the look-back state of a device (grid/lookback.cuh), which every single-pass launch uses in its turn:
//
//     lookback_state<T> state;
//     TRY(take_state(gpu, tiles, &state));     tickets and room for so many descriptors<T>; nothing is to be cleared
//     kernel<<<tiles, ...>>>(..., state);      which takes each of its tickets; the next launch may follow at once
//
// A launch that fails has taken no tickets. Launches of one device do not overlap: they are on one stream, and a change
// of streams waits for what is queued.
#ifndef SK_CUDA_STATE_CUH
#define SK_CUDA_STATE_CUH

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

#endif
