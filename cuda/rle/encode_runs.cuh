// encode_runs.cuh - run-length encoding of scalars in a single pass with look-back: where an element differs from the
// one before it a run begins. What crosses tiles is the number of runs and how long the open one has become.
//
// It works in place as compaction does (compact.cuh). One element of the tile before is looked at besides, its last,
// when that tile may have begun to write: but what it writes there, if anything, is that element, as only a tile of
// nothing but runs of one in front of nothing but such tiles writes so far.
#ifndef SK_CUDA_GRID_ENCODE_RUNS_CUH
#define SK_CUDA_GRID_ENCODE_RUNS_CUH

#include "common/row_ranks.cuh"
#include "scan/segment.cuh"
#include "common/op.cuh"
#include "device/tuning.cuh"

using length_segment = segment<sk_u64>;

// A tile begins at a multiple of 16 bytes, so the first one begins `head` elements before the array.
struct encode_arguments {
    const void *in;
    void *values;     // NULL where not wanted
    uint64_t *counts; // NULL where not wanted
    size_t n;
    unsigned head;
    lookback_state<length_segment> state; // its result is the number of runs
};

template <class U> using encode_tile = tile<U, ENCODE_THREADS, ENCODE_VECTORS<U>>;
template <class U> using encode_ranks = row_ranks<U, ENCODE_THREADS, ENCODE_VECTORS<U>>;

// The bits of those that begin a run. before: the element in front of the warp's first.
template <class U>
__device__ __forceinline__ void find_heads(const encode_tile<U> &data, U before, encode_ranks<U> &heads)
{
    constexpr int PER_ROW = encode_tile<U>::PER_VECTOR;
#pragma unroll
    for (int r = 0; r < ENCODE_VECTORS<U>; r++) {
        U last = data.row[r].item[PER_ROW - 1], left = warp_up(last, 1);
        left = lane_id() == 0 ? before : left;
        before = warp_from(last, WARP - 1);
        heads.bits[r] = 0;
#pragma unroll
        for (int i = 0; i < PER_ROW; i++) {
            heads.bits[r] |= unsigned(data.row[r].item[i] != left) << i;
            left = data.row[r].item[i];
        }
    }
}

// The place in the tile behind the last one chosen in the warp, 0 where there is none.
template <class U> __device__ __forceinline__ unsigned behind_last(const encode_ranks<U> &heads)
{
    unsigned behind = 0;
#pragma unroll
    for (int r = 0; r < ENCODE_VECTORS<U>; r++)
        behind = heads.bits[r] != 0 ? encode_tile<U>::place(r) + WARP - __clz(heads.bits[r]) : behind;
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        behind = max(behind, __shfl_xor_sync(FULL_WARP, behind, distance));
    return behind;
}

// The lengths of the runs that end where the warp's begin. previous: where the run begins that is open at the warp's
// first, in the tile, or before it. rank: of the warp's first run among all.
__device__ __forceinline__ void write_lengths(uint64_t *counts, const uint16_t *places, unsigned count, size_t rank,
                                              long long previous)
{
    for (unsigned k = lane_id(); k < count; k += WARP)
        if (rank + k > 0)
            counts[rank + k - 1] = uint64_t(places[k] - (k > 0 ? (long long)places[k - 1] : previous));
}

template <class U>
static __global__ void __launch_bounds__(ENCODE_THREADS, ENCODE_BLOCKS<U>) encode_scalars(encode_arguments to)
{
    using elements = encode_tile<U>;
    constexpr int WARPS = elements::WARPS, WARP_SIZE = elements::SIZE / WARPS;
    using op = op_segment<op_sum<sk_u64>>;
    static_assert(elements::SIZE <= 1 << 16, "places in a tile are 16 bits");
    // Staged by each warp by itself: first its runs' values, then their places.
    constexpr int STAGED = sizeof(U) < sizeof(uint16_t) ? sizeof(uint16_t) : sizeof(U);
    __shared__ __align__(16) unsigned char staging[elements::SIZE * STAGED];
    __shared__ unsigned warp_totals[WARPS], warp_behind[WARPS];
    __shared__ length_segment before_tile;

    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned tile = ticket.tile, warp = threadIdx.x / WARP;
    size_t begin = size_t(tile) * elements::SIZE;                              // counted from the head
    size_t low = begin < to.head ? to.head : 0, high = to.head + to.n - begin; // what is valid in the tile
    high = high < elements::SIZE ? high : elements::SIZE;
    const U *in = static_cast<const U *>(to.in) - to.head + begin;
    unsigned warp_begin = warp * WARP_SIZE;
    elements data;
    data.load(in, low, high, U(0));

    // Find and rank the heads. The array's first element is one.
    bool has_before = begin + warp_begin > to.head && warp_begin < high;
    encode_ranks<U> heads;
    find_heads<U>(data, has_before ? in[(long long)warp_begin - 1] : U(0), heads);
    if (tile == 0) {
#pragma unroll
        for (int r = 0; r < ENCODE_VECTORS<U>; r++)
            if (low - elements::place(r) < elements::PER_VECTOR)
                heads.bits[r] |= 1u << (low - elements::place(r));
    }
    heads.limit(low, high);
    unsigned warp_total = heads.rank(), behind = behind_last<U>(heads);
    if (lane_id() == 0) {
        warp_totals[warp] = warp_total;
        warp_behind[warp] = behind;
    }
    U *values = reinterpret_cast<U *>(staging + warp_begin * STAGED);
    if (to.values != nullptr)
        heads.each([&](unsigned rank, unsigned, int r, int i) { values[rank] = data.row[r].item[i]; });
    __syncthreads();

    // What the tile is to its runs, and what stands before it.
    unsigned before_warp = 0, in_tile = 0, last_before = 0, last = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before_warp += w < warp ? warp_totals[w] : 0;
        in_tile += warp_totals[w];
        last_before = w < warp ? max(last_before, warp_behind[w]) : last_before;
        last = max(last, warp_behind[w]);
    }
    if (warp == 0) {
        length_segment aggregate = {in_tile, high - (last > 0 ? last - 1 : low)};
        length_segment before = look_back<op>(to.state.descriptors, ticket, aggregate, op::identity());
        if (threadIdx.x == 0) {
            before_tile = before;
            if (begin + elements::SIZE >= to.head + to.n) {
                length_segment all = op::combine(before, aggregate);
                *to.state.result = all.runs;
                if (to.counts != nullptr)
                    to.counts[all.runs - 1] = all.open;
            }
        }
    }
    __syncthreads();

    // Write.
    size_t rank = before_tile.runs + before_warp;
    if (to.values != nullptr)
        copy_run(static_cast<U *>(to.values) + rank, values, warp_total);
    if (to.counts == nullptr)
        return;
    uint16_t *places = reinterpret_cast<uint16_t *>(staging + warp_begin * STAGED);
    __syncwarp();
    heads.each([&](unsigned rank, unsigned place, int, int) { places[rank] = uint16_t(place); });
    __syncwarp();
    write_lengths(to.counts, places, warp_total, rank,
                  last_before > 0 ? (long long)last_before - 1 : (long long)(low - before_tile.open));
}

#endif
