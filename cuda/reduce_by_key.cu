// reduce_by_key.cu - reductions of the runs that flags mark, in a single pass with look-back.
#include "check.cuh"
#include "grid/reduce_runs.cuh"
#include "rle.cuh"
#include "state.cuh"

template <class Op, class Source>
static scankit_error run(cuda_device *gpu, Source source, const uint8_t *heads, typename Op::type *out, size_t n,
                         bool ordered, size_t *count)
{
    using T = typename Op::type;
    size_t tiles = (n - 1) / reduce_runs_tile<T>::SIZE + 1;
    lookback_state<segment<T>> state;
    TRY(take_state(gpu, tiles, &state));
    reduce_runs_arguments<T> to = {
        .heads = heads,
        .out = out,
        .n = n,
        .ordered = ordered,
        .state = state,
    };
    reduce_runs<Op><<<unsigned(tiles), REDUCE_RUNS_THREADS, 0, gpu->stream>>>(source, to);
    CHECK_LAUNCH();
    return count == nullptr ? SCANKIT_OK : cuda_fetch(gpu, count, state.result, sizeof *count);
}

scankit_error reduce_flagged_runs(cuda_device *gpu, const sk_runs &runs, const uint8_t *heads, size_t *count)
{
    return dispatch(runs.type, runs.op, [&](auto op) {
        using Op = decltype(op);
        using T = typename Op::type;
        array_source<T> source = {static_cast<const T *>(runs.reduced_in)};
        return run<Op>(gpu, source, heads, static_cast<T *>(runs.reduced), runs.n, gpu->base.deterministic, count);
    });
}

scankit_error count_flagged_runs(cuda_device *gpu, const uint8_t *heads, uint64_t *counts, size_t n, size_t *count)
{
    return run<op_sum<sk_u64>>(gpu, ones_source(), heads, counts, n, false, count);
}
