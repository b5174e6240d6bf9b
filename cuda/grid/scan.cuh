// scan.cuh - scans of whole arrays: single pass by look-back, and in three kernels with a fixed order of operations.
#ifndef SK_CUDA_GRID_SCAN_CUH
#define SK_CUDA_GRID_SCAN_CUH

#include "block/scan_tile.cuh"
#include "grid/lookback.cuh"
#include "tuning.cuh"

template <class Op> using array_tile = scan_tile<Op, SCAN_THREADS, SCAN_VECTORS<typename Op::type>>;

// Single pass: every tile is read once, learns its prefix by look-back, and is written once.
template <class Op>
__global__ void __launch_bounds__(SCAN_THREADS, 3)
    scan_lookback(const typename Op::type *in, typename Op::type *out, size_t n, bool inclusive,
                  typename Op::type initial, lookback_state<typename Op::type> state)
{
    using T = typename Op::type;
    using block = array_tile<Op>;
    __shared__ typename block::shared_memory shared;

    lookback_ticket ticket = take_ticket(state.tickets);
    size_t begin = size_t(ticket.tile) * block::elements::SIZE;
    block scan;
    scan.data.load(in + begin, n - begin, Op::identity());
    T aggregate = scan.upsweep(shared);
    if (threadIdx.x < WARP) {
        T before = look_back<Op>(state.descriptors, ticket, aggregate, initial);
        if (threadIdx.x == 0)
            shared.before_tile = before;
    }
    __syncthreads();
    scan.downsweep(shared.before_tile, inclusive);
    scan.data.store(out + begin, n - begin);
}

// Three kernels: reduce every tile, scan the totals in one block, scan every tile on its total's prefix. The order of
// operations depends on n alone.
template <class Op>
__global__ void __launch_bounds__(SCAN_THREADS, 3)
    reduce_tiles(const typename Op::type *in, size_t n, typename Op::type *totals)
{
    using block = array_tile<Op>;
    __shared__ typename block::shared_memory shared;
    size_t begin = size_t(blockIdx.x) * block::elements::SIZE;
    block scan;
    scan.data.load(in + begin, n - begin, Op::identity());
    typename Op::type aggregate = scan.upsweep(shared);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = aggregate;
}

// Exclusive, in place, in one block.
template <class Op>
__global__ void __launch_bounds__(SCAN_THREADS, 3)
    scan_totals(typename Op::type *totals, size_t tiles, typename Op::type initial)
{
    using T = typename Op::type;
    using block = array_tile<Op>;
    __shared__ typename block::shared_memory shared;
    T before = initial;
    for (size_t begin = 0; begin < tiles; begin += block::elements::SIZE) {
        block scan;
        scan.data.load(totals + begin, tiles - begin, Op::identity());
        T aggregate = scan.upsweep(shared);
        scan.downsweep(before, false);
        scan.data.store(totals + begin, tiles - begin);
        before = Op::combine(before, aggregate);
        __syncthreads(); // the shared totals are read before the next round writes them
    }
}

template <class Op>
__global__ void __launch_bounds__(SCAN_THREADS, 3)
    scan_tiles(const typename Op::type *in, typename Op::type *out, size_t n, bool inclusive,
               const typename Op::type *before_tiles)
{
    using block = array_tile<Op>;
    __shared__ typename block::shared_memory shared;
    size_t begin = size_t(blockIdx.x) * block::elements::SIZE;
    block scan;
    scan.data.load(in + begin, n - begin, Op::identity());
    scan.upsweep(shared);
    scan.downsweep(before_tiles[blockIdx.x], inclusive);
    scan.data.store(out + begin, n - begin);
}

#endif
