// scan.cuh - scans of whole arrays in a single pass by look-back, a block a tile: on every GPU.
#ifndef SK_CUDA_GRID_SCAN_CUH
#define SK_CUDA_GRID_SCAN_CUH

#include "block/scan_tile.cuh"
#include "grid/lookback.cuh"
#include "tuning.cuh"

template <class Op> using array_tile = scan_tile<Op, SCAN_THREADS, SCAN_VECTORS<typename Op::type>>;

// Every tile is read once, learns its prefix by look-back, and is written once.
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

#endif
