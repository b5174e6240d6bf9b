// split_flags.cuh - the stable split of elements of any size by flags, in a single pass with look-back over the zeros:
// an element of flag 0 goes behind the zeros before it, another behind all zeros and the others before it.
#ifndef SK_CUDA_GRID_SPLIT_FLAGS_CUH
#define SK_CUDA_GRID_SPLIT_FLAGS_CUH

#include "common/scan_tile.cuh"
#include "common/lookback.cuh"
#include "device/tuning.cuh"

constexpr int FLAG_ITEMS = 8;
constexpr int FLAG_TILE = MAP_THREADS * FLAG_ITEMS;

// *zeros += flags that are 0; cleared before.
static __global__ void __launch_bounds__(MAP_THREADS)
    count_zeros(const uint8_t *flags, size_t n, unsigned long long *zeros)
{
    unsigned long long count = 0;
    for (size_t i = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x; i < n; i += size_t(gridDim.x) * MAP_THREADS)
        count += flags[i] == 0;
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        count += __shfl_down_sync(FULL_WARP, count, distance);
    if (lane_id() == 0)
        atomicAdd(zeros, count);
}

// U: the unit in which elements move, `units` of them an element.
template <class U>
__global__ void __launch_bounds__(MAP_THREADS)
    split_by_flags(const U *in, const uint8_t *flags, U *out, size_t n, size_t units, const unsigned long long *zeros,
                   lookback_state<sk_u64> state)
{
    constexpr int WARPS = MAP_THREADS / WARP;
    __shared__ uint16_t zeros_before[FLAG_TILE]; // in the tile
    __shared__ unsigned warp_zeros[WARPS];
    __shared__ unsigned long long zeros_before_tile;

    lookback_ticket ticket = take_ticket(state.tickets);
    unsigned warp = threadIdx.x / WARP;
    size_t begin = size_t(ticket.tile) * FLAG_TILE;
    int valid = n - begin < FLAG_TILE ? int(n - begin) : FLAG_TILE;

    // Count: a warp its part, 32 neighbours at a time.
    unsigned is_zero = 0, count = 0; // is_zero: a bit for each of this lane's items
#pragma unroll
    for (int i = 0; i < FLAG_ITEMS; i++) {
        int at = (warp * FLAG_ITEMS + i) * WARP + lane_id();
        bool zero = at < valid && flags[begin + at] == 0;
        unsigned votes = __ballot_sync(FULL_WARP, zero);
        is_zero |= unsigned(zero) << i;
        zeros_before[at] = uint16_t(count + __popc(votes & lanes_below()));
        count += __popc(votes);
    }
    if (lane_id() == 0)
        warp_zeros[warp] = count;
    __syncthreads();
    unsigned before_warp = 0, in_tile = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before_warp += w < warp ? warp_zeros[w] : 0;
        in_tile += warp_zeros[w];
    }

    // Look back.
    if (warp == 0) {
        sk_u64 before = look_back<op_sum<sk_u64>>(state.descriptors, ticket, in_tile, 0);
        if (threadIdx.x == 0)
            zeros_before_tile = before;
    }
    constexpr uint16_t ZERO = 1u << 15; // marks the places of zeros: counts are smaller
#pragma unroll
    for (int i = 0; i < FLAG_ITEMS; i++) {
        int at = (warp * FLAG_ITEMS + i) * WARP + lane_id();
        zeros_before[at] = uint16_t((zeros_before[at] + before_warp) | (is_zero >> i & 1 ? ZERO : 0));
    }
    __syncthreads();

    // Move: neighbouring threads move neighbouring units.
    size_t all_zeros = *zeros;
    for (size_t unit = threadIdx.x; unit < valid * units; unit += MAP_THREADS) {
        size_t at = unit / units;
        size_t before = zeros_before_tile + (zeros_before[at] & (ZERO - 1));
        size_t to = zeros_before[at] & ZERO ? before : all_zeros + (begin + at - before);
        out[to * units + unit % units] = in[begin * units + unit];
    }
}

#endif
