// slices.cuh - sorts few elements in segments of any length by one launch, without their lengths on the host. The array
// is cut into slices of equal length. One block sorts all short segments that begin in a slice, as one array, with the
// segment's number before the key. Slices that begin within a long segment share it out: one block for each sorts a
// range of its keys, whose ends are found in a sample (sample sort, Frazer and McKellar 1970).
#ifndef SK_CUDA_SLICES_CUH
#define SK_CUDA_SLICES_CUH

#include "common/aggregate.cuh"
#include "sort/segments/block_segments.cuh"
#include "sort/segments/segment_groups.cuh"
#include "sort/survey/jitter.cuh"

// Elements of a slice, and of a thread that sorts: an odd number, which avoids bank conflicts.
constexpr unsigned SLICE_THREADS = 256, SLICE = 384, SLICE_EACH = 5, SLICE_ROOM = SLICE_THREADS * SLICE_EACH;

// Blocks that a multiprocessor is to hold at a time.
constexpr unsigned SLICES_RESIDENT = 3;

// A longer segment is a long one. At least two slices begin within it, so it is the last one that begins in its slice.
constexpr unsigned SHORT_MOST = 2 * SLICE;
static_assert(SLICE + SHORT_MOST <= SLICE_ROOM, "a block has room for the short segments that begin in a slice");

// Elements that slices are for. A long segment is read once for each of its slices.
constexpr unsigned PLACE_BITS = 17;
constexpr size_t SLICED_MOST = size_t(1) << PLACE_BITS, SLICED_SEGMENTS_MOST = SLICED_MOST;

// Most samples of a range. With eight, chance makes few ranges large. There are fewer if a block has no room for all.
constexpr unsigned RANGE_SAMPLES = 8;
static_assert(SLICED_MOST / SLICE <= SLICE_ROOM / 3, "there are three samples of a range at least");

// An element in shared memory, a number: the segment's number, the key, and the element's place. No two are equal.
template <class K> struct sliced {
    using type = std::conditional_t<sizeof(K) == 8, unsigned __int128, uint64_t>;
    static constexpr unsigned KEY_BITS = 8 * (sizeof(K) == 8 ? 8 : 4);
    static constexpr type LAST = ~type(0); // behind all elements

    static __device__ __forceinline__ type make(unsigned segment, K key, unsigned place)
    {
        return type(segment) << (KEY_BITS + PLACE_BITS) | type(key) << PLACE_BITS | place;
    }
    static __device__ __forceinline__ K key(type element)
    {
        return K(element >> PLACE_BITS);
    }
    static __device__ __forceinline__ unsigned place(type element)
    {
        return unsigned(element) & ((1u << PLACE_BITS) - 1);
    }
};
template <class K> using sliced_element = typename sliced<K>::type;

template <class K> struct slice_memory {
    sliced_element<K> element[SLICE_ROOM + 1]; // a merge may look at one more than there is room for
    unsigned taken, below;                     // elements of a range, and before it
    // Which elements of a slice's short segments begin one, a bit each, and how many begin before each WARP of them.
    unsigned heads[SLICE_ROOM / WARP], heads_before[SLICE_ROOM / WARP];
};

// How many segments begin before each of two places. Each step divides by the threads of the block.
__device__ __forceinline__ void count_segments_before(const uint64_t *offsets, unsigned segments,
                                                      const uint64_t (&place)[2], unsigned (&before)[2])
{
    unsigned step = 1;
    while (step * SLICE_THREADS < segments)
        step *= SLICE_THREADS;
    before[0] = before[1] = 0;
    for (; step > 0; step /= SLICE_THREADS) {
        bool is_before[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            unsigned at = before[i] + (threadIdx.x + 1) * step - 1;
            is_before[i] = at < segments && offsets[at] < place[i];
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
            before[i] += step * unsigned(__syncthreads_count(is_before[i]));
    }
}

// Sorts the first `size` elements of shared memory. Not inlined: code that runs once is bound by its fetch, so it must
// be short. A barrier comes before, and one is the end.
template <class E> __device__ __noinline__ void sort_shared(E *shared, unsigned size)
{
    __builtin_assume(__isShared(shared));
    whole_block<SLICE_THREADS> group;
    unsigned threads = (size + SLICE_EACH - 1) / SLICE_EACH;
    E mine[SLICE_EACH];
#pragma unroll
    for (unsigned e = 0; e < SLICE_EACH; e++) {
        unsigned i = e * threads + threadIdx.x;
        mine[e] = threadIdx.x < threads && i < size ? shared[i] : ~E(0);
    }
    group.sync();
    group_sort<sizeof(E) <= 8>(shared, group, threads, mine);
}

// Writes the elements from shared memory. Their places count from `first`.
template <class K, class V>
__device__ __forceinline__ void write_sorted(const slice_memory<K> &shared, const segment_columns<K, V> &columns,
                                             uint64_t first, uint64_t to, unsigned size)
{
    columns.order.with([&](auto order) {
#pragma unroll
        for (unsigned e = 0; e < SLICE_EACH; e++) {
            unsigned i = e * SLICE_THREADS + threadIdx.x;
            if (i >= size)
                break;
            sliced_element<K> own = shared.element[i];
            columns.keys_out[to + i] = order.value(sliced<K>::key(own));
            if constexpr (HAS_VALUE<V>)
                columns.values_out[to + i] = columns.values_in[first + sliced<K>::place(own)];
        }
    });
}

// ---- a range of a long segment ----

template <class K> struct long_segment {
    const K *keys;
    unsigned length;
    const segment_order<K> &order;
};

// Elements of a segment from `low` on and before `high`.
template <class K> struct element_range {
    sliced_element<K> low, high;
};

// The samples of ranks `low` and `high`. Many samples are sorted. If there are few, each thread compares one with all.
template <class K>
__device__ __forceinline__ element_range<K> select_samples(slice_memory<K> &shared, unsigned samples, unsigned low,
                                                           unsigned high)
{
    if (samples > SLICE_THREADS) {
        sort_shared(shared.element, samples);
        return {shared.element[low], shared.element[high]};
    }
    sliced_element<K> own = shared.element[threadIdx.x];
    unsigned rank = 0;
    for (unsigned i = 0; i < samples; i++)
        rank += is_less(shared.element[i], own);
    if (threadIdx.x < samples && (rank == low || rank == high))
        shared.element[SLICE_THREADS + (rank == high)] = own;
    __syncthreads();
    return {shared.element[SLICE_THREADS], shared.element[SLICE_THREADS + 1]};
}

// The range of one share of a segment, which `shares` slices share. Elements with the same key have different places.
// So a frequent key is divided among ranges.
template <class K>
__device__ __forceinline__ element_range<K> range_of_slice(slice_memory<K> &shared, const long_segment<K> &segment,
                                                           unsigned share, unsigned shares)
{
    const unsigned each = min(RANGE_SAMPLES, SLICE_ROOM / shares), samples = each * shares;
    segment.order.with([&](auto order) {
        for (unsigned i = threadIdx.x; i < samples; i += SLICE_THREADS) {
            unsigned place = sampled_place(i, segment.length, samples);
            shared.element[i] = sliced<K>::make(0, order.key(segment.keys[place]), place);
        }
    });
    __syncthreads();
    bool is_first = share == 0, is_last = share + 1 == shares;
    element_range<K> range =
        select_samples(shared, samples, is_first ? 0 : share * each, is_last ? 0 : (share + 1) * each);
    __syncthreads();
    return {is_first ? 0 : range.low, is_last ? sliced<K>::LAST : range.high};
}

// A thread's keys of one step of the block over a segment: as many as registers have room for twice.
template <class K> constexpr unsigned BATCH = sizeof(K) == 8 ? 4 : 8;
template <class K> using key_batch = K[BATCH<K>];

template <class K>
__device__ __forceinline__ void load_keys(const long_segment<K> &segment, unsigned first, key_batch<K> &key)
{
#pragma unroll
    for (unsigned e = 0; e < BATCH<K>; e++) {
        unsigned i = first + e * SLICE_THREADS + threadIdx.x;
        key[e] = i < segment.length ? segment.keys[i] : K(0);
    }
}

// Brings the elements of the range to shared memory, as far as there is room; counts them, and those before it. The
// first batch is in `next`; each further one is loaded before the last one is used.
template <class K>
__device__ __forceinline__ void take_elements(slice_memory<K> &shared, const long_segment<K> &segment,
                                              const element_range<K> &range, key_batch<K> &next)
{
    unsigned below = 0;
    if (threadIdx.x == 0)
        shared.taken = shared.below = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned first = 0; first < segment.length; first += BATCH<K> * SLICE_THREADS) {
        key_batch<K> key;
        unsigned is_in = 0;
#pragma unroll
        for (unsigned e = 0; e < BATCH<K>; e++)
            key[e] = next[e];
        segment.order.encode(key);
        load_keys(segment, first + BATCH<K> * SLICE_THREADS, next);
#pragma unroll
        for (unsigned e = 0; e < BATCH<K>; e++) {
            unsigned i = first + e * SLICE_THREADS + threadIdx.x;
            auto own = sliced<K>::make(0, key[e], i);
            bool is_below = is_less(own, range.low), is_there = i < segment.length;
            below += is_there && is_below;
            is_in |= unsigned(is_there && !is_below && is_less(own, range.high)) << e;
        }
        unsigned place = warp_take_places(&shared.taken, unsigned(__popc(is_in)));
#pragma unroll
        for (unsigned e = 0; e < BATCH<K>; e++) {
            if ((is_in >> e & 1) == 0)
                continue;
            if (place < SLICE_ROOM)
                shared.element[place] = sliced<K>::make(0, key[e], first + e * SLICE_THREADS + threadIdx.x);
            place++;
        }
    }
    below = warp_sum(below);
    if (lane_id() == 0)
        atomicAdd(&shared.below, below);
    __syncthreads();
}

// Sorts a share of the segment [begin, end), in several turns if the block has no room for all of it.
template <class K, class V>
__device__ __forceinline__ void sort_range(slice_memory<K> &shared, const segment_columns<K, V> &columns,
                                           uint64_t begin, uint64_t end, unsigned share, unsigned shares)
{
    const long_segment<K> segment = {columns.keys_in + begin, unsigned(end - begin), columns.order};
    key_batch<K> first;
    load_keys(segment, 0, first); // they come while the range is found
    element_range<K> rest = range_of_slice(shared, segment, share, shares);
    while (rest.low < rest.high) {
        element_range<K> turn = rest;
        take_elements(shared, segment, turn, first);
        while (shared.taken > SLICE_ROOM) {
            turn.high = turn.low + (turn.high - turn.low) / 2;
            load_keys(segment, 0, first);
            __syncthreads();
            take_elements(shared, segment, turn, first);
        }
        sort_shared(shared.element, shared.taken);
        write_sorted(shared, columns, begin, begin + shared.below, shared.taken);
        __syncthreads();
        rest.low = turn.high;
        if (rest.low < rest.high)
            load_keys(segment, 0, first);
    }
}

// Each block sorts a share of one of few listed segments. Shares have SLICE elements on average. The output is not the
// input.
template <class K, class V>
__global__ void __launch_bounds__(SLICE_THREADS, SLICES_RESIDENT)
    sort_shares(segment_columns<K, V> columns, segment_list list)
{
    __shared__ slice_memory<K> shared;
    unsigned number = blockIdx.x;
    wait_for_launches();
    for (unsigned i = 0; i < list.count; i++) {
        const uint64_t *at = columns.offsets + list.segment[i], begin = at[0], end = at[1];
        const auto shares = unsigned((end - begin) / SLICE);
        if (number < shares)
            return sort_range(shared, columns, begin, end, number, shares);
        number -= shares;
    }
}

// ---- the short segments of a slice ----

// Marks where segments [first, end) begin, from a place on, and counts them.
template <class K>
__device__ __forceinline__ void mark_heads(slice_memory<K> &shared, const uint64_t *offsets, unsigned first,
                                           unsigned end, uint64_t from)
{
    constexpr unsigned WORDS = SLICE_ROOM / WARP;
    static_assert(WORDS <= 2 * WARP, "a warp counts two words a lane");
    if (threadIdx.x < WORDS)
        shared.heads[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned s = first + threadIdx.x; s < end; s += SLICE_THREADS) {
        auto at = unsigned(offsets[s] - from);
        atomicOr(&shared.heads[at / WARP], 1u << at % WARP);
    }
    __syncthreads();
    if (threadIdx.x < WARP) {
        unsigned at = 2 * threadIdx.x, low = at < WORDS ? unsigned(__popc(shared.heads[at])) : 0;
        unsigned both = low + (at < WORDS ? unsigned(__popc(shared.heads[at + 1])) : 0);
        unsigned before = warp_scan<op_sum<sk_u32>>(both) - both;
        if (at < WORDS) {
            shared.heads_before[at] = before;
            shared.heads_before[at + 1] = before + low;
        }
    }
    __syncthreads();
}

// Sorts segments [first, end), which are short and follow one another.
template <class K, class V>
__device__ __forceinline__ void sort_short_ones(slice_memory<K> &shared, const segment_columns<K, V> &columns,
                                                unsigned first, unsigned end)
{
    const uint64_t begin = columns.offsets[first];
    const auto size = unsigned(columns.offsets[end] - begin);
    if (size == 0)
        return;
    mark_heads(shared, columns.offsets, first, end, begin);
    columns.order.with([&](auto order) {
        for (unsigned i = threadIdx.x; i < size; i += SLICE_THREADS) {
            unsigned to_own = shared.heads[i / WARP] & (FULL_WARP >> (WARP - 1 - i % WARP));
            unsigned number = shared.heads_before[i / WARP] + unsigned(__popc(to_own));
            shared.element[i] = sliced<K>::make(number, order.key(columns.keys_in[begin + i]), i);
        }
    });
    __syncthreads();
    sort_shared(shared.element, size);
    write_sorted(shared, columns, begin, begin, size);
}

// ---- a slice ----

// Two blocks for each slice. The first ones sort ranges, which takes longer, and copy the elements outside of segments.
// Where groups do not sort a segment that begins in a slice, the slice is sorted: what groups of it sort too has the
// same result twice. The output is not the input. n: of elements.
template <class K, class V>
__device__ __forceinline__ void sort_slice(slice_memory<K> &shared, const segment_columns<K, V> &columns,
                                           unsigned slices, const segment_groups &groups, size_t n)
{
    const unsigned slice = blockIdx.x % slices, segments = groups.segments;
    const uint64_t bounds[2] = {size_t(slice) * SLICE, min(size_t(slice + 1) * SLICE, n)}, *offsets = columns.offsets;
    unsigned before[2];
    count_segments_before(offsets, segments, bounds, before);
    if (blockIdx.x >= slices) {
        unsigned end = before[1];
        if (groups.each > 0 && groups.sort_all(offsets, before[0], end))
            return;
        groups.let_next_begin();
        if (end > before[0] && offsets[end] - offsets[end - 1] > SHORT_MOST)
            end--;
        sort_short_ones(shared, columns, before[0], end);
        return;
    }
    groups.let_next_begin();
    const uint64_t first = offsets[0], last = offsets[segments];
    if (before[0] > 0) {
        uint64_t begin = offsets[before[0] - 1], end = offsets[before[0]];
        if (end > bounds[0] && end - begin > SHORT_MOST) {
            unsigned from = unsigned(begin / SLICE) + 1, to = unsigned((end - 1) / SLICE);
            sort_range(shared, columns, begin, end, slice - from, to - from + 1);
        }
    }
    for (uint64_t i = bounds[0] + threadIdx.x; i < bounds[1]; i += SLICE_THREADS)
        if (i < first || i >= last) {
            columns.keys_out[i] = columns.keys_in[i];
            if constexpr (HAS_VALUE<V>)
                columns.values_out[i] = columns.values_in[i];
        }
}

// ARE_WORDS: whether keys are.
template <class K, class V, bool ARE_WORDS>
__global__ void __launch_bounds__(SLICE_THREADS, SLICES_RESIDENT)
    sort_slices(segment_columns<K, V> columns, unsigned segments, size_t n)
{
    __shared__ slice_memory<K> shared;
    columns.order.template fix<ARE_WORDS>();
    wait_for_launches();
    let_next_begin();
    sort_slice(shared, columns, gridDim.x / 2, {segments, 0}, n);
}

// A block uses one of these.
template <class K> union slice_or_group {
    slice_memory<K> slice;
    group_memory<K> group;
};
static_assert(SLICE_THREADS == GROUP_THREADS);

// The same, and a block for each group of segments.
template <class K, class V, bool ARE_WORDS>
__global__ void __launch_bounds__(SLICE_THREADS, SLICES_RESIDENT)
    sort_slices_and_groups(segment_columns<K, V> columns, unsigned slices, segment_groups groups, size_t n)
{
    __shared__ slice_or_group<K> shared;
    columns.order.template fix<ARE_WORDS>();
    wait_for_launches();
    if (blockIdx.x >= 2 * slices) {
        groups.let_next_begin();
        sort_group(shared.group, columns, groups, blockIdx.x - 2 * slices);
    } else {
        sort_slice(shared.slice, columns, slices, groups, n);
    }
}

#endif
