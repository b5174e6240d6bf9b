// state.cu - memory for look-back state, kept from launch to launch.
#include "device/check.cuh"
#include "device/device.cuh"

constexpr size_t STATE_LEAST = size_t(256) << 10;

// Replaces the memory by at least `bytes`; the size doubles, so that growing stays rare.
static scankit_error grow(cuda_device *gpu, kept_state *state, size_t bytes)
{
    size_t size = 2 * state->bytes < STATE_LEAST ? STATE_LEAST : 2 * state->bytes;
    if (size < bytes)
        size = bytes;
    cudaFree(state->memory); // waits for the launches that use it
    *state = {};
    TRY(cuda_allocate(&gpu->base, reinterpret_cast<void **>(&state->memory), size));
    state->bytes = size;
    return SCANKIT_OK;
}

// In a caller's workspace nothing is kept. Each call clears its state, as each launch of a graph must.
static scankit_error take_cleared(cuda_device *gpu, size_t bytes, char **memory)
{
    *memory = static_cast<char *>(sk_arena_take(&gpu->base.workspace, bytes));
    if (*memory == nullptr)
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(*memory, 0, bytes, gpu->stream));
    return SCANKIT_OK;
}

scankit_error cuda_take_state(cuda_device *gpu, unsigned kind, size_t bytes, unsigned epochs, char **memory)
{
    if (gpu->base.workspace.mode != SK_ARENA_GROWS)
        return take_cleared(gpu, bytes, memory);
    kept_state &state = gpu->states[kind];
    if (state.bytes < bytes)
        TRY(grow(gpu, &state, bytes));
    if (state.launches++ % epochs == 0)
        CHECK(cudaMemsetAsync(state.memory, 0, state.bytes, gpu->stream));
    *memory = state.memory;
    return SCANKIT_OK;
}

scankit_error cuda_take_clear(cuda_device *gpu, size_t bytes, char **memory)
{
    if (gpu->base.workspace.mode != SK_ARENA_GROWS)
        return take_cleared(gpu, bytes, memory);
    kept_state &state = gpu->clear;
    if (state.bytes < bytes) {
        TRY(grow(gpu, &state, bytes));
        CHECK(cudaMemsetAsync(state.memory, 0, state.bytes, gpu->stream));
    }
    *memory = state.memory;
    return SCANKIT_OK;
}
