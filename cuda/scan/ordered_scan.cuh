// ordered_scan.cuh - a scan with the results of the ring, bit by bit, for GPUs without bulk copies and for arrays that
// do not begin at a multiple of 16 bytes. Three kernels reduce the tiles, scan their totals, and scan the tiles, with
// the same operations in the same order.
#ifndef SK_CUDA_ORDERED_SCAN_CUH
#define SK_CUDA_ORDERED_SCAN_CUH

#include "scan/ring_scan.cuh"

constexpr int ORDERED_THREADS = scan_shape::CONSUMERS * WARP;

// A block's tile in shared memory. Each warp has its part.
template <class Op> struct ordered_tile {
    using T = typename Op::type;
    alignas(16) unsigned char bytes[scan_shape::TILE_BYTES];
    alignas(16) T totals[scan_shape::CONSUMERS];

    // Contains a barrier. before: the prefix of the lane in its warp's part.
    __device__ __forceinline__ void reduce(const ring_scan_work<Op> &work, T &before)
    {
        unsigned warp = threadIdx.x / WARP;
        T total = work.reduce(bytes + warp * scan_shape::PART_BYTES,
                              part_of<scan_shape>(work.to, blockIdx.x, warp, false), false, before);
        if (lane_id() == WARP - 1)
            totals[warp] = total;
        __syncthreads();
    }
};

template <class Op>
__global__ void __launch_bounds__(ORDERED_THREADS) reduce_tiles(ring_arguments to, typename Op::type *totals)
{
    __shared__ ordered_tile<Op> tile;
    typename Op::type before;
    tile.reduce(ring_scan_work<Op>{to, false}, before);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = fold_totals<Op>(tile.totals);
}

// The totals of tiles become their prefixes. One block; a warp per group.
template <class Op>
__global__ void __launch_bounds__(ORDERED_THREADS)
    order_totals(typename Op::type *totals, unsigned tiles, typename Op::type initial)
{
    using T = typename Op::type;
    __shared__ T sums[scan_shape::CONSUMERS];
    unsigned warp = threadIdx.x / WARP;
    T running = initial;
    for (unsigned first = 0; first * RING_GROUP < tiles; first += scan_shape::CONSUMERS) {
        unsigned group = first + warp, begin = group * RING_GROUP;
        unsigned end = begin + RING_GROUP < tiles ? begin + RING_GROUP : tiles;
        ring_group<Op> of;
        of.load(totals, group, tiles);
        T sum = of.sum(group, tiles);
        if (lane_id() == 0)
            sums[warp] = sum;
        __syncthreads();
        // Not warp_totals: the ring adds each group to the running sum, and rounding shows the order.
        T before = running;
#pragma unroll
        for (int w = 0; w < scan_shape::CONSUMERS; w++) {
            before = w == warp ? running : before;
            running = Op::combine(running, sums[w]);
        }
        for (unsigned tile = begin; tile < end; tile++) {
            T before_tile = Op::combine(before, of.sum(group, tile));
            if (lane_id() == 0)
                totals[tile] = before_tile;
        }
        __syncthreads(); // the sums are read before the next round writes them
    }
}

template <class Op>
__global__ void __launch_bounds__(ORDERED_THREADS)
    scan_tiles(ring_arguments to, bool inclusive, const typename Op::type *before_tiles)
{
    using T = typename Op::type;
    __shared__ ordered_tile<Op> tile;
    ring_scan_work<Op> work = {to, inclusive};
    unsigned warp = threadIdx.x / WARP;
    T before;
    tile.reduce(work, before);
    work.complete(tile.bytes + warp * scan_shape::PART_BYTES, part_of<scan_shape>(to, blockIdx.x, warp, false), false,
                  fold_totals<Op>(before_tiles[blockIdx.x], tile.totals, warp), before);
}

#endif
