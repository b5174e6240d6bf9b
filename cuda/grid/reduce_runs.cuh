// reduce_runs.cuh - reduction by key, the keys having become flags where runs begin: a segmented scan in a single pass
// with look-back, of which the last value of each run is kept.
#ifndef SK_CUDA_GRID_REDUCE_RUNS_CUH
#define SK_CUDA_GRID_REDUCE_RUNS_CUH

#include "grid/segment.cuh"
#include "op.cuh"
#include "tile.cuh"
#include "tuning.cuh"

// What is reduced: an array (which the results may replace), or ones.
template <class T> struct array_source {
    const T *array;
    template <class Tile> __device__ __forceinline__ void load(Tile &data, size_t begin, size_t n) const
    {
        data.load(array + begin, n - begin, T(0));
    }
};

struct ones_source {
    template <class Tile> __device__ __forceinline__ void load(Tile &data, size_t, size_t) const
    {
#pragma unroll
        for (auto &row : data.row)
            for (auto &item : row.item)
                item = 1;
    }
};

template <class T> struct reduce_runs_arguments {
    const uint8_t *heads; // 1 where a run begins; heads[0] is 1
    T *out;
    size_t n;
    bool ordered;                     // the order of operations depends on n alone
    lookback_state<segment<T>> state; // its result is the number of runs
};

// A tile's segments by rows: what stands before this lane's vector of each row, in the warp's part.
template <class Op, class Tile> struct segment_rows {
    using T = typename Op::type;
    using op = op_segment<Op>;
    static constexpr int ROWS = sizeof(Tile::row) / 16, PER_ROW = Tile::PER_VECTOR;
    Tile data;
    unsigned heads[ROWS]; // a bit an element
    segment<T> before[ROWS];

    __device__ __forceinline__ void load_heads(const uint8_t *flags, size_t valid)
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            heads[r] = 0;
#pragma unroll
            for (int i = 0; i < PER_ROW; i++) {
                size_t place = Tile::place(r) + i;
                heads[r] |= (place < valid ? unsigned(flags[place]) : 0) << i;
            }
        }
    }

    // What an element is; those past the end are nothing.
    __device__ __forceinline__ segment<T> at(int r, int i, size_t valid) const
    {
        return {heads[r] >> i & 1, Tile::place(r) + i < valid ? data.row[r].item[i] : Op::identity()};
    }

    // Upsweep: the warp's aggregate.
    __device__ __forceinline__ segment<T> upsweep(size_t valid)
    {
        segment<T> total = op::identity();
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            segment<T> own = at(r, 0, valid);
#pragma unroll
            for (int i = 1; i < PER_ROW; i++)
                own = op::combine(own, at(r, i, valid));
            segment<T> inclusive = warp_scan<op>(own);
            before[r] = op::combine(total, warp_before<op>(inclusive));
            total = op::combine(total, warp_from(inclusive, WARP - 1));
        }
        return total;
    }

    // Downsweep: a run is complete where the next one begins.
    __device__ __forceinline__ void write(segment<T> before_warp, size_t valid, T *out) const
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            segment<T> running = op::combine(before_warp, before[r]);
#pragma unroll
            for (int i = 0; i < PER_ROW; i++) {
                segment<T> own = at(r, i, valid);
                if (own.runs > 0 && running.runs > 0)
                    out[running.runs - 1] = running.open;
                running = op::combine(running, own);
            }
        }
    }
};

template <class T> using reduce_runs_tile = tile<T, REDUCE_RUNS_THREADS, REDUCE_RUNS_VECTORS<T>>;

template <class Op, class Source>
static __global__ void __launch_bounds__(REDUCE_RUNS_THREADS)
    reduce_runs(Source source, reduce_runs_arguments<typename Op::type> to)
{
    using T = typename Op::type;
    using elements = reduce_runs_tile<T>;
    using op = op_segment<Op>;
    constexpr int WARPS = elements::WARPS;
    __shared__ segment<T> warp_totals[WARPS], before_tile;

    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned warp = threadIdx.x / WARP;
    size_t begin = size_t(ticket.tile) * elements::SIZE, valid = to.n - begin;
    segment_rows<Op, elements> rows;
    source.load(rows.data, begin, to.n);
    rows.load_heads(to.heads + begin, valid);
    segment<T> total = rows.upsweep(valid);
    if (lane_id() == 0)
        warp_totals[warp] = total;
    __syncthreads();
    segment<T> before_warp = op::identity(), aggregate = op::identity();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = aggregate;
        aggregate = op::combine(aggregate, warp_totals[w]);
    }
    if (warp == 0) {
        segment<T> before = to.ordered
                                ? look_at_predecessor<op>(to.state.descriptors, ticket, aggregate, op::identity())
                                : look_back<op>(to.state.descriptors, ticket, aggregate, op::identity());
        if (threadIdx.x == 0) {
            before_tile = before;
            if (begin + elements::SIZE >= to.n) {
                segment<T> all = op::combine(before, aggregate);
                *to.state.result = all.runs;
                to.out[all.runs - 1] = all.open;
            }
        }
    }
    __syncthreads();
    rows.write(op::combine(before_tile, before_warp), valid, to.out);
}

#endif
