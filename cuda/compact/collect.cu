// collect.cu - compaction by a bound in any order: launches.
#include "common/shape.cuh"
#include "compact/collect.cuh"
#include "compact/launcher.cuh"

// total: gets the count in the end.
template <class U, bool POSITIONS>
static __global__ void __launch_bounds__(COLLECT_THREADS, COLLECT_BLOCKS)
    collect_kernel(const U *in, size_t n, match_bound<U> match, collect_output to, unsigned long long *total,
                   unsigned long long *tickets)
{
    __shared__ collect_room<U, POSITIONS> room;
    collect_matching<false, U, POSITIONS>(in, n, match, to, room);
    __syncthreads(); // all warps have added theirs
    if (threadIdx.x == 0 && is_last_to_finish(tickets, gridDim.x))
        *total = atomicAdd(to.count, 0ull);
}

template <class U, bool POSITIONS>
static void launch(cuda_device *gpu, const sk_selection &selection, const collect_output &to,
                   const lookback_state<tile_count> &state)
{
    collect_kernel<U, POSITIONS><<<collect_blocks<U>(gpu->processors, selection.n), COLLECT_THREADS, 0, gpu->stream>>>(
        static_cast<const U *>(selection.in), selection.n, match_bound<U>(*selection.bound), to, state.result,
        state.tickets);
}

scankit_error collect(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    lookback_state<tile_count> state;
    TRY(take_state(gpu, 0, &state));
    unsigned long long *counter = state.result;
    tell_host(gpu, state, count);
    collect_output to = {selection.matching, selection.positions, selection.first, selection.n, counter};
    report(gpu, compact_algorithm::COLLECT);
    if (!sk_rehearses(&gpu->base)) {
        CHECK(cudaMemsetAsync(to.count, 0, sizeof *to.count, gpu->stream));
        TRY(dispatch_word(unsigned(selection.element_size), [&](auto word) {
            using U = decltype(word);
            if (selection.positions != nullptr)
                launch<U, true>(gpu, selection, to, state);
            else
                launch<U, false>(gpu, selection, to, state);
            CHECK_LAUNCH();
            return SCANKIT_OK;
        }));
    }
    return wait_for_count(gpu, count);
}
