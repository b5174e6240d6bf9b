// segmented_few.cu - segmented reduce of few segments: launches.
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "scan/segmented_few.cuh"
#include "scan/segmented_few.h"

template <class Op>
static scankit_error reduce(cuda_device *gpu, const void *in, const uint64_t *offsets, void *results, size_t segments)
{
    using T = typename Op::type;
    using E = typename Op::element;
    workspace scratch(gpu);
    char *state;
    TRY(cuda_take_clear(gpu, sizeof(segmented_state<T>), &state));
    segmented_input<Op> from = {static_cast<const E *>(in), offsets, static_cast<E *>(results), segments};
    // Only the device knows the number of elements, so there are always blocks for all parts.
    unsigned blocks = segments < SEGMENTED_PARTS ? SEGMENTED_PARTS
                      : segments < FEW_BLOCKS    ? unsigned(segments)
                                                 : FEW_BLOCKS;
    return launch(gpu, reduce_few_segments<Op>, blocks, SEGMENTED_THREADS, 0, from,
                  reinterpret_cast<segmented_state<T> *>(state));
}

scankit_error cuda_reduce_few_segments(cuda_device *gpu, scankit_type type, scankit_operator op, const void *in,
                                       const uint64_t *offsets, void *results, size_t segments)
{
    return dispatch(type, op, [&](auto chosen) {
        using Op = typename on_keys<decltype(chosen)>::type;
        if constexpr (is_commutative<Op>)
            return reduce<Op>(gpu, in, offsets, results, segments);
        else
            return SCANKIT_E_ARGUMENT;
    });
}
