// segmented_reduce.cu - segmented reduce: launches.
#include "common/lookback_state.cuh"
#include "common/map.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "scan/choose.h"
#include "scan/segmented_reduce.cuh"

// Converts the partial results of segments to elements.
template <class Op> struct round_results {
    const typename Op::type *from;
    typename Op::element *to;
    __device__ void operator()(size_t i) const
    {
        to[i] = Op::template store<typename Op::element>(from[i]);
    }
};

template <class Op>
static scankit_error reduce(cuda_device *gpu, const void *in, const uint64_t *offsets, void *results, size_t segments)
{
    using T = typename Op::type;
    using E = typename Op::element;
    workspace scratch(gpu);
    segmented_reduce_arguments<T, E> to = {
        static_cast<const E *>(in), offsets, static_cast<T *>(results), segments, nullptr, nullptr};
    if (!scratch.take(&to.parts, SEGMENTED_PARTS) || (WIDENS<Op> && !scratch.take(&to.results, segments)))
        return SCANKIT_E_MEMORY;
    lookback_state<T> state;
    TRY(take_state(gpu, 0, &state));
    to.tickets = state.tickets;
    END_REHEARSAL(gpu);
    // Only the device knows the number of elements. Blocks without a part end at once.
    reduce_segments<Op><<<SEGMENTED_PARTS, SEGMENTED_THREADS, 0, gpu->stream>>>(to);
    CHECK_LAUNCH();
    if constexpr (WIDENS<Op>) {
        round_results<Op> round = {to.results, static_cast<E *>(results)};
        map_kernel<<<map_blocks(segments), MAP_THREADS, 0, gpu->stream>>>(segments, round);
        CHECK_LAUNCH();
    }
    return SCANKIT_OK;
}

scankit_error cuda_segmented_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                    const uint64_t *offsets, void *results, size_t segments)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    report(gpu, scan_algorithm::MERGE_PATH);
    return dispatch(type, op,
                    [&](auto chosen) { return reduce<decltype(chosen)>(gpu, in, offsets, results, segments); });
}
