// aggregate.cuh - atomics by one lane for several: lanes that add to the same counter would wait for one another. Lanes
// with the same number or key.
#ifndef SK_CUDA_AGGREGATE_CUH
#define SK_CUDA_AGGREGATE_CUH

#include "common/op.cuh"
#include "common/warp.cuh"

// True if all lanes have the first lane's number. For data that is in order or in runs this is usual, and one sample
// per thread tells.
__device__ __forceinline__ bool are_lanes_alike(unsigned number)
{
    return __all_sync(FULL_WARP, number == warp_from(number, 0));
}

// The key of the lane that has the most of `times`, how many lanes have its key; *most: how many.
template <class K> __device__ __forceinline__ K most_frequent(K key, unsigned times, unsigned *most)
{
    *most = warp_max(times);
    return warp_from(key, __ffs(__ballot_sync(FULL_WARP, times == *most)) - 1);
}

// The first lane's number, and the lanes that have the same.
struct first_lane {
    unsigned number, same;
    explicit __device__ __forceinline__ first_lane(unsigned own)
        : number(warp_from(own, 0)), same(__ballot_sync(FULL_WARP, own == number))
    {
    }
    __device__ __forceinline__ unsigned count() const
    {
        return unsigned(__popc(same));
    }
    __device__ __forceinline__ unsigned below() const
    {
        return unsigned(__popc(same & lanes_below()));
    }
};

// True if enough lanes have the first lane's number that add_one_together() is faster than an atomic per lane.
__device__ __forceinline__ bool are_many_alike(unsigned number)
{
    return first_lane(number).count() >= WARP / 4;
}

// Adds 1 to each lane's counter and returns what it was: by one atomic for all lanes with the same counter.
__device__ __forceinline__ unsigned add_one_together(unsigned *count, unsigned which)
{
    unsigned same = __match_any_sync(FULL_WARP, which), place = 0;
    unsigned leader = unsigned(__ffs(same)) - 1;
    if (lane_id() == leader)
        place = atomicAdd(&count[which], unsigned(__popc(same)));
    return warp_from(place, int(leader)) + unsigned(__popc(same & lanes_below()));
}

// For a whole warp: add(number, lanes) for the numbers of the lanes that take part. If many are alike, one lane does it
// for all of a number: their atomics would wait for one another.
template <class Add> __device__ __forceinline__ void add_alike(unsigned number, bool takes_part, Add add)
{
    constexpr unsigned NONE = ~0u; // numbers have fewer bits
    unsigned own = takes_part ? number : NONE;
    if (!are_many_alike(own)) {
        if (takes_part)
            add(number, 1u);
        return;
    }
    unsigned same = __match_any_sync(FULL_WARP, own);
    if (takes_part && (same & lanes_below()) == 0)
        add(number, unsigned(__popc(same)));
}

// Adds each lane's count to *taken by one atomic for the warp. Returns where the lane's part begins.
__device__ __forceinline__ unsigned warp_take_places(unsigned *taken, unsigned count)
{
    unsigned inclusive = warp_scan<op_sum<sk_u32>>(count), place = 0;
    if (lane_id() == WARP - 1 && inclusive > 0)
        place = atomicAdd(taken, inclusive);
    return warp_from(place, WARP - 1) + inclusive - count;
}

#endif
