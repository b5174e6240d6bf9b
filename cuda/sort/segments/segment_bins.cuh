// segment_bins.cuh - sorts a segment by bins in shared memory, by all threads of a block. Bins hold an element or two
// each, if keys are spread; then each element's place in its bin is found by comparing, as in bucket_sort.cuh.
#ifndef SK_CUDA_SEGMENT_BINS_CUH
#define SK_CUDA_SEGMENT_BINS_CUH

#include "sort/network/placed_key.cuh"
#include "sort/segments/own_memory.cuh"

// Most elements of a bin. With more, digits take less time than comparing; or if an element has more than CROWD others
// in its bin on average.
constexpr unsigned SEGMENT_BIN_MOST = 128, CROWD = 16;

// Equal parts of the span from the least key to the greatest; or, for keys whose logarithms are spread, parts of each
// power of two of the distance from the least key.
template <class K> struct segment_bin {
    static constexpr unsigned PART_BITS = sizeof(K) == 8 ? 6 : 7; // bins of a power of two
    static_assert((8 * sizeof(K) - PART_BITS + 1) << PART_BITS <= 1 << BUCKET_FINE_BITS, "each distance has a bin");
    even_bins<K> even;
    bool is_logarithmic;

    __device__ __forceinline__ unsigned operator()(K own) const
    {
        if (!is_logarithmic)
            return even(own);
        K distance = own - even.low;
        unsigned shift = max(bits_of(distance), PART_BITS + 1) - (PART_BITS + 1);
        return (shift << PART_BITS) + unsigned(distance >> shift);
    }
};

// The elements of a thread: EACH at most.
template <int EACH, class K> struct segment_items {
    using tile = own_tile<K, EACH>;
    K key[EACH];
    K sample; // one of the segment's keys
    unsigned length;

    static __device__ __forceinline__ unsigned place(int e)
    {
        return unsigned(e) * OWN_THREADS + threadIdx.x;
    }
    // act(e) for the elements that are there.
    template <class Do> __device__ __forceinline__ void for_each(Do act) const
    {
#pragma unroll
        for (int e = 0; e < EACH; e++)
            if (place(e) < length)
                act(e);
    }

    __device__ __forceinline__ void load(const K *keys, unsigned elements, const segment_order<K> &order)
    {
        length = elements;
#pragma unroll
        for (int e = 0; e < EACH; e++)
            key[e] = place(e) < length ? keys[place(e)] : K(0);
        // Keys near each other may be in order, so lanes take keys far apart.
        sample = keys[(lane_id() * (OWN_THREADS / WARP) + threadIdx.x / WARP) * length / OWN_THREADS];
        order.encode(key);
        sample = order.key(sample);
    }

    // Whether the bins are crowded, by the sample: of the pairs of lanes of a warp, the share that has one bin is that
    // of an element's mates among all. EQUALS_COUNT: equal keys are mates too. There is a barrier in it.
    template <bool EQUALS_COUNT> __device__ __forceinline__ bool are_crowded(const segment_bin<K> &bin_of) const
    {
        constexpr unsigned PAIRS = WARP * (WARP - 1) / 2 * (OWN_THREADS / WARP);
        unsigned same = __match_any_sync(FULL_WARP, bin_of(sample)) & lanes_below();
        if (!EQUALS_COUNT && __any_sync(FULL_WARP, same != 0))
            same &= ~__match_any_sync(FULL_WARP, sample);
        unsigned mates = unsigned(__syncthreads_count(same != 0));
        return mates * length > CROWD * PAIRS;
    }

    // Counts the elements of each bin, and turns the counters into places. Returns the size of the largest bin. The
    // counters are clear.
    template <class Memory>
    __device__ __forceinline__ unsigned count(Memory &shared, const segment_bin<K> &bin_of) const
    {
        auto &counters = shared.template bins<EACH>();
        auto *words = reinterpret_cast<uint32_t *>(counters.ends);
        for_each([&](int e) { count_one(words, bin_of(key[e])); });
        __syncthreads();
        return scan_bins<tile>(counters);
    }
};

// After count(): moves the elements to their bins. Behind the last one stand greatest keys, which come before none.
// Ends with a barrier.
template <int EACH, class K, class V, int MOST_EACH>
__device__ __forceinline__ void move_to_bins(own_memory<K, V, MOST_EACH> &shared, const segment_items<EACH, K> &items,
                                             const segment_bin<K> &bin_of)
{
    auto *words = reinterpret_cast<uint32_t *>(shared.template bins<EACH>().ends);
    if (threadIdx.x < LOOK) {
        shared.key[items.length + threadIdx.x] = K(~K(0));
        if constexpr (HAS_VALUE<V>)
            shared.from[items.length + threadIdx.x] = 0xffff;
    }
    items.for_each([&](int e) {
        unsigned at = take_place(words, bin_of(items.key[e]));
        shared.key[at] = items.key[e];
        if constexpr (HAS_VALUE<V>)
            shared.from[at] = uint16_t(items.place(e));
    });
    __syncthreads();
}

// Keys are in their bins. Marks the bins that have different keys. Returns whether these have few keys: at most `most`.
// Ends with a barrier.
template <int EACH, class K, class V, int MOST_EACH>
__device__ __forceinline__ bool mark_mixed(own_memory<K, V, MOST_EACH> &shared, unsigned length,
                                           const segment_bin<K> &bin_of, unsigned most)
{
    auto *ends = shared.template bins<EACH>().ends;
    bool are_few = true;
#pragma unroll 1
    for (unsigned at = threadIdx.x; at < length; at += OWN_THREADS) {
        K own = shared.key[at];
        unsigned number = bin_of(own);
        bin_range bin(ends, number);
        if (at + 1 >= bin.end || shared.key[at + 1] == own)
            continue;
        are_few = are_few && bin.size() <= most;
        if (!bin.is_crowded)
            atomicOr(reinterpret_cast<uint32_t *>(ends) + number / 2, CROWDED_BIN << number % 2 * 16);
    }
    return __syncthreads_and(are_few);
}

// The place of an element in its bin [place, end): `place` and the elements there that come before it:
// comes_before(key, place). What stands behind the bin does not, so a look past its end needs no test as in
// place_in_bin(). The loop takes most of the time, and its instructions bind it.
template <class K, class Before>
__device__ __forceinline__ unsigned place_among_bins(const K *keys, unsigned place, unsigned end, Before comes_before)
{
#pragma unroll 1
    for (unsigned other = place; other < end; other += LOOK) {
        K found[LOOK];
#pragma unroll
        for (unsigned k = 0; k < LOOK; k++)
            found[k] = keys[other + k];
#pragma unroll
        for (unsigned k = 0; k < LOOK; k++)
            place += comes_before(found[k], other + k);
    }
    return place;
}

// Pairs are ordered by key, and by where they were in the segment.
template <class K, class V, int MOST_EACH>
__device__ __forceinline__ unsigned place_of_own_pair(const own_memory<K, V, MOST_EACH> &shared, unsigned at,
                                                      const bin_range &bin)
{
    const K own = shared.key[at];
    const unsigned own_from = shared.from[at];
    return place_among_bins(shared.key, bin.begin, bin.end, [&](K found, unsigned other) {
        bool before = found < own;
        if (found == own)
            before = shared.from[other] < own_from;
        return before;
    });
}

// Keys alone by key, and by where they are in the bins: as one number.
template <class K, class V, int MOST_EACH>
__device__ __forceinline__ unsigned place_of_own_key(const own_memory<K, V, MOST_EACH> &shared, unsigned at,
                                                     const bin_range &bin)
{
    using with = placing<K>;
    const auto own = with::make(shared.key[at], at);
    return place_among_bins(shared.key, bin.begin, bin.end,
                            [&](K found, unsigned other) { return with::make(found, other) < own; });
}

// Elements are in their bins. Finds their places there, and stores them. are_marked: the bins that have different keys.
// columns: of the segment.
template <int EACH, class K, class V, int MOST_EACH>
__device__ __forceinline__ void store_by_bins(own_memory<K, V, MOST_EACH> &shared, const segment_items<EACH, K> &items,
                                              const segment_columns<K, V> &columns, const segment_bin<K> &bin_of,
                                              bool are_marked)
{
    auto &counters = shared.template bins<EACH>();
    [[maybe_unused]] V value[EACH];
    if constexpr (HAS_VALUE<V>)
        items.for_each([&](int e) { value[e] = columns.values_in[shared.from[items.place(e)]]; });
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < items.length; at += OWN_THREADS) {
        K own = shared.key[at];
        bin_range bin(counters.ends, bin_of(own));
        unsigned place;
        if constexpr (HAS_VALUE<V>) {
            place = place_of_own_pair(shared, at, bin);
            shared.to[at] = uint16_t(place);
        } else {
            bool are_equal = are_marked && !bin.is_crowded;
            place = are_equal ? at : place_of_own_key(shared, at, bin);
        }
        columns.keys_out[place] = columns.order.are_words ? own : columns.order.value(own);
    }
    if constexpr (HAS_VALUE<V>) {
        __syncthreads(); // the output may be the input
        items.for_each([&](int e) { columns.values_out[shared.to[items.place(e)]] = value[e]; });
    }
}

// Returns false, and leaves the output as it was, if keys crowd bins of both kinds. Keys that are equal do so only
// where they have values, whose order is kept. columns: of the segment.
template <int EACH, class K, class V, int MOST_EACH>
__device__ __forceinline__ bool sort_by_bins(own_memory<K, V, MOST_EACH> &shared, const segment_columns<K, V> &columns,
                                             unsigned length)
{
    using tile = own_tile<K, EACH>;
    constexpr bool IS_STABLE = HAS_VALUE<V>;
    auto &counters = shared.template bins<EACH>();
    segment_items<EACH, K> items;
    items.load(columns.keys_in, length, columns.order);
    for (unsigned i = threadIdx.x; i < tile::BINS / 8; i += OWN_THREADS)
        counters.ends[i] = {0, 0, 0, 0};
    key_extremes<K> ends = find_extremes<tile>(counters, items.key, [&](int e) { return items.place(e) < length; });
    segment_bin<K> bin_of = {even_bins<K>(ends.least, ends.greatest), false};
    bin_of.is_logarithmic = items.template are_crowded<IS_STABLE>(bin_of);
    if (bin_of.is_logarithmic && items.template are_crowded<IS_STABLE>(bin_of))
        return false;
    bool has_large = items.count(shared, bin_of) > SEGMENT_BIN_MOST;
    if (IS_STABLE && has_large)
        return false;
    move_to_bins(shared, items, bin_of);
    if (has_large && !mark_mixed<EACH>(shared, length, bin_of, SEGMENT_BIN_MOST))
        return false;
    store_by_bins(shared, items, columns, bin_of, has_large);
    return true;
}

#endif
