// ballot_ranks.cuh - the elements of a tile that are chosen, and the rank of each in the tile, in shared memory: for
// elements that do not fit registers. Each warp ranks its part of the tile by ballots, 32 neighbours at a time.
#ifndef SK_CUDA_BALLOT_RANKS_CUH
#define SK_CUDA_BALLOT_RANKS_CUH

#include <cstdint>

#include "common/block_sum.cuh"

template <int THREADS, int ITEMS> struct ballot_ranks {
    static constexpr unsigned SIZE = THREADS * ITEMS;
    static constexpr uint16_t CHOSEN = 1u << 15; // a mark beside the rank
    static_assert(SIZE < CHOSEN, "ranks have 15 bits");

    uint16_t ranks[SIZE]; // of chosen elements before each
    warp_totals<plain_sum<unsigned>, THREADS> totals;

    static __device__ __forceinline__ int place(int i)
    {
        return (threadIdx.x / WARP * ITEMS + i) * WARP + lane_id();
    }

    // Upsweep: ranks within the warp. choose(place) returns 1 for chosen elements, else 0, as an unsigned, because the
    // compiler keeps a bool in a byte. Returns a bit for each of the lane's elements. A barrier is needed before
    // totals.fold().
    template <class Choose> __device__ __forceinline__ unsigned rank_in_warp(Choose choose)
    {
        unsigned chosen = 0, count = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = place(i);
            unsigned is_chosen = choose(at);
            unsigned votes = __ballot_sync(FULL_WARP, is_chosen != 0);
            chosen |= is_chosen << i;
            ranks[at] = uint16_t(count + __popc(votes & lanes_below()));
            count += __popc(votes);
        }
        totals.publish(count);
        return chosen;
    }

    // Downsweep: ranks within the tile. `before` elements are chosen in the warps before this one.
    __device__ __forceinline__ void rank_in_tile(unsigned chosen, unsigned before)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            ranks[place(i)] = uint16_t((ranks[place(i)] + before) | (chosen >> i & 1 ? CHOSEN : 0));
    }

    // After another barrier: of any element of the tile.
    __device__ __forceinline__ bool is_chosen(unsigned at) const
    {
        return ranks[at] & CHOSEN;
    }
    __device__ __forceinline__ unsigned rank(unsigned at) const
    {
        return ranks[at] & (CHOSEN - 1);
    }
};

#endif
