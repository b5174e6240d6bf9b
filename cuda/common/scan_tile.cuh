// scan_tile.cuh - the scan of one tile by one block, with room for what stands before it.
//
// Phases: each lane reduces its vectors, a warp scans the lanes of each row, the block scans the warps, and after the
// caller has found out what stands before the tile, every element is completed.
#ifndef SK_CUDA_SCAN_TILE_CUH
#define SK_CUDA_SCAN_TILE_CUH

#include "common/op.cuh"
#include "common/tile.cuh"

template <class T, int WARPS> struct scan_tile_memory {
    T warp_total[WARPS];
    T before_tile;
};

// E: what the tile holds, elements or partial results.
template <class Op, int THREADS, int VECTORS, class E = typename Op::element> struct scan_tile {
    using T = typename Op::type;
    using elements = tile<E, THREADS, VECTORS>;

    using shared_memory = scan_tile_memory<T, elements::WARPS>;

    elements data;
    T before_row[VECTORS]; // what stands before this lane's vector, within the warp's part

    // Places outside the array hold the identity.
    __device__ __forceinline__ void load(const E *in, size_t valid)
    {
        data.load(in, valid, Op::template store<E>(Op::identity()));
    }

    __device__ __forceinline__ T item(int r, int i) const
    {
        return load_as<Op>(data.row[r].item[i]);
    }

    // Upsweep: returns the tile's aggregate to every thread. Ends with the block in step.
    __device__ __forceinline__ T upsweep(shared_memory &shared)
    {
        T warp_total = Op::identity();
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            T sum = item(r, 0);
#pragma unroll
            for (int i = 1; i < elements::PER_VECTOR; i++)
                sum = Op::combine(sum, item(r, i));
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
                T next = Op::combine(running, item(r, i));
                data.row[r].item[i] = Op::template store<E>(inclusive ? next : running);
                running = next;
            }
        }
    }
};

#endif
