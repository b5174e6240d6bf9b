// segmented_few.cu - segmented reduce of few segments: launches.
#include "scan/segmented_few.cuh"
#include "scan/segmented_few.h"
#include "scan/segmented_launch.cuh"

// Only the device knows the number of elements, so there are always blocks for all parts.
static unsigned blocks_for(size_t segments)
{
    return segments < SEGMENTED_PARTS ? SEGMENTED_PARTS : segments < FEW_BLOCKS ? unsigned(segments) : FEW_BLOCKS;
}

scankit_error cuda_reduce_few_segments(cuda_device *gpu, scankit_type type, scankit_operator op, const void *in,
                                       const uint64_t *offsets, void *results, size_t segments)
{
    return dispatch(type, op, [&](auto chosen) {
        using Op = typename on_keys<decltype(chosen)>::type;
        if constexpr (is_commutative<Op>)
            return launch_segmented<Op>(gpu, reduce_few_segments<Op>, blocks_for(segments), in, offsets, results,
                                        segments);
        else
            return SCANKIT_E_ARGUMENT;
    });
}
