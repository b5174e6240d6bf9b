// sample_sort.cu - the sort of keys alone by bins between splitters of a sample, as launches that follow one another.
#include "sort/sample/sample_sort.cuh"

#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/sample/scatter_bins.cuh"
#include "sort/sample/sort_bins.cuh"

namespace
{

// Chance makes no bin of so many keys, and samples, larger than a block can sort; if it does, that takes a little
// longer. Fewer bins than those are too few for all multiprocessors.
constexpr unsigned MEAN_BIN = 1024, LEAST_BINS = 256;
constexpr size_t MANY_SAMPLES_LEAST = (size_t(1) << 19) + 1;

sample_sizes sample_for(size_t n, bool few_values)
{
    if (few_values)
        return {unsigned(n), 4 * LEAST_BINS, unsigned(__builtin_ctz(LEAST_BINS))};
    unsigned bins = LEAST_BINS, mean = n < MANY_SAMPLES_LEAST ? MEAN_BIN / 2 : MEAN_BIN;
    while (bins * size_t(mean) < n)
        bins *= 2;
    unsigned samples = bins * (n < MANY_SAMPLES_LEAST ? 4 : 8);
    return {unsigned(n), samples, unsigned(__builtin_ctz(bins))};
}

template <class K, class Order> struct sample_sorting {
    cuda_device *gpu;
    Order order;
    const K *in;
    K *out;
    sample_sizes sizes;
    K *second; // for bins that chip memory has no room for
    K *other;  // keys in their bins: the output where the input may be overwritten
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
    const small_sort_shape *shape = SMALL_SORT_SHAPES;
    while (samples < shape->least)
        shape++;
    return launch(gpu, sort_in_blocks<K, integer_order<K>>, (samples - 1) / shape->mean + 1, small_tile<K>::THREADS,
                  sizeof(small_sort_memory<K>), sort.other, sort.lists.sample, samples, integer_order<K>{0},
                  shape->samples);
}

template <class K, class Order> scankit_error classify(const sample_sorting<K, Order> &sort)
{
    size_t bins = sort.sizes.bins(), room = bins * (sizeof(K) + sizeof(unsigned)) + bins / 8;
    return launch(sort.gpu, classify_keys<K, Order>, unsigned(sort.gpu->processors), CLASSIFY_THREADS, room, sort.in,
                  sort.order, sort.sizes, sort.lists);
}

template <int ITEMS, class K, class Order> scankit_error scatter_keys_to_bins(const sample_sorting<K, Order> &sort)
{
    using tile = bin_scatter_tile<K, ITEMS>;
    return launch(sort.gpu, scatter_to_bins<ITEMS, K, Order>, (sort.sizes.n - 1) / tile::SIZE + 1, BIN_SCATTER_THREADS,
                  tile::bytes(sort.sizes.bins()), sort.in, sort.other, sort.out, sort.order, sort.sizes, sort.lists);
}

template <class K, class Order>
scankit_error run(cuda_device *gpu, Order order, const K *in, K *out, K *spare, size_t n, bool few_values)
{
    bool overwrite = spare != nullptr;
    sample_sorting<K, Order> sort = {
        gpu, order, in, out, sample_for(n, few_values), overwrite ? spare : out, overwrite ? out : nullptr};
    workspace scratch(gpu);
    if (!take_memory(scratch, &sort))
        return SCANKIT_E_MEMORY;
    gpu->base.algorithm = "hybrid";
    TRY(sample(sort));
    TRY(classify(sort));
    size_t few = size_t(gpu->processors) * 2 * BIN_SCATTER_THREADS * 8;
    if (n <= few || bin_scatter_tile<K, 8>::bytes(sort.sizes.bins()) > gpu->shared_most)
        TRY(scatter_keys_to_bins<4>(sort));
    else
        TRY(scatter_keys_to_bins<8>(sort));
    return launch(gpu, sort_bins<K, Order>, sort.sizes.bins(), BIN_THREADS<K>,
                  sizeof(typename bin_tile<K>::shared_memory), sort.other, sort.second, out, order, sort.sizes,
                  sort.lists);
}

template <class K>
scankit_error run_in_order(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare, size_t n,
                           bool few_values)
{
    return dispatch_flipped<K>(piece, [&](auto order) {
        return run(gpu, order, static_cast<const K *>(in), static_cast<K *>(out), static_cast<K *>(spare), n,
                   few_values);
    });
}

} // namespace

scankit_error sample_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare, size_t n,
                          bool few_values)
{
    return piece.size == 4 ? run_in_order<uint32_t>(gpu, piece, in, out, spare, n, few_values)
                           : run_in_order<uint64_t>(gpu, piece, in, out, spare, n, few_values);
}
