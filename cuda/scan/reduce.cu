// reduce.cu - reduction of a whole array: launches.
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "scan/reduce_parts.cuh"

template <class Op, class Map>
static scankit_error launch_parts(cuda_device *gpu, const typename Op::element *in, size_t n,
                                  const total_place<Op> &place)
{
    using T = typename Op::type;
    using E = typename Op::element;
    constexpr size_t TILE = tile<E, REDUCE_THREADS, REDUCE_VECTORS>::SIZE;
    size_t tiles = (n - 1) / TILE + 1;
    reduce_shares shares;
    shares.parts = tiles < REDUCE_BLOCKS ? unsigned(tiles) : REDUCE_BLOCKS;
    shares.each = tiles / shares.parts;
    shares.more = tiles % shares.parts;
    workspace scratch(gpu);
    T *results;
    if (!scratch.take(&results, shares.parts))
        return SCANKIT_E_MEMORY;
    lookback_state<T> state;
    TRY(take_state(gpu, 0, &state));
    return launch(gpu, reduce_parts<Op, Map>, shares.parts, REDUCE_THREADS, 0, in, n, shares, results, state.tickets,
                  place);
}

scankit_error cuda_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                          size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (gpu->captures)
        return cuda_refuse_capture(gpu, "a result in host memory");
    return dispatch(type, op, [&](auto chosen) {
        using words = in_words<decltype(chosen)>;
        using Op = typename words::op;
        using E = typename Op::element;
        const total_place<Op> place = {nullptr, cuda_next_word(gpu)};
        TRY((launch_parts<Op, typename words::map>(gpu, static_cast<const E *>(in), n, place)));
        return cuda_wait_word(gpu, result, sizeof(E));
    });
}

scankit_error cuda_reduce_to(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                             size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using words = in_words<decltype(chosen)>;
        using Op = typename words::op;
        using E = typename Op::element;
        const total_place<Op> place = {static_cast<E *>(result), host_word()};
        return launch_parts<Op, typename words::map>(gpu, static_cast<const E *>(in), n, place);
    });
}
