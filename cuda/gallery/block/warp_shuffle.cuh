// warp_shuffle.cuh - the scan in registers: a warp scans its 32 elements by shuffles, the first warp scans the warps'
// sums, and each warp adds its prefix: two barriers in all (warps as units: Sengupta, Harris and
// Garland, Efficient Parallel Scan Algorithms for GPUs, 2008; shuffles came with the GPUs of 2012).
#ifndef SK_CUDA_WARP_SHUFFLE_CUH
#define SK_CUDA_WARP_SHUFFLE_CUH

#include "gallery/block/block_scan.cuh"

template <class Op> struct warp_shuffle {
    using T = typename Op::type;
    static constexpr int SIZE = BLOCK_SCAN_THREADS, WARPS = SIZE / WARP;
    static_assert(WARPS <= WARP, "one warp scans the sums of all");
    struct shared_memory {
        T sums[WARPS];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        int i = threadIdx.x, warp = i / WARP;
        // Each warp.
        T scanned = warp_scan<Op>(tile.load(i));
        if (lane_id() == WARP - 1)
            shared.sums[warp] = scanned;
        __syncthreads();
        // The sums of the warps.
        if (warp == 0) {
            T sum = warp_scan<Op>(i < WARPS ? shared.sums[i] : Op::identity());
            if (i < WARPS)
                shared.sums[i] = sum;
        }
        __syncthreads();
        // All together.
        T before_lane = warp_before<Op>(scanned);
        T before_warp = warp > 0 ? shared.sums[warp - 1] : Op::identity();
        tile.store(i, Op::combine(before_warp, tile.inclusive ? scanned : before_lane));
        return shared.sums[WARPS - 1];
    }
};

#endif
