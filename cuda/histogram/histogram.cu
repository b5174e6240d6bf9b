// histogram.cu - histograms: launches.
#include "common/map.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "histogram/count_halves.cuh"
#include "histogram/count_keys.cuh"
#include "histogram/count_parts.cuh"
#include "histogram/part_bins.cuh"
#include "histogram/spread.cuh"

// A block a multiprocessor, which then has all of its shared memory; more where a block would get over 2^30 keys, whose
// number an unsigned count holds.
static unsigned blocks_for(const cuda_device *gpu, size_t n, size_t size, size_t tile_bytes = HISTOGRAM_TILE_BYTES)
{
    size_t tiles = (n * size - 1) / tile_bytes + 1, blocks = size_t(gpu->processors);
    blocks = blocks > n >> 30 ? blocks : n >> 30;
    return unsigned(blocks < tiles ? blocks : tiles);
}

// Launches a kernel that counts all by itself. There is nothing to overlap with, and a programmatic launch would cost a
// microsecond. room: bytes of shared memory.
template <class... Parameters>
static scankit_error launch_alone(cuda_device *gpu, void (*kernel)(Parameters...), unsigned blocks, size_t room,
                                  std::type_identity_t<Parameters>... arguments)
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    kernel<<<blocks, HISTOGRAM_THREADS, room, gpu->stream>>>(arguments...);
    CHECK_LAUNCH();
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

// Below, additions in the L2 cache are as fast as counters of 16 bits, and as parts.
constexpr size_t HALVES_LEAST = size_t(1) << 22, PARTS_LEAST = size_t(1) << 23;

// How more bins than fit as counters of 32 bits are counted, and what is needed for it.
struct many_plan {
    enum { NONE, HALVES, PARTS } way = NONE;
    unsigned blocks = 0;      // with counters of 16 bits
    uint32_t *rows = nullptr; // of the blocks
    bin_parts parts = {};
    size_t round = 0; // keys at a time, by parts

    // Takes memory; returns false if it is short.
    bool take(workspace *scratch, size_t bins)
    {
        if (way == HALVES)
            return scratch->take(&rows, size_t(blocks) * half_words(uint32_t(bins)));
        return way == NONE || (scratch->take(&parts.numbers, size_t(parts.tiles) * parts.tile_numbers) &&
                               scratch->take(&parts.pieces, size_t(parts.tiles) * parts.count) &&
                               scratch->take(&parts.vectors, parts.count) && scratch->take(&parts.is_wanted, 1));
    }
};

// Rounds bound the memory that is taken, some 3 bytes a key.
constexpr size_t PARTS_ROUND = size_t(1) << 28;
constexpr unsigned PART_BITS = 15; // at most: numbers have 16

template <class T> static void plan_parts(const cuda_device *gpu, const sk_histogram &what, many_plan *plan)
{
    bin_parts &parts = plan->parts;
    parts.bits = PART_BITS;
    while (table_room(parts.bins()) > gpu->shared_most)
        parts.bits--;
    parts.count = ((what.bins.count - 1) >> parts.bits) + 1;
    if (parts.count > GROUPS)
        return;
    while (parts.count << (parts.log_groups + 1) <= GROUPS)
        parts.log_groups++;
    plan->way = many_plan::PARTS;
    plan->round = std::min(what.n, PARTS_ROUND);
    parts.tiles = uint32_t(plan->round / (PART_THREADS * PART_KEYS<T>));
    parts.tile_numbers = TILE_NUMBERS<T>;
}

static many_plan plan_many(const cuda_device *gpu, const sk_histogram &what)
{
    const size_t bins = what.bins.count, size = scankit_type_size(what.type);
    many_plan plan;
    if (what.weights != nullptr || what.n < HALVES_LEAST || table_rows(bins) * sizeof(unsigned) <= gpu->shared_most)
        return plan;
    if (half_words(uint32_t(bins)) * sizeof(uint32_t) <= gpu->shared_most) {
        plan.way = many_plan::HALVES;
        plan.blocks = blocks_for(gpu, what.n, size);
    } else if (what.n < PARTS_LEAST) {
        return plan;
    } else if (size == 8) {
        plan_parts<uint64_t>(gpu, what, &plan);
    } else if (size == 4) {
        plan_parts<uint32_t>(gpu, what, &plan);
    }
    return plan;
}

template <class T>
static scankit_error count_in_halves(cuda_device *gpu, const sk_histogram &what, const many_plan &plan,
                                     uint64_t *counts)
{
    auto kernel = what.bins.kind == SCANKIT_BINS_EVEN ? count_halves<T, true> : count_halves<T, false>;
    const uint32_t bins = what.bins.count, words = half_words(bins);
    TRY(launch(gpu, kernel, plan.blocks, HISTOGRAM_THREADS, words * sizeof(uint32_t), what, counts, plan.rows));
    return map_elements(gpu, words, add_rows{plan.rows, plan.blocks, bins, counts});
}

// More bins than fit in any way: a cache of frequent ones. is_done: as count_bins().
template <class T>
static scankit_error count_by_cache(cuda_device *gpu, const sk_histogram &what, uint64_t *counts,
                                    const unsigned *is_done)
{
    using cache = cache_of_some<unsigned>;
    auto kernel = what.bins.kind == SCANKIT_BINS_EVEN ? count_bins<T, unsigned, cache, true>
                                                      : count_bins<T, unsigned, cache, false>;
    const unsigned blocks = blocks_for(gpu, what.n, sizeof(T));
    if (is_done == nullptr)
        return launch_alone(gpu, kernel, blocks, cache::bytes(), what, counts, 1, is_done);
    return launch(gpu, kernel, blocks, HISTOGRAM_THREADS, cache::bytes(), what, counts, 1, is_done);
}

// The sample is the device's own, so the host waits for nothing: of parts and the cache, one finds nothing to do.
template <class T>
static scankit_error count_round(cuda_device *gpu, const sk_histogram &what, const bin_parts &parts, uint64_t *counts)
{
    const unsigned processors = unsigned(gpu->processors);
    TRY(launch(gpu, find_spread<T>, 1, SPREAD_THREADS, 0, what, parts));
    auto kernel = what.bins.kind == SCANKIT_BINS_EVEN ? part_bins<T, true> : part_bins<T, false>;
    const unsigned blocks = std::min(parts.tiles, PART_BLOCKS * processors);
    TRY(launch(gpu, kernel, blocks, PART_THREADS, sizeof(part_room<T>), what, parts, counts));
    // Whole waves of blocks, with half a wave at least for parts that have more keys than others.
    const unsigned all = (parts.count + processors / 2 + processors - 1) / processors * processors;
    TRY(launch(gpu, count_parts, all, TABLE_THREADS, table_room(parts.bins()), parts, what.bins.count,
               all - parts.count, counts));
    return count_by_cache<T>(gpu, what, counts, parts.is_wanted);
}

template <class T>
static scankit_error count_in_parts(cuda_device *gpu, const sk_histogram &what, const many_plan &plan, uint64_t *counts)
{
    for (size_t begin = 0; begin < what.n; begin += plan.round) {
        sk_histogram some = what;
        some.keys = static_cast<const T *>(what.keys) + begin;
        some.n = std::min(plan.round, what.n - begin);
        if (some.n < PARTS_LEAST)
            return count_by_cache<T>(gpu, some, counts, nullptr);
        bin_parts parts = plan.parts;
        const key_vectors<T> keys(static_cast<const T *>(some.keys), some.n);
        parts.tiles = uint32_t(keys.whole / (PART_THREADS * PART_VECTORS<T>));
        TRY(count_round<T>(gpu, some, parts, counts));
    }
    return SCANKIT_OK;
}

// ---- all ----

template <class T>
static scankit_error count_ones(cuda_device *gpu, const sk_histogram &what, const many_plan &plan, uint64_t *counts)
{
    size_t each = table_rows(what.bins.count) * sizeof(unsigned);
    if (each <= gpu->shared_most) {
        auto kernel = what.bins.kind == SCANKIT_BINS_EVEN ? count_keys<T, true> : count_keys<T, false>;
        unsigned copies = copies_for(gpu, what, each, TABLE_COPIES);
        unsigned blocks = blocks_for(gpu, what.n, sizeof(T), HISTOGRAM_TILE_BYTES / HISTOGRAM_VECTORS);
        return launch_alone(gpu, kernel, blocks, copies * each, what, counts, copies);
    }
    if (plan.way == many_plan::HALVES)
        return count_in_halves<T>(gpu, what, plan, counts);
    if constexpr (sizeof(T) >= 4)
        if (plan.way == many_plan::PARTS)
            return count_in_parts<T>(gpu, what, plan, counts);
    return count_by_cache<T>(gpu, what, counts, nullptr);
}

template <class T> static scankit_error add_weights(cuda_device *gpu, const sk_histogram &what, uint64_t *counts)
{
    using table = table_of_all<device_count>;
    using cache = cache_of_some<device_count>;
    const bool is_even = what.bins.kind == SCANKIT_BINS_EVEN;
    const size_t each = table::bytes(what.bins.count);
    auto kernel = is_even ? count_bins<T, device_count, cache, true> : count_bins<T, device_count, cache, false>;
    size_t room = cache::bytes();
    unsigned copies = 1;
    if (each <= gpu->shared_most) {
        kernel = is_even ? count_bins<T, device_count, table, true> : count_bins<T, device_count, table, false>;
        copies = copies_for(gpu, what, each, WARP);
        room = copies * each;
    }
    return launch_alone(gpu, kernel, blocks_for(gpu, what.n, sizeof(T)), room, what, counts, copies, nullptr);
}

template <class T>
static scankit_error histogram(cuda_device *gpu, const sk_histogram &what, const many_plan &plan, uint64_t *counts)
{
    return what.weights != nullptr ? add_weights<T>(gpu, what, counts) : count_ones<T>(gpu, what, plan, counts);
}

scankit_error cuda_histogram(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    workspace scratch(gpu);
    many_plan plan = plan_many(gpu, *what);
    if (!plan.take(&scratch, what->bins.count))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(counts, 0, what->bins.count * sizeof *counts, gpu->stream));
    if (what->n == 0)
        return SCANKIT_OK;
    switch (what->type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return histogram<ctype>(gpu, *what, plan, counts);
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
