// histogram.cu - histograms: launches.
#include "common/map.cuh"
#include "device/check.cuh"
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

template <class T> static scankit_error histogram(cuda_device *gpu, const sk_histogram &what, uint64_t *counts)
{
    return what.weights != nullptr ? add_weights<T>(gpu, what, counts) : count_ones<T>(gpu, what, counts);
}

scankit_error cuda_histogram(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(counts, 0, what->bins.count * sizeof *counts, gpu->stream));
    if (what->n == 0)
        return SCANKIT_OK;
    switch (what->type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return histogram<ctype>(gpu, *what, counts);
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
