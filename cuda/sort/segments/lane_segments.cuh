// lane_segments.cuh - sorts short segments, each by some lanes of a warp, by Batcher's networks in registers (Batcher
// 1968). A lane sorts its elements, and lanes merge. The output passes through shared memory, so that whole warps
// write.
#ifndef SK_CUDA_LANE_SEGMENTS_CUH
#define SK_CUDA_LANE_SEGMENTS_CUH

#include "sort/network/networks.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/segment_element.cuh"

constexpr unsigned LANE_THREADS = 128;

// Classes that lanes sort. Longer segments of wide elements are sorted faster by blocks.
template <class E> constexpr unsigned LANE_CLASSES = BLOCK_CLASS + (sizeof(E) <= 4 ? 2 : 0);

// The network for segments of class c: lanes, and elements of a lane, for which it has registers. Class 0 has that of
// class 1: so a segment is a row of a warp at least.
__host__ __device__ constexpr unsigned lane_most(unsigned c)
{
    return 16u << (c < 1 ? 1 : c);
}
template <class E> __host__ __device__ constexpr unsigned lane_each(unsigned c)
{
    constexpr unsigned MOST = sizeof(E) <= 4 ? 32 : sizeof(E) <= 8 ? 16 : 8;
    return lane_most(c) / 2 < MOST ? lane_most(c) / 2 : MOST;
}
template <class E> __host__ __device__ constexpr unsigned lanes_of(unsigned c)
{
    return lane_most(c) / lane_each<E>(c);
}

// Elements of a warp in shared memory. A gap behind each lane's puts lanes into different banks.
template <unsigned EACH, class E> using lane_room = E[WARP * (EACH + 1)];

// The segments of a warp, each of LANES lanes.
template <unsigned LANES, unsigned EACH> struct lane_rows {
    static constexpr unsigned ROWS = LANES * EACH / WARP; // of a segment
    uint64_t begin;                                       // of the lane's segment
    unsigned length;                                      // 0 if the lane has none

    // Calls visit(row, begin, i, from) for element i of each segment that begins at `begin`: it is element `from` of
    // the room. By whole warps, a row at a time.
    template <class Visit> __device__ __forceinline__ void for_all(Visit visit) const
    {
#pragma unroll
        for (unsigned row = 0; row < EACH; row++) {
            unsigned first = row / ROWS * LANES, i = row % ROWS * WARP + lane_id(); // first: lane of the segment
            uint64_t its_begin = __shfl_sync(FULL_WARP, begin, int(first));
            if (i < __shfl_sync(FULL_WARP, length, int(first)))
                visit(row, its_begin, i, first * (EACH + 1) + i + i / EACH);
        }
    }
};

// Each segment of the work by LANES lanes.
template <unsigned LANES, unsigned EACH, class K, class V>
__device__ __forceinline__ void sort_by_lanes(const segment_columns<K, V> &columns, const class_work &work,
                                              segment_element<K, V> *room)
{
    using with = element_of<K, V>;
    unsigned own = lane_id() % LANES, number = threadIdx.x / LANES;
    lane_rows<LANES, EACH> rows = {0, 0};
    if (number < work.count) {
        unsigned segment = work.segment[number];
        rows.begin = columns.offsets[segment];
        rows.length = unsigned(columns.offsets[segment + size_t(1)] - rows.begin);
    }
    segment_element<K, V> mine[EACH];
#pragma unroll
    for (unsigned e = 0; e < EACH; e++) {
        unsigned i = e * LANES + own;
        mine[e] = with::make(i < rows.length ? columns.keys_in[rows.begin + i] : columns.order.last, i);
    }
    encode_elements<K, V>(columns.order, mine);
    merge_exchange(mine);
    sort_lanes<LANES>(mine);
#pragma unroll
    for (unsigned e = 0; e < EACH; e++)
        room[lane_id() * (EACH + 1) + e] = mine[e];
    __syncwarp();
    [[maybe_unused]] V values[EACH];
    if constexpr (HAS_VALUE<V>) {
        rows.for_all([&](unsigned row, uint64_t begin, unsigned, unsigned from) {
            values[row] = columns.values_in[begin + with::place(room[from])];
        });
        __syncwarp(); // the output may be the input
    }
    columns.order.with([&](auto order) {
        rows.for_all([&](unsigned row, uint64_t begin, unsigned i, unsigned from) {
            columns.keys_out[begin + i] = order.value(with::key(room[from]));
            if constexpr (HAS_VALUE<V>)
                columns.values_out[begin + i] = values[row];
        });
    });
}

template <unsigned C, unsigned LAST, class K, class V>
__device__ __forceinline__ void sort_class_by_lanes(const segment_columns<K, V> &columns, const class_work &work,
                                                    segment_element<K, V> *room)
{
    using E = segment_element<K, V>;
    if (C == LAST || work.c == C)
        sort_by_lanes<lanes_of<E>(C), lane_each<E>(C)>(columns, work, room);
    else if constexpr (C < LAST)
        sort_class_by_lanes<C + 1, LAST>(columns, work, room);
}

// Segments of a share of work.
template <class E> __host__ __device__ __forceinline__ unsigned lane_segments(unsigned c)
{
    return LANE_THREADS / lanes_of<E>(c);
}

// Sorts the segments of the classes from FIRST to LAST. A block takes a share.
template <unsigned FIRST, unsigned LAST, class K, class V>
__global__ void __launch_bounds__(LANE_THREADS) sort_lane_classes(segment_columns<K, V> columns, class_lists lists)
{
    using E = segment_element<K, V>;
    __shared__ lane_room<lane_each<E>(LAST), E> room[LANE_THREADS / WARP];
    class_work work;
    wait_for_launches();
    if (find_work(lists, FIRST, LAST, blockIdx.x, lane_segments<E>, &work))
        sort_class_by_lanes<FIRST, LAST>(columns, work, room[threadIdx.x / WARP]);
}

#endif
