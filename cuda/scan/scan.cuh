// scan.cuh - scans of whole arrays in a single pass, one block per tile, for every GPU.
#ifndef SK_CUDA_SCAN_CUH
#define SK_CUDA_SCAN_CUH

#include "common/lookback.cuh"
#include "common/lookback_state.cuh"
#include "scan/array_tile.cuh"
#include "scan/scan_call.cuh"

// How a tile computes its prefix: its first warp calls before(), and lane 0's result is used. The gallery has other
// ways.
struct warp_looks_back {
    template <class Op>
    static __device__ __forceinline__ typename Op::type before(descriptor<typename Op::type> *descriptors,
                                                               lookback_ticket ticket, typename Op::type aggregate,
                                                               typename Op::type initial)
    {
        return look_back<Op>(descriptors, ticket, aggregate, initial);
    }
};

// Every tile is read once and written once. Map: words.cuh.
template <class Op, class Way, class Map>
__global__ void __launch_bounds__(SCAN_THREADS, SCAN_BLOCKS<typename Op::element>)
    scan_lookback(const typename Op::element *in, typename Op::element *out, size_t n, bool inclusive,
                  typename Op::type initial, lookback_state<typename Op::type> state)
{
    using T = typename Op::type;
    using block = array_tile<Op, Map>;
    __shared__ typename block::shared_memory shared;

    lookback_ticket ticket = take_ticket(state.tickets);
    size_t begin = size_t(ticket.tile) * block::elements::SIZE;

    // Load
    block scan;
    scan.load(in + begin, begin, n - begin, shared);

    // Upsweep
    T aggregate = scan.upsweep(shared);

    // Look-back
    if (threadIdx.x < WARP) {
        T before = Way::template before<Op>(state.descriptors, ticket, aggregate, initial);
        if (threadIdx.x == 0)
            shared.before_tile = before;
    }
    __syncthreads();

    // Downsweep
    scan.downsweep(shared, inclusive);

    // Store
    scan.store(out + begin, n - begin, shared);
}

template <class Op, class Way, class Map = as_they_are>
scankit_error single_pass_scan(cuda_device *gpu, const scan_call<typename Op::type, typename Op::element> &call)
{
    size_t tiles = (call.n - 1) / array_tile<Op, Map>::elements::SIZE + 1;
    lookback_state<typename Op::type> state;
    TRY(take_state(gpu, tiles, &state));
    END_REHEARSAL(gpu);
    scan_lookback<Op, Way, Map><<<unsigned(tiles), SCAN_THREADS, 0, gpu->stream>>>(call.in, call.out, call.n,
                                                                                   call.inclusive, call.initial, state);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// The scan by tiles, for any size: the gallery compares it with the ring.
scankit_error cuda_scan_tiles(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                              const void *initial, const void *in, void *out, size_t n);

#endif
