// block_segments.cuh - sorts segments of up to ROOM elements, each by a block, by Batcher's bitonic network in shared
// memory. With values, an element's position is the last part of its key, as in lane_segments.cuh.
#ifndef SK_CUDA_BLOCK_SEGMENTS_CUH
#define SK_CUDA_BLOCK_SEGMENTS_CUH

#include "sort/segments/segments.cuh"

constexpr unsigned BLOCK_EACH = 8; // elements of a thread, at most

template <class K, class V, unsigned ROOM> struct block_segment {
    K key[ROOM];
    uint16_t place[HAS_VALUE<V> ? ROOM : 1];

    __device__ bool before(unsigned a, unsigned b) const
    {
        if constexpr (HAS_VALUE<V>)
            return key[a] < key[b] || (key[a] == key[b] && place[a] < place[b]);
        else
            return key[a] < key[b];
    }
    __device__ void swap(unsigned a, unsigned b)
    {
        K low = key[a];
        key[a] = key[b];
        key[b] = low;
        if constexpr (HAS_VALUE<V>) {
            uint16_t at = place[a];
            place[a] = place[b];
            place[b] = at;
        }
    }
};

// Sorts `size` elements, a power of two, with THREADS threads.
template <unsigned THREADS, class S> __device__ void block_sort(S &segment, unsigned size)
{
    for (unsigned run = 2; run <= size; run *= 2)
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
            for (unsigned p = threadIdx.x; p < size / 2; p += THREADS) {
                unsigned a = 2 * p - (p & (distance - 1)), b = a + distance;
                bool rises = (a & run) == 0;
                if (rises ? segment.before(b, a) : segment.before(a, b))
                    segment.swap(a, b);
            }
            __syncthreads();
        }
}

template <class K, class V, unsigned ROOM>
__global__ void __launch_bounds__(ROOM / BLOCK_EACH) sort_by_blocks(segment_columns<K, V> columns, segment_list list)
{
    constexpr unsigned THREADS = ROOM / BLOCK_EACH;
    __shared__ block_segment<K, V, ROOM> shared;
    unsigned segment = list.segment[blockIdx.x];
    uint64_t begin = columns.offsets[segment];
    unsigned length = unsigned(columns.offsets[segment + size_t(1)] - begin), size = 2;
    while (size < length)
        size *= 2;
    for (unsigned i = threadIdx.x; i < size; i += THREADS) {
        shared.key[i] = i < length ? columns.keys_in[begin + i] : K(~K(0));
        if constexpr (HAS_VALUE<V>)
            shared.place[i] = uint16_t(i);
    }
    __syncthreads();
    block_sort<THREADS>(shared, size);
    [[maybe_unused]] V values[BLOCK_EACH];
    if constexpr (HAS_VALUE<V>) {
#pragma unroll
        for (unsigned e = 0; e < BLOCK_EACH; e++)
            if (e * THREADS + threadIdx.x < length)
                values[e] = columns.values_in[begin + shared.place[e * THREADS + threadIdx.x]];
        __syncthreads(); // the output may be the input
    }
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++) {
        unsigned i = e * THREADS + threadIdx.x;
        if (i >= length)
            continue;
        columns.keys_out[begin + i] = shared.key[i];
        if constexpr (HAS_VALUE<V>)
            columns.values_out[begin + i] = values[e];
    }
}

#endif
