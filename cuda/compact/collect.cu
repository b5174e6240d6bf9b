// collect.cu - compaction by a bound in any order: launches.
#include "common/shape.cuh"
#include "compact/collect.cuh"
#include "compact/launcher.cuh"

template <class U> static unsigned blocks_for(const cuda_device *gpu, size_t n)
{
    constexpr size_t EACH = size_t(COLLECT_THREADS) * COLLECT_VECTORS<U> * (16 / sizeof(U));
    size_t tiles = (n - 1) / EACH + 1, blocks = size_t(gpu->processors) * COLLECT_BLOCKS;
    return unsigned(blocks < tiles ? blocks : tiles);
}

template <class U, bool POSITIONS>
static void launch(cuda_device *gpu, const sk_selection &selection, const collect_output &to,
                   unsigned long long *tickets)
{
    collect_kernel<U, POSITIONS><<<blocks_for<U>(gpu, selection.n), COLLECT_THREADS, 0, gpu->stream>>>(
        static_cast<const U *>(selection.in), selection.n, match_bound<U>(*selection.bound), to, tickets);
}

scankit_error collect(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    lookback_state<tile_count> state;
    TRY(take_state(gpu, 0, &state));
    unsigned long long *counter = state.result;
    tell_host(gpu, state, count);
    collect_output to = {selection.matching, selection.positions, selection.first, counter, state.result};
    report(gpu, compact_algorithm::COLLECT);
    if (!sk_rehearses(&gpu->base)) {
        CHECK(cudaMemsetAsync(to.count, 0, sizeof *to.count, gpu->stream));
        TRY(dispatch_word(unsigned(selection.element_size), [&](auto word) {
            using U = decltype(word);
            if (selection.positions != nullptr)
                launch<U, true>(gpu, selection, to, state.tickets);
            else
                launch<U, false>(gpu, selection, to, state.tickets);
            CHECK_LAUNCH();
            return SCANKIT_OK;
        }));
    }
    return wait_for_count(gpu, count);
}
