// histogram.cu - histograms: launches.
#include "common/map.cuh"
#include "device/check.cuh"
#include "histogram/count_bins.cuh"

// A block a multiprocessor, which then has all of its shared memory; more where a block would get over 2^30 keys, whose
// number an unsigned count holds.
static unsigned blocks_for(const cuda_device *gpu, size_t n, size_t size)
{
    size_t tiles = (n * size - 1) / HISTOGRAM_TILE_BYTES + 1, blocks = size_t(gpu->processors);
    blocks = blocks > n >> 30 ? blocks : n >> 30;
    return unsigned(blocks < tiles ? blocks : tiles);
}

template <class T, class C, template <class> class Counts>
static scankit_error count(cuda_device *gpu, const sk_histogram &what, uint64_t *counts, unsigned copies)
{
    bool is_even = what.bins.kind == SCANKIT_BINS_EVEN;
    auto kernel = is_even ? count_bins<T, C, Counts, true> : count_bins<T, C, Counts, false>;
    size_t room = Counts<C>::bytes(what.bins.count, copies);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    kernel<<<blocks_for(gpu, what.n, sizeof(T)), HISTOGRAM_THREADS, room, gpu->stream>>>(what, counts, copies);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// As many copies as there is room for, while a block has at least as many keys as counts.
template <class C> static unsigned copies_for(const cuda_device *gpu, const sk_histogram &what)
{
    size_t each = what.n / unsigned(gpu->processors);
    unsigned copies = 1;
    while (copies < WARP && table_of_all<C>::bytes(what.bins.count, 2 * copies) <= gpu->shared_most &&
           2 * copies * size_t(what.bins.count) <= each)
        copies *= 2;
    return copies;
}

template <class T, class C> static scankit_error choose(cuda_device *gpu, const sk_histogram &what, uint64_t *counts)
{
    if (table_of_all<C>::bytes(what.bins.count, 1) <= gpu->shared_most)
        return count<T, C, table_of_all>(gpu, what, counts, copies_for<C>(gpu, what));
    return count<T, C, cache_of_some>(gpu, what, counts, 1);
}

template <class T> static scankit_error histogram(cuda_device *gpu, const sk_histogram &what, uint64_t *counts)
{
    return what.weights != nullptr ? choose<T, device_count>(gpu, what, counts)
                                   : choose<T, unsigned>(gpu, what, counts);
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
