// histogram.cu - histograms: launches.
#include "common/map.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "histogram/count_halves.cuh"
#include "histogram/count_keys.cuh"

// A block a multiprocessor, which then has all of its shared memory; more where a block would get over 2^30 keys, whose
// number an unsigned count holds.
static unsigned blocks_for(const cuda_device *gpu, size_t n, size_t size)
{
    size_t tiles = (n * size - 1) / HISTOGRAM_TILE_BYTES + 1, blocks = size_t(gpu->processors);
    blocks = blocks > n >> 30 ? blocks : n >> 30;
    return unsigned(blocks < tiles ? blocks : tiles);
}

// room: bytes of shared memory.
template <class T>
static scankit_error launch(cuda_device *gpu, const void *kernel, size_t room, sk_histogram what, uint64_t *counts,
                            unsigned copies)
{
    void *arguments[] = {&what, &counts, &copies};
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    CHECK(
        cudaLaunchKernel(kernel, blocks_for(gpu, what.n, sizeof(T)), HISTOGRAM_THREADS, arguments, room, gpu->stream));
    return SCANKIT_OK;
}

// As many copies as there is room for, while a block has at least as many keys as counts. each: bytes of a copy.
static unsigned copies_for(const cuda_device *gpu, const sk_histogram &what, size_t each, unsigned most)
{
    size_t keys = what.n / unsigned(gpu->processors);
    unsigned copies = 1;
    while (copies < most && 2 * copies * each <= gpu->shared_most && 2 * copies * size_t(what.bins.count) <= keys)
        copies *= 2;
    return copies;
}

// ---- many bins ----

// Passes with counters of 16 bits, and what is needed for them. None: 0.
struct halves_plan {
    unsigned passes, blocks;
    bin_part part; // the first one, which is the largest
    size_t words() const
    {
        return size_t(blocks) * part.words();
    }
};

static halves_plan plan_halves(const cuda_device *gpu, const sk_histogram &what)
{
    size_t bins = what.bins.count;
    if (what.weights != nullptr || what.n < HALVES_LEAST || table_rows(bins) * sizeof(unsigned) <= gpu->shared_most)
        return {};
    size_t most = gpu->shared_most / sizeof(uint32_t) / BANKS * (2 * BANKS), passes = (bins - 1) / most + 1;
    if (passes > HALVES_PASSES)
        return {};
    return {unsigned(passes),
            blocks_for(gpu, what.n, scankit_type_size(what.type)),
            {0, uint32_t((bins - 1) / passes + 1)}};
}

template <class T>
static scankit_error count_in_halves(cuda_device *gpu, const sk_histogram &what, const halves_plan &plan,
                                     uint64_t *counts, uint32_t *rows)
{
    auto kernel = what.bins.kind == SCANKIT_BINS_EVEN ? count_halves<T, true> : count_halves<T, false>;
    const uint32_t bins = uint32_t(what.bins.count);
    for (bin_part part = plan.part; part.first < bins; part.first += part.count) {
        part.count = std::min(part.count, bins - part.first);
        unsigned room = part.words() * unsigned(sizeof(uint32_t));
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
        kernel<<<plan.blocks, HISTOGRAM_THREADS, room, gpu->stream>>>(what, part, counts, rows);
        CHECK_LAUNCH();
        TRY(map_elements(gpu, part.words(), add_rows{rows, plan.blocks, part, counts}));
    }
    return SCANKIT_OK;
}

// ---- all ----

template <class T> static scankit_error count_ones(cuda_device *gpu, const sk_histogram &what, uint64_t *counts)
{
    bool is_even = what.bins.kind == SCANKIT_BINS_EVEN;
    size_t each = table_rows(what.bins.count) * sizeof(unsigned);
    if (each <= gpu->shared_most) {
        auto kernel = is_even ? count_keys<T, true> : count_keys<T, false>;
        unsigned copies = copies_for(gpu, what, each, TABLE_COPIES);
        return launch<T>(gpu, (const void *)kernel, copies * each, what, counts, copies);
    }
    using cache = cache_of_some<unsigned>;
    auto kernel = is_even ? count_bins<T, unsigned, cache, true> : count_bins<T, unsigned, cache, false>;
    return launch<T>(gpu, (const void *)kernel, cache::bytes(), what, counts, 1);
}

template <class T> static scankit_error add_weights(cuda_device *gpu, const sk_histogram &what, uint64_t *counts)
{
    using table = table_of_all<device_count>;
    using cache = cache_of_some<device_count>;
    bool is_even = what.bins.kind == SCANKIT_BINS_EVEN;
    size_t each = table::bytes(what.bins.count);
    if (each <= gpu->shared_most) {
        auto kernel = is_even ? count_bins<T, device_count, table, true> : count_bins<T, device_count, table, false>;
        unsigned copies = copies_for(gpu, what, each, WARP);
        return launch<T>(gpu, (const void *)kernel, copies * each, what, counts, copies);
    }
    auto kernel = is_even ? count_bins<T, device_count, cache, true> : count_bins<T, device_count, cache, false>;
    return launch<T>(gpu, (const void *)kernel, cache::bytes(), what, counts, 1);
}

template <class T>
static scankit_error histogram(cuda_device *gpu, const sk_histogram &what, const halves_plan &plan, uint64_t *counts,
                               uint32_t *rows)
{
    if (plan.passes > 0)
        return count_in_halves<T>(gpu, what, plan, counts, rows);
    return what.weights != nullptr ? add_weights<T>(gpu, what, counts) : count_ones<T>(gpu, what, counts);
}

scankit_error cuda_histogram(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    workspace scratch(gpu);
    halves_plan plan = plan_halves(gpu, *what);
    uint32_t *rows = nullptr;
    if (plan.passes > 0 && !scratch.take(&rows, plan.words()))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(counts, 0, what->bins.count * sizeof *counts, gpu->stream));
    if (what->n == 0)
        return SCANKIT_OK;
    switch (what->type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return histogram<ctype>(gpu, *what, plan, counts, rows);
        SCANKIT_TYPES(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}

template <class T> struct find_bin {
    sk_histogram what;
    uint32_t *index;
    uint64_t *values;
    __device__ void operator()(size_t i) const
    {
        index[i] = bin_of(static_cast<const T *>(what.keys)[i], what.bins);
        values[i] = sk_weight_at(what.weight_type, what.weights, i);
    }
};

template <class T>
static scankit_error find_bins(cuda_device *gpu, const sk_histogram &what, uint32_t *index, uint64_t *values)
{
    find_bin<T> find = {what, index, values};
    map_kernel<<<map_blocks(what.n), MAP_THREADS, 0, gpu->stream>>>(what.n, find);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error cuda_bin(sk_device *device, const sk_histogram *what, uint32_t *index, uint64_t *values)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    END_REHEARSAL(gpu);
    switch (what->type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return find_bins<ctype>(gpu, *what, index, values);
        SCANKIT_TYPES(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}
