// segment_bins.cuh - sorts a segment by bins in shared memory, by all threads of a block. Bins hold an element or two
// each, if keys are spread; then each element's place in its bin is found by comparing, as in bucket_sort.cuh.
#ifndef SK_CUDA_SEGMENT_BINS_CUH
#define SK_CUDA_SEGMENT_BINS_CUH

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

    __device__ __forceinline__ void load(const K *keys, unsigned elements)
    {
        length = elements;
#pragma unroll
        for (int e = 0; e < EACH; e++)
            key[e] = place(e) < length ? keys[place(e)] : K(0);
    }

    // Whether the bins are crowded, by the first elements, one of each thread: of the pairs of lanes of a warp, the
    // share that has one bin is that of an element's mates among all. There is a barrier in it.
    __device__ __forceinline__ bool are_crowded(const segment_bin<K> &bin_of) const
    {
        constexpr unsigned PAIRS = WARP * (WARP - 1) / 2;
        unsigned bin = place(0) < length ? bin_of(key[0]) : ~lane_id(), sampled = min(length, OWN_THREADS);
        unsigned same = __match_any_sync(FULL_WARP, bin);
        unsigned mates = unsigned(__syncthreads_count((same & lanes_below()) != 0));
        return mates * length > CROWD * PAIRS * ((sampled - 1) / WARP + 1);
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

// After count(): moves the elements to their bins, finds their places there, and stores them. columns: of the segment.
template <int EACH, class K, class V>
__device__ __forceinline__ void store_by_bins(own_memory<K, V> &shared, const segment_items<EACH, K> &items,
                                              const segment_columns<K, V> &columns, const segment_bin<K> &bin_of)
{
    auto &counters = shared.template bins<EACH>();
    auto *words = reinterpret_cast<uint32_t *>(counters.ends);
    items.for_each([&](int e) {
        unsigned at = take_place(words, bin_of(items.key[e]));
        shared.key[at] = items.key[e];
        if constexpr (HAS_VALUE<V>)
            shared.from[at] = uint16_t(items.place(e));
    });
    __syncthreads();
    [[maybe_unused]] V value[EACH];
    if constexpr (HAS_VALUE<V>)
        items.for_each([&](int e) { value[e] = columns.values_in[shared.from[items.place(e)]]; });
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < items.length; at += OWN_THREADS) {
        K own = shared.key[at];
        bin_range bin(counters.ends, bin_of(own));
        unsigned place;
        if constexpr (HAS_VALUE<V>) {
            place = place_of_pair(shared.key, shared.from, at, bin.begin, bin.end, K(~K(0)));
            shared.to[at] = uint16_t(place);
        } else {
            place = place_in_bin(shared.key, at, bin.begin, bin.end);
        }
        columns.keys_out[place] = own;
    }
    if constexpr (HAS_VALUE<V>) {
        __syncthreads(); // the output may be the input
        items.for_each([&](int e) { columns.values_out[shared.to[items.place(e)]] = value[e]; });
    }
}

// Returns false, and leaves the output as it was, if keys crowd bins of both kinds. columns: of the segment.
template <int EACH, class K, class V>
__device__ __forceinline__ bool sort_by_bins(own_memory<K, V> &shared, const segment_columns<K, V> &columns,
                                             unsigned length)
{
    using tile = own_tile<K, EACH>;
    auto &counters = shared.template bins<EACH>();
    segment_items<EACH, K> items;
    items.load(columns.keys_in, length);
    for (unsigned i = threadIdx.x; i < tile::BINS / 8; i += OWN_THREADS)
        counters.ends[i] = {0, 0, 0, 0};
    key_extremes<K> ends = find_extremes<tile>(counters, items.key, [&](int e) { return items.place(e) < length; });
    segment_bin<K> bin_of = {even_bins<K>(ends.least, ends.greatest), false};
    bin_of.is_logarithmic = items.are_crowded(bin_of);
    if ((bin_of.is_logarithmic && items.are_crowded(bin_of)) || items.count(shared, bin_of) > SEGMENT_BIN_MOST)
        return false;
    store_by_bins(shared, items, columns, bin_of);
    return true;
}

#endif
