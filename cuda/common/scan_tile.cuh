// scan_tile.cuh - the scan of one tile by one block, with room for what stands before it.
//
// Phases: each lane reduces its vectors, a warp scans the lanes of each row, the block scans the warps, and after the
// caller has found out what stands before the tile, every element is completed.
#ifndef SK_CUDA_SCAN_TILE_CUH
#define SK_CUDA_SCAN_TILE_CUH

#include "common/op.cuh"
#include "common/tile.cuh"

template <class Op, int THREADS, int VECTORS> struct scan_tile {
    using T = typename Op::type;
    using elements = tile<T, THREADS, VECTORS>;

    struct shared_memory {
        T warp_total[elements::WARPS];
        T before_tile;
    };

    elements data;
    T before_row[VECTORS]; // what stands before this lane's vector, within the warp's part

    // Upsweep: returns the tile's aggregate to every thread. Ends with the block in step.
    __device__ __forceinline__ T upsweep(shared_memory &shared)
    {
        T warp_total = Op::identity();
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            T sum = data.row[r].item[0];
#pragma unroll
            for (int i = 1; i < elements::PER_VECTOR; i++)
                sum = Op::combine(sum, data.row[r].item[i]);
            T inclusive = warp_scan<Op>(sum);
            before_row[r] = Op::combine(warp_total, warp_before<Op>(inclusive));
            warp_total = Op::combine(warp_total, warp_from(inclusive, WARP - 1));
        }
        unsigned warp = threadIdx.x / WARP;
        if (lane_id() == 0)
            shared.warp_total[warp] = warp_total;
        __syncthreads();
        T before_warp = Op::identity(), aggregate = Op::identity();
#pragma unroll
        for (int w = 0; w < elements::WARPS; w++) {
            if (w == warp)
                before_warp = aggregate;
            aggregate = Op::combine(aggregate, shared.warp_total[w]);
        }
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            before_row[r] = Op::combine(before_warp, before_row[r]);
        return aggregate;
    }

    // Downsweep: every element becomes its scan.
    __device__ __forceinline__ void downsweep(T before_tile, bool inclusive)
    {
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            T running = Op::combine(before_tile, before_row[r]);
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++) {
                T next = Op::combine(running, data.row[r].item[i]);
                data.row[r].item[i] = inclusive ? next : running;
                running = next;
            }
        }
    }
};

#endif
