// segmented_reduce.cu - segmented reduce: launches.
#include "device/arena.cuh"
#include "device/check.cuh"
#include "scan/segmented_reduce.cuh"
#include "common/lookback_state.cuh"

template <class Op>
static scankit_error reduce(cuda_device *gpu, const void *in, const uint64_t *offsets, void *results, size_t segments)
{
    using T = typename Op::type;
    workspace scratch(gpu);
    segmented_reduce_arguments<T> to = {
        static_cast<const T *>(in), offsets, static_cast<T *>(results), segments, nullptr, nullptr};
    if (!scratch.take(&to.parts, SEGMENTED_PARTS))
        return SCANKIT_E_MEMORY;
    lookback_state<T> state;
    TRY(take_state(gpu, 0, &state));
    to.tickets = state.tickets;
    // How many elements there are, only the device knows: the blocks that find no part end.
    reduce_segments<Op><<<SEGMENTED_PARTS, SEGMENTED_THREADS, 0, gpu->stream>>>(to);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error cuda_segmented_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                    const uint64_t *offsets, void *results, size_t segments)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    gpu->base.algorithm = "merge-path";
    return dispatch(type, op,
                    [&](auto chosen) { return reduce<decltype(chosen)>(gpu, in, offsets, results, segments); });
}
