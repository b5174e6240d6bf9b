// uncounted_sort.cuh - the sort of keys by buckets that are not counted before, which saves one read of all keys. Each
// bucket has a slack region, larger than it is likely to need, and its cursor counts it. Keys that a region has no room
// for are spilled, and their buckets are sorted after the others, as too large ones are. Nothing is lost if those are
// too many: the input is still there, and the second pass ends soon.
#ifndef SK_CUDA_UNCOUNTED_SORT_CUH
#define SK_CUDA_UNCOUNTED_SORT_CUH

#include <cmath>

#include "sort/bucket/key_sort.cuh"
#include "sort/bucket/spilled_keys.cuh"

// Keys that a region has room for: the mean, a share more, and eight standard deviations of uniform keys. A multiple of
// 32, so that regions begin with lines of memory.
inline unsigned room_for(size_t mean, double share)
{
    return unsigned(double(mean) * (1 + share) + 8 * sqrt(double(mean))) / 32 * 32 + 32;
}

// The regions of the first pass are in the output, as far as it goes. The buckets have their regions in a separate
// array, from which they are sorted to the output.
template <class K> struct sort_regions {
    bucket_regions<K> upper, lower;
    K *spilled;
    unsigned spilled_most;
};

template <class Projection, class K, class Order>
bool take_regions(const key_sort<K, Order> &sort, workspace &scratch, sort_regions<K> *regions)
{
    size_t buckets = sort.levels.count(), uppers = size_t(1) << sort.levels.upper;
    bucket_regions<K> &upper = regions->upper, &lower = regions->lower;
    constexpr bool BY_CDF = Projection::IS_COSTLY;
    unsigned room = room_for((sort.n - 1) / buckets + 1, BY_CDF ? LOWER_SLACK_CDF : LOWER_SLACK);
    lower = {nullptr, nullptr, unsigned(buckets), room < large_tile<K>::LARGEST ? room : large_tile<K>::LARGEST};
    upper = {sort.out, nullptr, 0, room_for((sort.n - 1) / uppers + 1, BY_CDF ? UPPER_SLACK_CDF : UPPER_SLACK)};
    upper.split = unsigned(sort.n / upper.room);
    regions->spilled_most = unsigned(sort.n / SPILLED_SHARE);
    return scratch.take(&lower.first, buckets * lower.room) && scratch.take(&regions->spilled, regions->spilled_most) &&
           (upper.split >= uppers || scratch.take(&upper.rest, (uppers - upper.split) * upper.room));
}

template <int ITEMS, bool NEAR, class Projection, class K, class Order>
scankit_error scatter_uncounted(const key_sort<K, Order> &sort, const sort_regions<K> &regions)
{
    scatter_passes<Projection, K, Order> passes(sort);
    constexpr unsigned TILE = scatter_tile<K, ITEMS>::SIZE;
    passes.first.to = passes.second.from = regions.upper;
    passes.first.cursor = sort.upper_counts;
    passes.first.overflow =
        passes.second.overflow = {passes.second.shift, regions.lower.first,  regions.lower.room,   sort.counts,
                                  regions.spilled,     &sort.found->spilled, regions.spilled_most, &sort.found->lost};
    TRY((scatter_once<ITEMS, NEAR, Projection>(sort, sort.tiles(ITEMS), sort.in, sort.order, passes.first)));
    passes.second.filled = sort.upper_counts;
    passes.second.tiles = (regions.upper.room - 1) / TILE + 1;
    passes.second.to = regions.lower;
    passes.second.cursor = sort.counts;
    return scatter_once<ITEMS, NEAR, Projection>(sort, size_t(passes.second.tiles) << sort.levels.upper,
                                                 regions.upper.first, integer_order<K>{0}, passes.second);
}

// Gathers the buckets whose regions were too small in the output, and sorts those that are not too large.
template <class Projection, class K, class Order>
scankit_error sort_spilled(const key_sort<K, Order> &sort, const sort_regions<K> &regions)
{
    cuda_device *gpu = sort.gpu;
    const unsigned *start = sort.places.start;
    unsigned *listed = &sort.found->listed, buckets = unsigned(sort.levels.count());
    CHECK(cudaMemsetAsync(listed, 0, sizeof *listed, gpu->stream));
    TRY(launch(gpu, gather_spilled<Projection, K>, (buckets - 1) / GATHER_THREADS + 1, GATHER_THREADS, 0, regions.lower,
               start, spilled_keys<K>{regions.spilled, &sort.found->spilled, sort.counts}, sort.map,
               Projection::BITS - sort.levels.bits, large_tile<K>::LARGEST, sort.out, listed, sort.listed));
    return sort_listed(sort, sort.out, {buckets, {start, start + 1, 0, nullptr}, listed, sort.listed});
}

// Sorts the buckets that are too large. They have been gathered in the output, so that their regions are free.
template <class K, class Order>
scankit_error sort_gathered(key_sort<K, Order> sort, workspace &scratch, const sort_regions<K> &regions)
{
    sort.other = regions.lower.first;
    return sort_large(sort, scratch, sort.out);
}

// are_near: as the survey found. Not *done if memory is short or too many keys had no room. Then the caller clears
// counts and findings.
template <class Projection, int ITEMS, class K, class Order>
scankit_error sort_uncounted(const key_sort<K, Order> &sort, bool are_near, bool *done)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    sort_regions<K> regions;
    unsigned *start = sort.places.start, *lost = &sort.found->lost;
    overflow_counts over;
    *done = false;
    if (!take_regions<Projection>(sort, scratch, &regions))
        return SCANKIT_OK;
    if (sk_rehearses(&gpu->base))
        return sort_gathered(sort, scratch, regions);
    TRY((choose_scatter<Projection, ITEMS>(sort, are_near, [&](auto items, auto near) {
        return scatter_uncounted<items.value, near.value, Projection>(sort, regions);
    })));
    TRY(launch(gpu, place_regions, 1u << sort.levels.upper, PLACE_REGIONS_THREADS, 0, sort.upper_counts, sort.counts,
               sort.levels.lower(), large_tile<K>::LARGEST, start, &sort.found->oversized));
    TRY(cuda_ask(gpu, static_cast<overflow_counts *>(sort.found), sizeof over));
    TRY(sort_on_chip<Projection::IS_COSTLY>(
        sort, regions.lower.first, Projection::BITS - sort.levels.bits,
        {sort.levels.count(), {start, start + 1, regions.lower.room, lost}, &sort.found->listed, sort.listed}));
    TRY(cuda_answer(gpu, &over, sizeof over));
    if (over.lost > 0)
        return SCANKIT_OK;
    if (over.spilled > 0)
        TRY(sort_spilled<Projection>(sort, regions));
    scankit_error error = over.oversized > 0 ? sort_gathered(sort, scratch, regions) : SCANKIT_OK;
    *done = error != SCANKIT_E_MEMORY;
    return *done ? error : SCANKIT_OK;
}

#endif
