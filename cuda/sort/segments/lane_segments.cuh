// lane_segments.cuh - sorts short segments, each by LANES lanes of a warp with EACH elements a lane, by Batcher's
// bitonic network in registers (Batcher 1968). With values, an element's position is the last part of its key: so the
// sort is stable, and elements behind the end stay behind.
#ifndef SK_CUDA_LANE_SEGMENTS_CUH
#define SK_CUDA_LANE_SEGMENTS_CUH

#include "common/warp.cuh"
#include "sort/segments/classes.cuh"

constexpr int LANE_THREADS = 256;

template <class K> using sort_word = typename word_of<(sizeof(K) < 4 ? 4 : sizeof(K))>::type;

// A key with its position in the segment.
struct placed_key {
    uint64_t key;
    unsigned place;
    __device__ bool operator<(const placed_key &other) const
    {
        return key < other.key || (key == other.key && place < other.place);
    }
};

template <class K, class V> struct lane_element {
    using type =
        std::conditional_t<!HAS_VALUE<V>, sort_word<K>, std::conditional_t<sizeof(K) <= 4, uint64_t, placed_key>>;
    static __device__ type make(K key, unsigned place)
    {
        if constexpr (!HAS_VALUE<V>)
            return type(key);
        else if constexpr (sizeof(K) <= 4)
            return uint64_t(key) << 32 | place;
        else
            return placed_key{key, place};
    }
    static __device__ K key(type element)
    {
        if constexpr (!HAS_VALUE<V>)
            return K(element);
        else if constexpr (sizeof(K) <= 4)
            return K(element >> 32);
        else
            return element.key;
    }
    static __device__ unsigned place(type element)
    {
        if constexpr (!HAS_VALUE<V>)
            return 0;
        else if constexpr (sizeof(K) <= 4)
            return unsigned(element);
        else
            return element.place;
    }
};

template <class E> __device__ __forceinline__ E from_lane(E element, int distance)
{
    return __shfl_xor_sync(FULL_WARP, element, distance);
}

template <> __device__ __forceinline__ placed_key from_lane(placed_key element, int distance)
{
    return {__shfl_xor_sync(FULL_WARP, element.key, distance), __shfl_xor_sync(FULL_WARP, element.place, distance)};
}

// Element i of a segment is element i / LANES of lane i % LANES. One step of the network: partners are `distance`
// apart, and runs of `run` elements become bitonic.
template <int LANES, int EACH, class E>
__device__ __forceinline__ void lane_step(E (&element)[EACH], unsigned lane, int run, int distance)
{
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        bool rises = ((unsigned(e * LANES) + lane) & unsigned(run)) == 0;
        if (distance >= LANES) {
            int other = e | distance / LANES;
            if (other == e || other >= EACH)
                continue;
            bool swap = rises ? element[other] < element[e] : element[e] < element[other];
            E low = swap ? element[other] : element[e];
            element[other] = swap ? element[e] : element[other];
            element[e] = low;
        } else {
            E other = from_lane(element[e], distance);
            bool takes_low = ((lane & unsigned(distance)) == 0) == rises;
            element[e] = (other < element[e]) == takes_low ? other : element[e];
        }
    }
}

template <int LANES, int EACH, class E> __device__ __forceinline__ void lane_sort(E (&element)[EACH], unsigned lane)
{
#pragma unroll
    for (int run = 2; run <= LANES * EACH; run *= 2)
#pragma unroll
        for (int distance = run / 2; distance > 0; distance /= 2)
            lane_step<LANES>(element, lane, run, distance);
}

// Each segment of the work by LANES lanes. Lanes without a segment sort nothing, beside the others.
template <int LANES, int EACH, class K, class V>
__device__ __forceinline__ void sort_by_lanes(const segment_columns<K, V> &columns, const class_work &work)
{
    using element = lane_element<K, V>;
    unsigned lane = threadIdx.x % LANES, at = threadIdx.x / LANES;
    uint64_t begin = 0;
    unsigned length = 0;
    if (at < work.count) {
        unsigned segment = work.segment[at];
        begin = columns.offsets[segment];
        length = unsigned(columns.offsets[segment + size_t(1)] - begin);
    }
    typename element::type mine[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        unsigned i = unsigned(e * LANES) + lane;
        mine[e] = element::make(i < length ? columns.keys_in[begin + i] : K(~K(0)), i);
    }
    lane_sort<LANES>(mine, lane);
    [[maybe_unused]] V values[EACH];
    if constexpr (HAS_VALUE<V>) {
#pragma unroll
        for (int e = 0; e < EACH; e++)
            if (unsigned(e * LANES) + lane < length)
                values[e] = columns.values_in[begin + element::place(mine[e])];
    }
    __syncwarp(); // the output may be the input
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        unsigned i = unsigned(e * LANES) + lane;
        if (i >= length)
            continue;
        columns.keys_out[begin + i] = element::key(mine[e]);
        if constexpr (HAS_VALUE<V>)
            columns.values_out[begin + i] = values[e];
    }
}

// Segments of a share of work.
__host__ __device__ __forceinline__ unsigned lane_segments(unsigned c)
{
    unsigned lanes = 4u << c;
    return LANE_THREADS / (lanes < WARP ? lanes : unsigned(WARP));
}

template <class K, class V>
__device__ __forceinline__ void sort_by_lanes_of(const segment_columns<K, V> &columns, const class_work &work)
{
    if (work.c == 0)
        sort_by_lanes<4, 4>(columns, work);
    else if (work.c == 1)
        sort_by_lanes<8, 4>(columns, work);
    else if (work.c == 2)
        sort_by_lanes<16, 4>(columns, work);
    else if (work.c == 3)
        sort_by_lanes<32, 4>(columns, work);
    else
        sort_by_lanes<32, 8>(columns, work);
}

// Sorts the segments of the classes before BLOCK_CLASS. A block takes a share; with LOOPS, one after another, which
// costs registers.
template <bool LOOPS, class K, class V>
__global__ void __launch_bounds__(LANE_THREADS) sort_short(segment_columns<K, V> columns, class_lists lists)
{
    class_work work;
    wait_for_launches();
    if constexpr (LOOPS) {
        for (unsigned number = blockIdx.x; find_work(lists, 0, BLOCK_CLASS - 1, number, lane_segments, &work);
             number += gridDim.x)
            sort_by_lanes_of(columns, work);
    } else if (find_work(lists, 0, BLOCK_CLASS - 1, blockIdx.x, lane_segments, &work)) {
        sort_by_lanes_of(columns, work);
    }
}

#endif
