// reduce_by_key.cu - launches reductions of runs of scalar keys, or of runs with flagged heads.
#include "common/lookback_state.cuh"
#include "device/launch.cuh"
#include "rle/reduce_runs.cuh"
#include "rle/rle.cuh"

template <class Op, int ITEMS, class Source>
static scankit_error run_tiles(cuda_device *gpu, Source source, reduce_runs_arguments<typename Op::type> to,
                               size_t *count)
{
    using T = typename Op::type;
    size_t tiles = (to.n - 1) / REDUCE_RUNS_TILE<ITEMS> + 1;
    unsigned bytes = reduce_runs_bytes<T, ITEMS>(to.key_size);
    TRY(take_state(gpu, tiles, &to.state));
    END_REHEARSAL(gpu);
    tell_host(gpu, to.state, count);
    auto kernel = reduce_runs<Op, Source, ITEMS>;
    TRY(bytes <= USUAL_ROOM ? launch_usual(gpu, kernel, unsigned(tiles), REDUCE_RUNS_THREADS, bytes, source, to)
                            : launch(gpu, kernel, unsigned(tiles), REDUCE_RUNS_THREADS, bytes, source, to));
    return wait_for_count(gpu, count);
}

// Small tiles for few elements. The choice does not depend on the GPU, as the order of operations must not either.
template <class Op, class Source>
static scankit_error run(cuda_device *gpu, Source source, reduce_runs_arguments<typename Op::type> to, size_t *count)
{
    using T = typename Op::type;
    constexpr int LARGE = REDUCE_RUNS_ITEMS<T>, SMALL = REDUCE_RUNS_SMALL_ITEMS<T>;
    if constexpr (SMALL != LARGE)
        if (to.n <= (to.key_size < 8 ? REDUCE_RUNS_FEW : REDUCE_RUNS_FEW_WIDE))
            return run_tiles<Op, SMALL>(gpu, source, to, count);
    return run_tiles<Op, LARGE>(gpu, source, to, count);
}

// heads: flags, or NULL if keys tell the runs apart.
static scankit_error reduce(cuda_device *gpu, const sk_runs &runs, const uint8_t *heads, size_t *count)
{
    return dispatch(runs.type, runs.op, [&](auto op) {
        using Op = decltype(op);
        using T = typename Op::type;
        reduce_runs_arguments<T> to = {};
        to.flags = heads != nullptr;
        to.keys = to.flags ? heads : runs.in;
        to.key_size = to.flags ? 1 : unsigned(runs.element_size);
        to.first_keys = to.flags ? nullptr : runs.values;
        to.out = runs.reduced;
        to.n = runs.n;
        to.ordered = gpu->base.deterministic;
        if constexpr (WIDENS<Op>)
            return run<Op>(gpu, widened_source<Op>{static_cast<const typename Op::element *>(runs.reduced_in)}, to,
                           count);
        else
            return run<Op>(gpu, array_source<T>{static_cast<const T *>(runs.reduced_in)}, to, count);
    });
}

bool reduces_scalar_runs(const cuda_device *gpu, const sk_runs &runs)
{
    unsigned key_size = unsigned(runs.element_size);
    constexpr int WIDE = REDUCE_RUNS_ITEMS<sk_u64>, NARROW = REDUCE_RUNS_ITEMS<sk_u32>;
    size_t bytes = scankit_type_size(runs.type) == 8 ? reduce_runs_bytes<sk_u64, WIDE>(key_size)
                                                     : reduce_runs_bytes<sk_u32, NARROW>(key_size);
    return bytes <= gpu->shared_most;
}

scankit_error reduce_scalar_runs(cuda_device *gpu, const sk_runs &runs, size_t *count)
{
    return reduce(gpu, runs, nullptr, count);
}

scankit_error reduce_flagged_runs(cuda_device *gpu, const sk_runs &runs, const uint8_t *heads, size_t *count)
{
    return reduce(gpu, runs, heads, count);
}

scankit_error count_flagged_runs(cuda_device *gpu, const uint8_t *heads, uint64_t *counts, size_t n, size_t *count)
{
    reduce_runs_arguments<sk_u64> to = {};
    to.keys = heads;
    to.key_size = 1;
    to.flags = true;
    to.out = counts;
    to.n = n;
    return run<op_sum<sk_u64>>(gpu, ones_source(), to, count);
}
