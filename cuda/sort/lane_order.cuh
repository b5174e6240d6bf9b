// lane_order.cuh - tries whether the lanes of one atomic addition in shared memory take their turns in the order of
// their numbers. GPUs do so, but no document says it, so a device is tried before anything depends on it.
#ifndef SK_CUDA_LANE_ORDER_CUH
#define SK_CUDA_LANE_ORDER_CUH

#include "common/thread.cuh"
#include "common/warp.cuh"
#include "device/tuning.cuh"

// *violations += threads whose ranks by atomics differ from those by ballots, over digits from all different to all the
// same. In every other round only some lanes take a place, and lane 0 takes several.
static __global__ void __launch_bounds__(MAP_THREADS) try_lane_order(unsigned *violations)
{
    constexpr int ROUNDS = 18, ITEMS = 16;
    __shared__ uint32_t counts[MAP_THREADS / WARP][RADIX];
    uint32_t *count = counts[threadIdx.x / WARP], random = (blockIdx.x * MAP_THREADS + threadIdx.x) * 2654435761u + 1;
    bool wrong = false;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (int d = lane_id(); d < RADIX; d += WARP)
            count[d] = 0;
        __syncwarp();
        for (int i = 0; i < ITEMS; i++) {
            random = random * 1664525u + 1013904223u;
            unsigned digit = random >> 24 >> round % 9 << round % 9; // from 256 different digits to one
            unsigned same = warp_match<RADIX_BITS>(digit), before = count[digit];
            __syncwarp();
            if (round % 2 == 0) {
                wrong = wrong || atomicAdd(&count[digit], 1) != before + __popc(same & lanes_below());
            } else {
                bool is_first = lane_id() == 0, takes = is_first || (random >> 9 & 1);
                unsigned several = warp_from(random >> 10, 0) % WARP;
                before += __popc(same & __ballot_sync(FULL_WARP, takes) & lanes_below());
                before += !is_first && (same & 1) ? several : 0;
                if (takes)
                    wrong = wrong || atomicAdd(&count[digit], is_first ? 1 + several : 1) != before;
            }
            __syncwarp();
        }
    }
    if (wrong)
        atomicAdd(violations, 1);
}

#endif
