// rle.cu - run-length encoding, unique, and reduction by key: scalars in a single pass, other elements by flags for the
// heads of runs.
#include "common/lookback_state.cuh"
#include "common/map.cuh"
#include "common/ring_launch.cuh"
#include "common/shape.cuh"
#include "common/unit.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "rle/choose.h"
#include "rle/encode_runs.cuh"
#include "rle/ring_encode.cuh"
#include "rle/rle.cuh"

// ---- scalars ----

template <class U, int VECTORS> static scankit_error single_pass(cuda_device *gpu, const sk_runs &runs, size_t *count)
{
    constexpr size_t TILE = encode_tile<U, VECTORS>::SIZE;
    unsigned lead = unsigned(uintptr_t(runs.in) % 16 / sizeof(U));
    size_t tiles = (lead + runs.n - 1) / TILE + 1;
    lookback_state<length_segment> state;
    TRY(take_state(gpu, tiles, &state));
    END_REHEARSAL(gpu);
    tell_host(gpu, state, count);
    encode_arguments to = {
        .in = runs.in,
        .values = runs.values,
        .counts = runs.counts,
        .n = runs.n,
        .lead = lead,
        .state = state,
    };
    encode_scalars<U, VECTORS><<<unsigned(tiles), ENCODE_THREADS, 0, gpu->stream>>>(to);
    CHECK_LAUNCH();
    return wait_for_count(gpu, count);
}

// Small tiles if all run at once. A thread writes the lengths of all runs of its elements, and of bytes it has many.
template <class U> static scankit_error in_tiles(cuda_device *gpu, const sk_runs &runs, size_t *count)
{
    constexpr int LARGE = ENCODE_VECTORS<U>, SMALL = ENCODE_SMALL_VECTORS<U>;
    if constexpr (SMALL != LARGE)
        if (runs.n <= encode_tile<U, SMALL>::SIZE * size_t(gpu->processors) * ENCODE_BLOCKS<U>)
            return single_pass<U, SMALL>(gpu, runs, count);
    return single_pass<U, LARGE>(gpu, runs, count);
}

template <class U> static scankit_error on_ring(cuda_device *gpu, const sk_runs &runs, size_t *count)
{
    ring_arguments over = ring_over(runs.in, nullptr, runs.n * sizeof(U));
    over.bulk_out = false;
    over.ahead = true;
    using shape = encode_shape<U>;
    size_t tiles = ring_tiles<shape>(over);
    ring_encode_outputs to = {runs.values, runs.counts, nullptr};
    workspace scratch(gpu);
    if (to.counts != nullptr && !scratch.take(&to.late, tiles))
        return SCANKIT_E_MEMORY;
    lookback_state<ring_runs> state;
    TRY(take_state(gpu, tiles, &state));
    tell_host(gpu, state, count);
    TRY((ring_launch<ring_runs, shape>(gpu, encode_ring<U>, over, state, to)));
    return wait_for_count(gpu, count);
}

static bool is_scalar(const sk_runs &runs)
{
    return is_word(runs.element_size, uintptr_t(runs.in) | uintptr_t(runs.values)) && sk_compares_all(&runs);
}

static scankit_error encode_scalar(cuda_device *gpu, const sk_runs &runs, bool ring, size_t *count)
{
    return dispatch_word(unsigned(runs.element_size), [&](auto word) {
        using U = decltype(word);
        return ring ? on_ring<U>(gpu, runs, count) : in_tiles<U>(gpu, runs, count);
    });
}

// ---- heads ----

// The bytes of an element that are compared, in device memory.
struct span_list {
    const sk_span *span;
    size_t count, bytes; // bytes: of all spans
};

// True if an element differs from the one before it in bytes begin, begin + step, ... of any span.
static __device__ __forceinline__ bool differs(const uint8_t *element, size_t size, const span_list &spans,
                                               size_t begin, size_t step)
{
    for (size_t s = 0; s < spans.count; s++)
        for (size_t at = spans.span[s].begin + begin; at < spans.span[s].end; at += step)
            if (element[at] != (element - size)[at])
                return true;
    return false;
}

struct find_head {
    const uint8_t *in;
    size_t size;
    span_list spans;
    uint8_t *heads;
    __device__ void operator()(size_t i) const
    {
        heads[i] = i == 0 || differs(in + i * size, size, spans, 0, 1);
    }
};

// Long elements: one warp per element.
static __global__ void __launch_bounds__(MAP_THREADS) find_long_heads(find_head of, size_t n)
{
    constexpr unsigned WARPS = MAP_THREADS / WARP;
    for (size_t i = size_t(blockIdx.x) * WARPS + threadIdx.x / WARP; i < n; i += size_t(gridDim.x) * WARPS) {
        bool differ = i == 0 || differs(of.in + i * of.size, of.size, of.spans, lane_id(), WARP);
        differ = __any_sync(FULL_WARP, differ);
        if (lane_id() == 0)
            of.heads[i] = differ;
    }
}

static scankit_error find_heads(cuda_device *gpu, const sk_runs &runs, uint8_t *heads)
{
    workspace scratch(gpu);
    sk_span *spans;
    size_t bytes = 0;
    if (!scratch.take(&spans, runs.span_count))
        return SCANKIT_E_MEMORY;
    for (size_t s = 0; s < runs.span_count; s++)
        bytes += runs.span[s].end - runs.span[s].begin;
    TRY(cuda_put(gpu, spans, runs.span, runs.span_count * sizeof *spans));
    END_REHEARSAL(gpu);
    find_head find = {static_cast<const uint8_t *>(runs.in), runs.element_size, {spans, runs.span_count, bytes}, heads};
    if (bytes <= COMPARE_ALONE)
        map_kernel<<<map_blocks(runs.n), MAP_THREADS, 0, gpu->stream>>>(runs.n, find);
    else
        find_long_heads<<<map_blocks(runs.n), MAP_THREADS, 0, gpu->stream>>>(find, runs.n);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Reduces or counts first, because the values may replace the input. The flags stay.
static scankit_error by_heads(cuda_device *gpu, const sk_runs &runs, size_t *count)
{
    workspace scratch(gpu);
    uint8_t *heads;
    if (!scratch.take(&heads, runs.n))
        return SCANKIT_E_MEMORY;
    TRY(find_heads(gpu, runs, heads));
    bool reduces = runs.reduced != nullptr || runs.counts != nullptr;
    if (runs.reduced != nullptr)
        TRY(reduce_flagged_runs(gpu, runs, heads, runs.values == nullptr ? count : nullptr));
    else if (runs.counts != nullptr)
        TRY(count_flagged_runs(gpu, heads, runs.counts, runs.n, runs.values == nullptr ? count : nullptr));
    if (runs.values != nullptr || !reduces) {
        sk_selection firsts = {};
        firsts.flags = heads;
        firsts.n = runs.n;
        firsts.element_size = runs.values != nullptr ? runs.element_size : 1;
        firsts.in = runs.values != nullptr ? runs.in : nullptr;
        firsts.matching = runs.values;
        TRY(cuda_compact(&gpu->base, &firsts, count));
    }
    return SCANKIT_OK;
}

static encode_facts facts_of(const cuda_device *gpu, const sk_runs &runs)
{
    encode_facts facts = {};
    facts.n = runs.n;
    facts.element_size = runs.element_size;
    facts.is_scalar = is_scalar(runs);
    facts.reduces = runs.reduced != nullptr;
    facts.fits_reduce = facts.reduces && facts.is_scalar && reduces_scalar_runs(gpu, runs);
    facts.has_counts = runs.counts != nullptr;
    facts.ring_least = gpu->ring_least;
    return facts;
}

scankit_error cuda_encode_runs(sk_device *device, const sk_runs *runs, size_t *count)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    rle_algorithm algorithm = choose_encode(facts_of(gpu, *runs));
    if (algorithm == rle_algorithm::HEADS)
        TRY(by_heads(gpu, *runs, count));
    else if (runs->reduced != nullptr)
        TRY(reduce_scalar_runs(gpu, *runs, count));
    else
        TRY(encode_scalar(gpu, *runs, algorithm == rle_algorithm::RING, count));
    report(gpu, algorithm);
    return SCANKIT_OK;
}
