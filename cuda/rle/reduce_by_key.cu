// reduce_by_key.cu - launches reductions of runs of scalar keys, or of runs with flagged heads.
#include "device/check.cuh"
#include "rle/reduce_runs.cuh"
#include "rle/rle.cuh"
#include "common/lookback_state.cuh"

template <class Op, class Source>
static scankit_error run(cuda_device *gpu, Source source, reduce_runs_arguments<typename Op::type> to, size_t *count)
{
    using T = typename Op::type;
    size_t tiles = (to.n - 1) / REDUCE_RUNS_TILE<T> + 1;
    unsigned bytes = reduce_runs_bytes<T>(to.key_size);
    CHECK(cudaFuncSetAttribute(reduce_runs<Op, Source>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    TRY(take_state(gpu, tiles, &to.state));
    END_REHEARSAL(gpu);
    tell_host(gpu, to.state, count);
    reduce_runs<Op><<<unsigned(tiles), REDUCE_RUNS_THREADS, bytes, gpu->stream>>>(source, to);
    CHECK_LAUNCH();
    return wait_for_count(gpu, count);
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
    size_t bytes =
        scankit_type_size(runs.type) == 8 ? reduce_runs_bytes<sk_u64>(key_size) : reduce_runs_bytes<sk_u32>(key_size);
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
