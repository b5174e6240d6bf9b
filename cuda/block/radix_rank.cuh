// radix_rank.cuh - where each key of a tile goes in the tile's stable split by a digit.
//
// A warp owns a contiguous part of the tile, item i of its lanes being 32 neighbours, so that (warp, item, lane) is the
// order of the tile. Each warp counts its digits in a row of shared memory: the lanes of an item that hold the same
// digit find each other by ballots, and their place is the row's count so far and the number of such lanes below. Then
// a thread a digit scans the warps' rows, and the block scans the digits.
#ifndef SK_CUDA_RADIX_RANK_CUH
#define SK_CUDA_RADIX_RANK_CUH

#include "op.cuh"
#include "thread.cuh"
#include "warp.cuh"

template <int THREADS, int ITEMS> struct radix_rank {
    static constexpr int WARPS = THREADS / WARP;
    static constexpr int TILE = THREADS * ITEMS;
    static_assert(THREADS >= RADIX, "a thread a digit");

    struct shared_memory {
        uint32_t count[WARPS][RADIX]; // of a digit in a warp; then of it in the warps before
        uint32_t offset[RADIX];       // where the digit begins in the tile
        uint32_t warp_total[RADIX / WARP];
    };

    // The place in the tile of this thread's item i, before the split.
    static __device__ __forceinline__ int place(int i)
    {
        return threadIdx.x / WARP * (WARP * ITEMS) + i * WARP + lane_id();
    }

    // digit(i), of this thread's item i -> rank[i]. Threads below RADIX get the number of their digit in the tile. Ends
    // with the block in step.
    template <class F>
    static __device__ __forceinline__ uint32_t rank(shared_memory &shared, F digit, unsigned (&rank)[ITEMS])
    {
        unsigned warp = threadIdx.x / WARP;
        for (int d = lane_id(); d < RADIX; d += WARP)
            shared.count[warp][d] = 0;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            unsigned same = warp_match<RADIX_BITS>(digit(i));
            unsigned below = __popc(same & lanes_below());
            unsigned before = shared.count[warp][digit(i)];
            __syncwarp();
            if (below == 0)
                shared.count[warp][digit(i)] = before + __popc(same);
            __syncwarp();
            rank[i] = before + below;
        }
        __syncthreads();
        uint32_t total = 0;
        if (threadIdx.x < RADIX) {
#pragma unroll
            for (int w = 0; w < WARPS; w++) {
                uint32_t count = shared.count[w][threadIdx.x];
                shared.count[w][threadIdx.x] = total;
                total += count;
            }
            scan_digits_in_warps(shared, total);
        }
        __syncthreads();
        if (threadIdx.x < RADIX) {
            uint32_t before = 0;
#pragma unroll
            for (int w = 0; w < RADIX / WARP; w++)
                before += w < warp ? shared.warp_total[w] : 0;
            shared.offset[threadIdx.x] += before;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            rank[i] += shared.offset[digit(i)] + shared.count[warp][digit(i)];
        return total;
    }

  private:
    static __device__ __forceinline__ void scan_digits_in_warps(shared_memory &shared, uint32_t total)
    {
        uint32_t inclusive = warp_scan<op_sum<sk_u32>>(total);
        shared.offset[threadIdx.x] = inclusive - total;
        if (lane_id() == WARP - 1)
            shared.warp_total[threadIdx.x / WARP] = inclusive;
    }
};

#endif
