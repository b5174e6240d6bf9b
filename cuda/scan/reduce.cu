// reduce.cu - reduce: launches, and waits for the result.
#include "common/lookback_state.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "scan/reduce.cuh"

template <class Op>
static scankit_error reduce(cuda_device *gpu, const typename Op::element *in, void *result, size_t n)
{
    using T = typename Op::type;
    using E = typename Op::element;
    constexpr size_t TILE = tile<E, REDUCE_THREADS, REDUCE_VECTORS>::SIZE;
    size_t tiles = (n - 1) / TILE + 1;
    size_t part = ((tiles - 1) / REDUCE_BLOCKS + 1) * TILE;
    size_t parts = (n - 1) / part + 1;
    workspace scratch(gpu);
    T *results;
    if (!scratch.take(&results, parts))
        return SCANKIT_E_MEMORY;
    lookback_state<T> state;
    TRY(take_state(gpu, 0, &state));
    reduce_parts<Op><<<unsigned(parts), REDUCE_THREADS, 0, gpu->stream>>>(in, n, part, results, state.tickets,
                                                                          static_cast<T *>(cuda_result(gpu)));
    CHECK_LAUNCH();
    T total;
    TRY(cuda_wait_result(gpu, &total, sizeof total));
    E rounded = Op::template store<E>(total);
    memcpy(result, &rounded, sizeof rounded);
    return SCANKIT_OK;
}

scankit_error cuda_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                          size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using Op = decltype(chosen);
        return reduce<Op>(gpu, static_cast<const typename Op::element *>(in), result, n);
    });
}
