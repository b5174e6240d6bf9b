// sample_sort.cu - sample sort of keys alone: the launches, none of which the host waits for.
#include "sort/sample/sample_sort.cuh"

#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/sample/scatter_bins.cuh"
#include "sort/sample/sort_bins.cuh"

namespace
{

template <class K, class Order> struct sample_sorting {
    cuda_device *gpu;
    Order order;
    const K *in;
    K *out;
    sample_sizes sizes;
    K *second; // for bins that a block has no room for
    K *other;  // the keys in their bins: the output, if the input may be overwritten
    sample_lists<K> lists = {};
};

template <class K, class Order> bool take_memory(workspace &scratch, sample_sorting<K, Order> *sort)
{
    sample_lists<K> &lists = sort->lists;
    size_t n = sort->sizes.n, bins = sort->sizes.bins();
    return scratch.take(&lists.sample, sort->sizes.samples) && scratch.take(&lists.count, bins) &&
           scratch.take(&lists.start, bins + 1) && scratch.take(&lists.taken, bins) &&
           scratch.take(&lists.wide, n / FILL_ALONE + 1) && scratch.take(&lists.bin, n) &&
           scratch.take(&lists.found, 1) && (sort->other != nullptr || scratch.take(&sort->other, n));
}

template <class K, class Order> scankit_error sample(const sample_sorting<K, Order> &sort)
{
    cuda_device *gpu = sort.gpu;
    unsigned samples = sort.sizes.samples;
    if (samples <= RANKED_MOST) {
        rank_sample<<<samples / (RANK_THREADS / WARP * RANKED), RANK_THREADS, 0, gpu->stream>>>(sort.in, sort.order,
                                                                                                sort.sizes, sort.lists);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    }
    take_sample<<<(samples - 1) / MAP_THREADS + 1, MAP_THREADS, 0, gpu->stream>>>(sort.in, sort.order, sort.sizes,
                                                                                  sort.other, sort.lists);
    CHECK_LAUNCH();
    return sort_ranges(gpu, ordered_keys<K, integer_order<K>>{sort.other, sort.lists.sample, {0}}, samples);
}

template <class K, class Order> scankit_error classify(const sample_sorting<K, Order> &sort)
{
    size_t bins = sort.sizes.bins(), room = bins * (sizeof(K) + sizeof(unsigned)) + bins / 8;
    return launch(sort.gpu, classify_keys<K, Order>, unsigned(sort.gpu->processors), CLASSIFY_THREADS, room, sort.in,
                  sort.order, sort.sizes, sort.lists);
}

template <int ITEMS, class K, class Order> scankit_error scatter(const sample_sorting<K, Order> &sort)
{
    using tile = bin_scatter_tile<K, ITEMS>;
    return launch(sort.gpu, scatter_to_bins<ITEMS, K, Order>, (sort.sizes.n - 1) / tile::SIZE + 1, BIN_SCATTER_THREADS,
                  tile::bytes(sort.sizes.bins()), sort.in, sort.other, sort.out, sort.order, sort.sizes, sort.lists);
}

template <class K, class Order>
scankit_error run(cuda_device *gpu, Order order, const K *in, K *out, K *spare, sample_sizes sizes)
{
    bool overwrite = spare != nullptr;
    sample_sorting<K, Order> sort = {gpu, order, in, out, sizes, overwrite ? spare : out, overwrite ? out : nullptr};
    workspace scratch(gpu);
    if (!take_memory(scratch, &sort))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    TRY(sample(sort));
    TRY(classify(sort));
    size_t few = size_t(gpu->processors) * 2 * BIN_SCATTER_THREADS * 8;
    if (sizes.n <= few || bin_scatter_tile<K, 8>::bytes(sort.sizes.bins()) > gpu->shared_most)
        TRY(scatter<4>(sort));
    else
        TRY(scatter<8>(sort));
    return launch(gpu, sort_bins<K, Order>, sort.sizes.bins(), BIN_THREADS<K>,
                  sizeof(typename bin_tile<K>::shared_memory), sort.other, sort.second, out, order, sort.sizes,
                  sort.lists);
}

} // namespace

scankit_error sample_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare,
                          sample_sizes sizes)
{
    return dispatch_number(piece, [&](auto order) {
        using K = typename decltype(order)::key_type;
        return run(gpu, order, static_cast<const K *>(in), static_cast<K *>(out), static_cast<K *>(spare), sizes);
    });
}
