// segmented_reduce.cu - segmented reduce: launches.
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "scan/choose.h"
#include "scan/segmented_few.h"
#include "scan/segmented_reduce.cuh"

template <class Op>
static scankit_error reduce(cuda_device *gpu, const void *in, const uint64_t *offsets, void *results, size_t segments)
{
    using T = typename Op::type;
    using E = typename Op::element;
    workspace scratch(gpu);
    char *state;
    TRY(cuda_take_clear(gpu, sizeof(segmented_state<T>), &state));
    segmented_input<Op> from = {static_cast<const E *>(in), offsets, static_cast<E *>(results), segments};
    // Only the device knows the number of elements. Blocks without a part end at once.
    return launch(gpu, reduce_segments<Op>, SEGMENTED_PARTS, SEGMENTED_THREADS, 0, from,
                  reinterpret_cast<segmented_state<T> *>(state));
}

scankit_error cuda_segmented_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                    const uint64_t *offsets, void *results, size_t segments)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using Op = typename on_keys<decltype(chosen)>::type;
        const bool few = is_commutative<Op> && segments <= SEGMENTED_FEW<typename Op::element>;
        report(gpu, few ? scan_algorithm::OWN_BLOCKS : scan_algorithm::MERGE_PATH);
        if (few)
            return cuda_reduce_few_segments(gpu, type, op, in, offsets, results, segments);
        return reduce<Op>(gpu, in, offsets, results, segments);
    });
}
