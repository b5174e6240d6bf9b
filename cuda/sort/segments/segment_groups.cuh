// segment_groups.cuh - sorts short segments by comparison counting (Knuth, The Art of Computer Programming 3, 5.2). A
// block takes a group of neighbours. Each thread counts the elements of a segment that come before its own. That is
// quadratic, but only offsets and then elements are loaded: few elements wait for little else.
#ifndef SK_CUDA_SEGMENT_GROUPS_CUH
#define SK_CUDA_SEGMENT_GROUPS_CUH

#include "device/overlap.cuh"
#include "sort/network/placed_key.cuh"
#include "sort/segments/segments.cuh"

// Most segments of a group, and most elements of a group and of a segment. Others are left to slices.
constexpr unsigned GROUP_THREADS = 256, GROUP_SEGMENTS = 64, GROUP_EACH = 4, GROUP_MOST = GROUP_THREADS * GROUP_EACH;
constexpr unsigned COUNTED_MOST = 384;

// Most blocks of a launch that lets the next one begin.
constexpr unsigned GROUPS_OVERLAP = 256;

// Elements that a thread compares at a time.
constexpr unsigned COMPARED = 8;

// All segments, in groups of `each` neighbours, a power of two. There are no groups if it is 0.
struct segment_groups {
    unsigned segments, each;

    // By blocks that know their work. The blocks of the next launch take the room of those that have ended: where not
    // all blocks of this one run at a time, the last ones would have to share with them.
    __device__ __forceinline__ void let_next_begin() const
    {
        if (each > 0 && gridDim.x <= GROUPS_OVERLAP)
            ::let_next_begin();
    }

    // True if groups sort segment s.
    __device__ __forceinline__ bool sort(const uint64_t *offsets, unsigned s) const
    {
        unsigned first = s & ~(each - 1), last = min(first + each, segments);
        return offsets[s + 1] - offsets[s] <= COUNTED_MOST && offsets[last] - offsets[first] <= GROUP_MOST;
    }
    // True if groups sort all segments [first, end). By all threads of a block.
    __device__ __forceinline__ bool sort_all(const uint64_t *offsets, unsigned first, unsigned end) const
    {
        bool has_other = false;
        for (unsigned s = first + threadIdx.x; s < end; s += GROUP_THREADS)
            has_other = has_other || !sort(offsets, s);
        return !__syncthreads_or(has_other);
    }
};

// A group's keys, and where its segments begin. There is room behind the keys for a look at more.
template <class K> struct group_memory {
    K key[GROUP_MOST + COMPARED];
    unsigned begin[GROUP_SEGMENTS + 1]; // the end of the last segment where there are no more
};

// The elements [begin, end) of a group that come before element `own`.
template <class K>
__device__ __forceinline__ unsigned count_before(const K *keys, unsigned begin, unsigned end, unsigned own)
{
    using with = placing<K>;
    const auto element = with::make(keys[own], own);
    unsigned before = 0;
#pragma unroll 1
    for (unsigned first = begin; first < end; first += COMPARED) {
        K key[COMPARED];
#pragma unroll
        for (unsigned i = 0; i < COMPARED; i++)
            key[i] = keys[first + i];
#pragma unroll
        for (unsigned i = 0; i < COMPARED; i++)
            before += unsigned(first + i < end) & unsigned(with::make(key[i], first + i) < element);
    }
    return before;
}

// Sorts the segments of group `number` that are short enough, unless it has too many elements.
template <class K, class V>
__device__ __forceinline__ void sort_group(group_memory<K> &shared, const segment_columns<K, V> &columns,
                                           const segment_groups &groups, unsigned number)
{
    const unsigned first = number * groups.each, count = min(groups.each, groups.segments - first);
    const uint64_t *at = columns.offsets + first, begin = at[0], end = at[count], own = at[min(threadIdx.x, count)];
    if (end - begin > GROUP_MOST)
        return;
    const auto elements = unsigned(end - begin);
    K key[GROUP_EACH];
    [[maybe_unused]] V value[GROUP_EACH];
    unsigned from[GROUP_EACH], to[GROUP_EACH]; // the element's segment
#pragma unroll
    for (unsigned e = 0; e < GROUP_EACH; e++) {
        unsigned i = e * GROUP_THREADS + threadIdx.x;
        key[e] = i < elements ? columns.keys_in[begin + i] : K(0);
        if constexpr (HAS_VALUE<V>)
            value[e] = i < elements ? columns.values_in[begin + i] : V(0);
    }
    if (threadIdx.x <= GROUP_SEGMENTS)
        shared.begin[threadIdx.x] = unsigned(own - begin);
    __syncthreads();
#pragma unroll
    for (unsigned e = 0; e < GROUP_EACH; e++) { // while the keys come
        unsigned i = e * GROUP_THREADS + threadIdx.x, s = 0;
        if (e * GROUP_THREADS >= elements)
            break;
        for (unsigned step = groups.each / 2; step > 0; step /= 2)
            s += shared.begin[s + step] <= i ? step : 0;
        from[e] = shared.begin[s], to[e] = shared.begin[s + 1];
    }
    columns.order.with([&](auto order) {
#pragma unroll
        for (unsigned e = 0; e < GROUP_EACH; e++) {
            unsigned i = e * GROUP_THREADS + threadIdx.x;
            if (i < elements)
                shared.key[i] = order.key(key[e]);
        }
    });
    __syncthreads();
#pragma unroll
    for (unsigned e = 0; e < GROUP_EACH; e++) {
        unsigned i = e * GROUP_THREADS + threadIdx.x;
        if (i >= elements)
            break;
        if (to[e] - from[e] > COUNTED_MOST)
            continue;
        uint64_t place = begin + from[e] + count_before(shared.key, from[e], to[e], i);
        columns.keys_out[place] = key[e];
        if constexpr (HAS_VALUE<V>)
            columns.values_out[place] = value[e];
    }
}

#endif
