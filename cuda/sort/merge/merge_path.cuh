// merge_path.cuh - how far a merge has come in two sorted arrays after some outputs (Green, McColl and Bader 2012):
// found by a thread, or by a warp.
#ifndef SK_CUDA_MERGE_PATH_CUH
#define SK_CUDA_MERGE_PATH_CUH

#include "common/warp.cuh"

// The least and the most elements of a that the first `diagonal` outputs can have.
template <class I> struct path_range {
    I low, high;
    __device__ __forceinline__ path_range(I diagonal, I na, I nb)
        : low(diagonal > nb ? diagonal - nb : 0), high(diagonal < na ? diagonal : na)
    {
    }
};

// Binary search by a thread: the least i of [low, high) with !is_first(i), or high.
template <class I, class F> __device__ __forceinline__ I search(I low, I high, F is_first)
{
    while (low < high) {
        I middle = low + (high - low) / 2;
        if (is_first(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The same with three tests a step, whose loads overlap: half as many steps.
template <class I, class F> __device__ __forceinline__ I search_by_four(I low, I high, F is_first)
{
    while (low < high) {
        I half = (high - low) / 2, first = low + half / 2, second = low + half, third = second + half / 2;
        bool after_first = is_first(first), after_second = is_first(second), after_third = is_first(third);
        low = after_third ? third + 1 : after_second ? second + 1 : after_first ? first + 1 : low;
        high = after_third ? high : after_second ? third : after_first ? second : first;
    }
    return low;
}

// The number of elements of a among the first `diagonal` outputs; of equals, a's come first. before(i, j): b[j] comes
// before a[i].
template <class I, class F> __device__ __forceinline__ I merge_path(I diagonal, I na, I nb, F before)
{
    path_range<I> open(diagonal, na, nb);
    return search(open.low, open.high, [&](I i) { return !before(i, diagonal - 1 - i); });
}

// The same with three tests a step.
template <class I, class F> __device__ __forceinline__ I merge_path_by_four(I diagonal, I na, I nb, F before)
{
    path_range<I> open(diagonal, na, nb);
    return search_by_four(open.low, open.high, [&](I i) { return !before(i, diagonal - 1 - i); });
}

// A search by a whole warp, which tries 32 places at a time, an odd distance apart to avoid bank conflicts.
template <class I, class F> __device__ __forceinline__ I warp_search(I low, I high, F is_first)
{
    while (low < high) {
        I step = ((high - low) / WARP + 1) | 1, i = low + I(lane_id()) * step;
        int firsts = __popc(__ballot_sync(FULL_WARP, i < high && is_first(i)));
        if (firsts == 0)
            return low;
        I next = low + I(firsts) * step;
        low += I(firsts - 1) * step + 1;
        high = next < high ? next : high;
    }
    return low;
}

template <class I, class F> __device__ __forceinline__ I warp_merge_path(I diagonal, I na, I nb, F before)
{
    path_range<I> open(diagonal, na, nb);
    return warp_search(open.low, open.high, [&](I i) { return !before(i, diagonal - 1 - i); });
}

#endif
