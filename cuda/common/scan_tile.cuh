// scan_tile.cuh - the scan of one tile by one block.
//
// Upsweep: each lane reduces its vectors, a warp scans the lanes of each row, and the block scans the warps. The caller
// then computes the tile's prefix. Downsweep: every element gets its scan.
#ifndef SK_CUDA_SCAN_TILE_CUH
#define SK_CUDA_SCAN_TILE_CUH

#include "common/block_sum.cuh"
#include "common/op.cuh"
#include "common/tile.cuh"

template <class Op, int THREADS> struct scan_tile_memory {
    warp_totals<Op, THREADS> totals;
    typename Op::type before_tile;
};

// E: the type in the tile: elements, or partial results.
template <class Op, int THREADS, int VECTORS, class E = typename Op::element> struct scan_tile {
    using T = typename Op::type;
    using elements = tile<E, THREADS, VECTORS>;

    using shared_memory = scan_tile_memory<Op, THREADS>;

    elements data;
    T before_row[VECTORS]; // the prefix of this lane's vector: in the warp's part, after upsweep() in the tile

    // Places outside the array hold the identity.
    __device__ __forceinline__ void load(const E *in, size_t valid)
    {
        data.load(in, valid, Op::template store<E>(Op::identity()));
    }

    __device__ __forceinline__ T item(int r, int i) const
    {
        return load_as<Op>(data.row[r].item[i]);
    }

    // Upsweep: returns the tile's aggregate to every thread. It contains a barrier.
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
        shared.totals.publish(warp_total);
        __syncthreads();
        warp_share<T> share = shared.totals.fold();
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            before_row[r] = Op::combine(share.before, before_row[r]);
        return share.total;
    }

    // Downsweep: every element becomes its scan. before_tile: the prefix of the tile.
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
