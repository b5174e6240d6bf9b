// merge_path.cuh - where a merge of two sorted arrays stands after so many outputs (Green, McColl and Bader 2012):
// found by a thread, or by lanes together.
#ifndef SK_CUDA_GRID_MERGE_PATH_CUH
#define SK_CUDA_GRID_MERGE_PATH_CUH

#include "warp.cuh"

// How much a merge path can have of a after the first `diagonal` outputs.
template <class I> struct path_range {
    I low, high;
    __device__ __forceinline__ path_range(I diagonal, I na, I nb)
        : low(diagonal > nb ? diagonal - nb : 0), high(diagonal < na ? diagonal : na)
    {
    }
};

// How many of the first `diagonal` outputs come from a, where equals come from a first. before(i, j): b[j] before a[i].
template <class I, class F> __device__ __forceinline__ I merge_path(I diagonal, I na, I nb, F before)
{
    path_range<I> open(diagonal, na, nb);
    I low = open.low, high = open.high;
    while (low < high) {
        I middle = low + (high - low) / 2;
        if (before(middle, diagonal - 1 - middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The first i of [low, high) that is not among the first, or high. By groups of LANES neighbouring lanes, each for
// itself, that try LANES places at a time, an odd number apart for the sake of the banks of shared memory.
template <int LANES, class I, class F> __device__ __forceinline__ I lanes_search(I low, I high, F is_first)
{
    unsigned lane = lane_id() % LANES, group = (FULL_WARP >> (WARP - LANES)) << (lane_id() - lane);
    while (LANES == WARP ? low < high : __any_sync(FULL_WARP, low < high)) {
        I step = ((high - low) / LANES + 1) | 1, i = low + I(lane) * step;
        int firsts = __popc(__ballot_sync(FULL_WARP, i < high && is_first(i)) & group);
        I next = firsts == 0 ? low : low + I(firsts) * step;
        low += firsts == 0 ? 0 : I(firsts - 1) * step + 1;
        high = next < high ? next : high;
    }
    return low;
}

template <int LANES, class I, class F> __device__ __forceinline__ I lanes_merge_path(I diagonal, I na, I nb, F before)
{
    path_range<I> open(diagonal, na, nb);
    return lanes_search<LANES>(open.low, open.high, [&](I i) { return !before(i, diagonal - 1 - i); });
}

#endif
