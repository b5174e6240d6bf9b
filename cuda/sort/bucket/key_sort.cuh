// key_sort.cuh - the steps of a sort of keys by buckets, as launches: a survey; counts by leading bits of keys or of
// their CDF values; one or two scatter passes into buckets; sorts of buckets on chip; and rounds for buckets that are
// too large.
#ifndef SK_CUDA_KEY_SORT_CUH
#define SK_CUDA_KEY_SORT_CUH

#include <type_traits>
#include <utility>

#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/bucket/heavy_hitters.cuh"
#include "sort/bucket/sort_buckets.cuh"
#include "sort/radix/pass.cuh"
#include "sort/radix/pass_states.cuh"
#include "sort/survey/estimate.cuh"
#include "sort/survey/see_order.cuh"

// oversized: keys in buckets that are too large. spilled: keys that a slack region had no room for. lost: > 0 if there
// was no room for some of them either.
struct overflow_counts {
    unsigned oversized, spilled, lost;
};

// Findings and counts, cleared together.
struct key_findings : overflow_counts {
    unsigned part_count;
    unsigned listed;          // long buckets
    unsigned constant_digits; // bit p: all keys have the same digit at position p
    unsigned all_digits;      // digits are counted, and none is constant
    key_survey survey;
    key_verdict verdict;
    alignas(8) unsigned pieces[CDF_PIECES]; // two are added to by one atomic
    unsigned values[VALUE_SLOTS];
    sample_sums leading, by_map; // of samples: by the keys' leading bits, and by the map if there is one
};

template <class K, class Order> struct key_sort {
    cuda_device *gpu;
    Order order;
    const K *in;
    K *out;
    size_t n;
    bucket_levels levels;
    char *cleared = nullptr; // by look(): `states` of passes by digits, then findings and counts
    key_findings *found = nullptr;
    cdf_map<K> *map = nullptr;
    K *slots = nullptr; // of values
    unsigned *counts = nullptr, *upper_counts = nullptr, *listed = nullptr;
    bucket_sample *samples = nullptr, *leading = nullptr; // leading: what the first look samples
    unsigned long long *digit_counts = nullptr;
    bucket_places places = {};
    K *other = nullptr;     // a second array; may be in, if that may be overwritten
    bool has_begun = false; // the first pass by digits is queued, to run if it is wanted

    // The array that keys move to from `from`.
    K *across(const K *from) const
    {
        return from == other ? out : other;
    }
    value_table<K> values() const
    {
        return {slots, found->values};
    }
    // An array that is free until buckets move, in pieces of others_room() keys: the first is for keys with other
    // values than the few.
    K *free_piece(unsigned piece) const
    {
        return (in == out ? other : out) + piece * others_room();
    }
    size_t others_room() const
    {
        return n / OTHERS_SHARE / WARP * WARP;
    }
    bool few() const
    {
        return n < size_t(gpu->processors) * 2 * SCATTER_THREADS * SCATTER_ITEMS<K>;
    }
    // Buckets that the first look samples.
    size_t leading_buckets() const
    {
        return samples_leading_bits(levels.bits) ? levels.count() : 0;
    }
    // Bytes of the tile descriptors of a pass by digits.
    size_t state_bytes() const
    {
        return aligned_state_bytes(pass_state_bytes<K, no_value, pairs_as::COLUMNS>(n));
    }
    // Passes whose descriptors are cleared with the findings: all if those are few bytes, or the pass that is queued
    // early.
    unsigned states() const
    {
        return n > EARLY_PASS_MOST ? 0 : sizeof(K) * state_bytes() <= STATES_CLEARED_EARLY ? sizeof(K) : 1;
    }
    size_t cleared_bytes() const
    {
        size_t uppers = size_t(1) << levels.upper;
        return states() * state_bytes() + sizeof(key_findings) + sizeof(K) * RADIX * sizeof(unsigned long long) +
               (levels.count() + leading_buckets()) * sizeof(bucket_sample) +
               (levels.count() + uppers) * sizeof(unsigned);
    }
    size_t tiles(int items) const
    {
        return (n - 1) / (size_t(SCATTER_THREADS) * items) + 1;
    }
};

template <class K, class Order> bool take_other(workspace &scratch, key_sort<K, Order> *sort)
{
    return sort->other != nullptr || scratch.take(&sort->other, sort->n);
}

template <class K, class Order> bool take_memory(workspace &scratch, key_sort<K, Order> *sort)
{
    size_t buckets = sort->levels.count(), uppers = size_t(1) << sort->levels.upper;
    bucket_places &places = sort->places;
    if (!scratch.take(&sort->cleared, sort->cleared_bytes()) || !scratch.take(&sort->map, 1) ||
        !scratch.take(&sort->slots, VALUE_SLOTS) || !scratch.take(&places.start, buckets + 1) ||
        !scratch.take(&places.lower_cursor, buckets) || !scratch.take(&places.upper_cursor, uppers) ||
        !scratch.take(&sort->listed, buckets))
        return false;
    sort->found = reinterpret_cast<key_findings *>(sort->cleared + sort->states() * sort->state_bytes());
    sort->digit_counts = reinterpret_cast<unsigned long long *>(sort->found + 1);
    sort->samples = reinterpret_cast<bucket_sample *>(sort->digit_counts + sizeof(K) * RADIX);
    sort->leading = sort->samples + buckets;
    static_assert(sizeof(key_findings) % 8 == 0 && sizeof(bucket_sample) % 8 == 0, "add_two() adds to 8 bytes");
    sort->counts = reinterpret_cast<unsigned *>(sort->leading + sort->leading_buckets());
    sort->upper_counts = sort->counts + buckets;
    places.part_count = &sort->found->part_count;
    places.oversized = &sort->found->oversized;
    places.limit = large_tile<K>::LARGEST;
    places.tile = SCATTER_THREADS * (sort->few() ? SCATTER_ITEMS_FEW : SCATTER_ITEMS<K>);
    places.cdf_tile = SCATTER_THREADS * (sort->few() ? SCATTER_ITEMS_FEW : SCATTER_ITEMS_CDF<K>);
    constexpr int LEAST = SCATTER_ITEMS_FEW;
    static_assert(LEAST <= SCATTER_ITEMS_CDF<K> && LEAST <= SCATTER_ITEMS<K>, "there is room for the least tiles");
    return sort->levels.upper == 0 || scratch.take(&places.parts, sort->tiles(LEAST) + uppers);
}

template <class K> constexpr size_t SURVEY_STEP = SURVEY_THREADS * 16 / sizeof(K);

// Queues the first look.
template <class K, class Order> scankit_error look(const key_sort<K, Order> &sort)
{
    cuda_device *gpu = sort.gpu;
    size_t steps = (sort.n - 1) / SURVEY_STEP<K> + 1, blocks = steps + 1; // one looks for few values
    size_t most = 2 * size_t(gpu->processors);                            // so that all run at once
    CHECK(cudaMemsetAsync(sort.cleared, 0, sort.cleared_bytes(), gpu->stream));
    see_order<<<unsigned(blocks < most ? blocks : most), SURVEY_THREADS, 0, gpu->stream>>>(
        sort.in, sort.n, sort.order, &sort.found->survey, sort.values(),
        leading_sample{sort.leading, &sort.found->leading, sort.leading_buckets() > 0 ? sort.levels.bits : 0},
        has_cdf_map(sizeof(K), sort.n));
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Queues the rest of the survey: few values, and if there may be a map, the map and the estimate. Keys with other
// values than the few go to free_piece(0).
template <class K, class Order> scankit_error survey(const key_sort<K, Order> &sort)
{
    cuda_device *gpu = sort.gpu;
    key_survey *survey = &sort.found->survey;
    size_t stride = sort.n / SAMPLE_LEAST < SAMPLE_STRIDE ? sort.n / SAMPLE_LEAST + 1 : SAMPLE_STRIDE;
    size_t processors = size_t(gpu->processors), steps = (sort.n - 1) / SURVEY_STEP<K> + 1,
           samples = (steps - 1) / stride + 1;
    TRY(launch(gpu, count_values<K, Order>, unsigned(VALUE_BLOCKS * processors), VALUE_THREADS, 0, sort.in, sort.n,
               sort.order, survey, sort.values(), other_keys<K>{sort.free_piece(0), unsigned(sort.others_room())}));
    if (!has_cdf_map(sizeof(K), sort.n))
        return SCANKIT_OK;
    TRY(launch(gpu, sample_keys<K, Order>, unsigned(samples < processors ? samples : processors), SURVEY_THREADS, 0,
               sort.in, sort.n, sort.order, stride, sort.levels.bits, sort.found->pieces, survey, sort.map));
    size_t looks = (samples_for(sort.levels.bits) - 1) / SURVEY_THREADS + 1;
    return launch(gpu, estimate_buckets<K, Order>, unsigned(looks < processors ? looks : processors), SURVEY_THREADS, 0,
                  sort.in, sort.n, sort.order, sort.levels.bits, sort.samples, &sort.found->by_map,
                  &sort.found->leading, survey, sort.map);
}

// Queues the counts of buckets, or of digits if the survey says so. unless_even: buckets that the estimate finds even
// are not counted. word: for the verdict; none if its number is 0.
template <class K, class Order>
scankit_error count(const key_sort<K, Order> &sort, bool unless_even, const host_word &word = {})
{
    cuda_device *gpu = sort.gpu;
    const key_survey *survey = &sort.found->survey;
    constexpr size_t EACH = COUNT_THREADS * COUNT_VECTORS * 16 / sizeof(K);
    size_t steps = (sort.n - 1) / EACH + 1, processors = size_t(gpu->processors);
    unsigned blocks = unsigned(steps < processors ? steps : processors), bits = sort.levels.bits;
    unsigned counted = bits < COUNT_BITS ? bits : COUNT_BITS;
    size_t room = counters_room(bits), digits_room = sizeof(digit_counters<K, COUNT_THREADS>);
    room = room > digits_room ? room : digits_room;
    key_counts to = {unless_even,
                     sort.counts,
                     sort.digit_counts,
                     &sort.found->constant_digits,
                     &sort.found->all_digits,
                     &sort.found->survey.counters_done,
                     &sort.found->verdict,
                     word};
    for (unsigned group = 0; group < 1u << (bits - counted); group++)
        TRY(launch(gpu, count_buckets<K, Order>, blocks, COUNT_THREADS, room, sort.in, sort.n, sort.order, sort.levels,
                   group, survey, sort.map, to, sort.places));
    if (are_placed_at_once(sort.levels))
        return SCANKIT_OK;
    constexpr unsigned POSITIONS = sizeof(K); // of digits
    unsigned uppers = 1u << sort.levels.upper;
    return launch(gpu, place_buckets, uppers > POSITIONS ? uppers : POSITIONS, PLACE_THREADS, 0, to, POSITIONS,
                  sort.levels, survey, sort.places);
}

template <int ITEMS, bool NEAR, class Projection, class K, class Order>
scankit_error scatter_once(const key_sort<K, Order> &sort, size_t tiles, const K *in, auto order,
                           const scatter_pass<K> &pass)
{
    return launch(sort.gpu, scatter_keys<ITEMS, NEAR, Projection, K, decltype(order)>, unsigned(tiles), SCATTER_THREADS,
                  sizeof(typename scatter_tile<K, ITEMS>::shared_memory), in, order, sort.map, pass);
}

// What each pass splits by: all bits of the bucket in one pass, or the first of them and then the rest, bucket by
// bucket. Arrays and cursors are set by the callers.
template <class Projection, class K, class Order> struct scatter_passes {
    scatter_pass<K> first = {}, second = {};
    explicit scatter_passes(const key_sort<K, Order> &sort)
    {
        const bucket_levels &levels = sort.levels;
        unsigned upper = levels.upper > 0 ? levels.upper : levels.bits;
        first.n = second.n = sort.n;
        first.shift = Projection::BITS - upper;
        first.bins = 1u << upper;
        second.shift = Projection::BITS - levels.bits;
        second.bins = 1u << levels.lower();
        second.lower_bits = levels.lower();
    }
};

// Scatters all keys to their counted buckets. *at: the array that they are in afterwards.
template <int ITEMS, bool NEAR, class Projection, class K, class Order>
scankit_error scatter_counted(const key_sort<K, Order> &sort, K **at)
{
    const bucket_levels &levels = sort.levels;
    const bucket_places &places = sort.places;
    scatter_passes<Projection, K, Order> passes(sort);
    size_t tiles = sort.tiles(ITEMS);
    K *between = sort.across(sort.in);
    *at = between;
    passes.first.to.first = between;
    passes.first.cursor = levels.upper == 0 ? places.lower_cursor : places.upper_cursor;
    TRY((scatter_once<ITEMS, NEAR, Projection>(sort, tiles, sort.in, sort.order, passes.first)));
    if (levels.upper == 0)
        return SCANKIT_OK;
    *at = sort.across(between);
    passes.second.parts = places.parts;
    passes.second.part_count = places.part_count;
    passes.second.start = places.start;
    passes.second.to.first = *at;
    passes.second.cursor = places.lower_cursor;
    return scatter_once<ITEMS, NEAR, Projection>(sort, tiles + (size_t(1) << levels.upper), between,
                                                 integer_order<K>{0}, passes.second);
}

// Buckets to sort on chip. Longer ones are listed and sorted after the others.
struct bucket_list {
    size_t count;
    bucket_bounds bounds;
    unsigned *listed, *list;
};

template <class K, class Order>
scankit_error sort_listed(const key_sort<K, Order> &sort, const K *from, const bucket_list &list)
{
    return launch(sort.gpu, sort_long_buckets<K, Order>, LONG_BLOCKS<K> * sort.gpu->processors, LONG_THREADS,
                  sizeof(bucket_memory<long_tile<K>>), from, sort.out, list.bounds, sort.order, list.listed, list.list);
}

template <bool FIND, class K, class Order>
scankit_error sort_on_chip(const key_sort<K, Order> &sort, const K *from, unsigned rest, const bucket_list &list)
{
    cuda_device *gpu = sort.gpu;
    if (list.count == 0)
        return SCANKIT_OK;
    TRY(launch(gpu, sort_buckets<FIND, K, Order>, unsigned(list.count), bucket_tile<K>::THREADS,
               sizeof(bucket_memory<bucket_tile<K>>), from, sort.out, list.bounds, sort.order, rest, list.listed,
               list.list));
    return sort_listed(sort, from, list);
}

// ---- rounds, for buckets that are too large ----

// The greatest numbers of what n keys can be divided into.
template <class K> struct most_large {
    size_t large, tiles, small, parts;
    explicit most_large(size_t n)
        : large(n / large_tile<K>::LARGEST + 1), tiles(n / large_tile<K>::SIZE + large),
          small(2 * (n / bucket_tile<K>::SIZE) + 2 * large), parts(n / BUCKET_MEAN + large)
    {
    }
};

template <class K> bool take_lists(workspace &scratch, const most_large<K> &most, round_lists<K> *lists)
{
    return scratch.take(&lists->large, most.large) && scratch.take(&lists->tiles, most.tiles) &&
           scratch.take(&lists->begin, most.small) && scratch.take(&lists->end, most.small) &&
           scratch.take(&lists->equal, most.tiles) && scratch.take(&lists->counts, 1);
}

template <class K> bool take_parts(workspace &scratch, const most_large<K> &most, round_parts<K> *parts)
{
    return scratch.take(&parts->splitter, most.parts) && scratch.take(&parts->buckets, most.large) &&
           scratch.take(&parts->count, most.parts);
}

// One round, from one array to the other. *seen: counts of `lists` before, of `next` after.
template <class K, class Order>
scankit_error run_round(const key_sort<K, Order> &sort, const K *from, K *to, const round_lists<K> &lists,
                        const round_parts<K> &parts, const round_lists<K> &next, round_counts *seen)
{
    cuda_device *gpu = sort.gpu;
    CHECK(cudaMemsetAsync(parts.count, 0, seen->parts * sizeof *parts.count, gpu->stream));
    CHECK(cudaMemsetAsync(next.counts, 0, sizeof *next.counts, gpu->stream));
    constexpr int SAMPLE_BYTES = sizeof(splitter_sample<K>), BYTES = sizeof(typename large_tile<K>::shared_memory);
    CHECK(cudaFuncSetAttribute(split_large<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, SAMPLE_BYTES));
    split_large<<<seen->large, SPLITTER_THREADS, SAMPLE_BYTES, gpu->stream>>>(from, lists, parts);
    CHECK_LAUNCH();
    count_large<<<seen->tiles, SCATTER_THREADS, 0, gpu->stream>>>(from, lists, parts);
    CHECK_LAUNCH();
    place_large<<<seen->large, BUCKETS, 0, gpu->stream>>>(lists, parts, next);
    CHECK_LAUNCH();
    scatter_pass<K> pass = {};
    pass.bins = BUCKETS;
    pass.to.first = to;
    pass.cursor = parts.count;
    CHECK(cudaFuncSetAttribute(scatter_large<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    scatter_large<<<seen->tiles, SCATTER_THREADS, BYTES, gpu->stream>>>(from, lists, parts, pass);
    CHECK_LAUNCH();
    TRY(cuda_fetch(gpu, seen, next.counts, sizeof *seen));
    if (seen->equal == 0)
        return SCANKIT_OK;
    write_equal<<<seen->equal, SCATTER_THREADS, 0, gpu->stream>>>(sort.out, sort.order, next.equal);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Sorts the buckets of `at` that are too large: those with heavy hitters at once, the others in rounds. Each round
// leaves fewer keys, as a sampled key is a splitter.
template <class K, class Order> scankit_error sort_large(const key_sort<K, Order> &sort, workspace &scratch, K *at)
{
    cuda_device *gpu = sort.gpu;
    const most_large<K> most(sort.n);
    round_lists<K> lists, next;
    round_parts<K> parts;
    round_counts seen;
    unsigned *listed;
    size_t buckets = sort.levels.count();
    if (!take_lists(scratch, most, &lists) || !take_lists(scratch, most, &next) || !take_parts(scratch, most, &parts) ||
        !scratch.take(&listed, most.small))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(lists.counts, 0, sizeof *lists.counts, gpu->stream));
    CHECK(cudaMemsetAsync(next.counts, 0, sizeof *next.counts, gpu->stream));
    list_too_large<<<unsigned((buckets - 1) / MAP_THREADS + 1), MAP_THREADS, 0, gpu->stream>>>(sort.places.start,
                                                                                               buckets, lists);
    CHECK_LAUNCH();
    constexpr int BYTES = sizeof(heavy_hitter_memory<K>);
    CHECK(cudaFuncSetAttribute(sort_heavy_hitters<K, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    sort_heavy_hitters<<<2 * gpu->processors, SORT_THREADS, BYTES, gpu->stream>>>(at, sort.out, sort.order, lists,
                                                                                  next);
    CHECK_LAUNCH();
    TRY(cuda_fetch(gpu, &seen, next.counts, sizeof seen));
    std::swap(lists, next);
    while (seen.large > 0) {
        K *to = sort.across(at);
        TRY(run_round(sort, at, to, lists, parts, next, &seen));
        TRY(sort_on_chip<true>(sort, to, 0,
                               {seen.small, {next.begin, next.end, 0, nullptr}, &next.counts->listed, listed}));
        std::swap(lists, next);
        at = to;
    }
    return SCANKIT_OK;
}

// Calls go(items per thread, whether neighbours often have the same bin). Few keys are not worth another kernel.
template <class Projection, int ITEMS, class K, class Order, class Go>
scankit_error choose_scatter(const key_sort<K, Order> &sort, bool are_near, Go go)
{
    if (sort.few())
        return go(std::integral_constant<int, SCATTER_ITEMS_FEW>{}, std::false_type{});
    if (are_near)
        return go(std::integral_constant<int, ITEMS>{}, std::true_type{});
    return go(std::integral_constant<int, ITEMS>{}, std::false_type{});
}

template <class Projection, int ITEMS, class K, class Order>
scankit_error sort_by(const key_sort<K, Order> &sort, workspace &scratch, const key_verdict &found)
{
    K *at;
    const unsigned *start = sort.places.start;
    bucket_list all = {sort.levels.count(), {start, start + 1, 0, nullptr}, &sort.found->listed, sort.listed};
    TRY((choose_scatter<Projection, ITEMS>(sort, found.are_near, [&](auto items, auto near) {
        return scatter_counted<items.value, near.value, Projection>(sort, &at);
    })));
    TRY(sort_on_chip<Projection::IS_COSTLY>(sort, at, Projection::BITS - sort.levels.bits, all));
    return found.keys > 0 ? sort_large(sort, scratch, at) : SCANKIT_OK;
}

#endif
