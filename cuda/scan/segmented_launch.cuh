// segmented_launch.cuh - the launch of a segmented reduce: its arguments, and the state for segments that are cut.
#ifndef SK_CUDA_SEGMENTED_LAUNCH_CUH
#define SK_CUDA_SEGMENTED_LAUNCH_CUH

#include "device/arena.cuh"
#include "device/launch.cuh"
#include "scan/segmented_pieces.cuh"

template <class Op>
scankit_error launch_segmented(cuda_device *gpu,
                               void (*kernel)(segmented_input<Op>, segmented_state<typename Op::type> *),
                               unsigned blocks, const void *in, const uint64_t *offsets, void *results, size_t segments)
{
    using E = typename Op::element;
    using state_type = segmented_state<typename Op::type>;
    workspace scratch(gpu);
    char *state;
    TRY(cuda_take_clear(gpu, sizeof(state_type), &state));
    segmented_input<Op> from = {static_cast<const E *>(in), offsets, static_cast<E *>(results), segments};
    return launch(gpu, kernel, blocks, SEGMENTED_THREADS, 0, from, reinterpret_cast<state_type *>(state));
}

#endif
