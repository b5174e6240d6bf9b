// segmented_reduce.cu - segmented reduce: launches.
#include "scan/choose.h"
#include "scan/segmented_few.h"
#include "scan/segmented_launch.cuh"
#include "scan/segmented_reduce.cuh"

scankit_error cuda_segmented_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                    const uint64_t *offsets, void *results, size_t segments)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using Op = typename on_keys<decltype(chosen)>::type;
        const bool few = is_commutative<Op> && segments <= SEGMENTED_FEW;
        report(gpu, few ? scan_algorithm::OWN_BLOCKS : scan_algorithm::MERGE_PATH);
        if (few)
            return cuda_reduce_few_segments(gpu, type, op, in, offsets, results, segments);
        // Only the device knows the number of elements. Blocks without a part end at once.
        return launch_segmented<Op>(gpu, reduce_segments<Op>, SEGMENTED_PARTS, in, offsets, results, segments);
    });
}
