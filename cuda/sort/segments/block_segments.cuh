// block_segments.cuh - sorts segments of up to ROOM elements, each by a block, by merging in shared memory. Each thread
// sorts its elements in registers; then runs are merged two by two, and each thread finds its part of the output by
// merge path (Green, McColl and Bader 2012). With values, an element's position is the last part of its key, as in
// lane_segments.cuh.
#ifndef SK_CUDA_BLOCK_SEGMENTS_CUH
#define SK_CUDA_BLOCK_SEGMENTS_CUH

#include "sort/merge/merge_path.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/exchange_network.cuh"
#include "sort/segments/lane_segments.cuh"

template <class K, class V> using block_element = typename lane_element<K, V>::type;

// One element more than there is room for: a merge may look at it, but does not use it.
template <class K, class V, unsigned ROOM> struct block_room {
    block_element<K, V> element[ROOM + 1];
};

// The thread's part of the merge of two runs of 2^level threads each, from shared memory to registers.
template <class E> __device__ __forceinline__ void merge_runs(const E *shared, unsigned level, E (&mine)[BLOCK_EACH])
{
    unsigned first = threadIdx.x >> (level + 1) << (level + 1), run = BLOCK_EACH << level;
    unsigned diagonal = (threadIdx.x - first) * BLOCK_EACH;
    const E *pair = shared + first * BLOCK_EACH;
    unsigned a = merge_path(diagonal, run, run, [&](unsigned i, unsigned j) { return pair[run + j] < pair[i]; });
    unsigned b = run + diagonal - a;
    E from_a = pair[a], from_b = pair[b];
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++) {
        bool takes_b = b < 2 * run && (a >= run || from_b < from_a);
        mine[e] = takes_b ? from_b : from_a;
        E next = pair[takes_b ? ++b : ++a];
        from_b = takes_b ? next : from_b;
        from_a = takes_b ? from_a : next;
    }
}

template <class E> __device__ __forceinline__ void store_thread(E *shared, const E (&mine)[BLOCK_EACH])
{
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++)
        shared[threadIdx.x * BLOCK_EACH + e] = mine[e];
}

// Sorts the elements of `threads` threads. The others' elements are behind all of these. Leaves them in shared memory.
template <class E> __device__ __forceinline__ void block_sort(E *shared, unsigned threads, E (&mine)[BLOCK_EACH])
{
    merge_exchange(mine);
    store_thread(shared, mine);
    __syncthreads();
    for (unsigned level = 0; 1u << level < threads; level++) {
        if (threadIdx.x < threads)
            merge_runs(shared, level, mine);
        __syncthreads();
        store_thread(shared, mine);
        __syncthreads();
    }
}

// Element i of the sorted segment: of thread i % THREADS.
template <class K, class V, unsigned ROOM>
__device__ __forceinline__ void store_segment(const segment_columns<K, V> &columns,
                                              const block_room<K, V, ROOM> &shared, uint64_t begin, unsigned length)
{
    using element = lane_element<K, V>;
    constexpr unsigned THREADS = ROOM / BLOCK_EACH;
    [[maybe_unused]] V values[BLOCK_EACH];
    if constexpr (HAS_VALUE<V>) {
#pragma unroll
        for (unsigned e = 0; e < BLOCK_EACH; e++)
            if (e * THREADS + threadIdx.x < length)
                values[e] = columns.values_in[begin + element::place(shared.element[e * THREADS + threadIdx.x])];
        __syncthreads(); // the output may be the input
    }
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++) {
        unsigned i = e * THREADS + threadIdx.x;
        if (i >= length)
            continue;
        columns.keys_out[begin + i] = element::key(shared.element[i]);
        if constexpr (HAS_VALUE<V>)
            columns.values_out[begin + i] = values[e];
    }
}

// Elements are shared out among as few threads as can hold them: so those without any have nothing to merge.
template <class K, class V, unsigned ROOM>
__global__ void __launch_bounds__(ROOM / BLOCK_EACH) sort_by_blocks(segment_columns<K, V> columns, segment_list list)
{
    using element = lane_element<K, V>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<block_room<K, V, ROOM> *>(dynamic_memory);
    unsigned segment = list.segment[blockIdx.x];
    uint64_t begin = columns.offsets[segment];
    unsigned length = unsigned(columns.offsets[segment + size_t(1)] - begin);
    unsigned threads = (length - 1) / BLOCK_EACH + 1;
    block_element<K, V> mine[BLOCK_EACH];
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++) {
        unsigned i = e * threads + threadIdx.x;
        bool is_there = threadIdx.x < threads && i < length;
        mine[e] = element::make(is_there ? columns.keys_in[begin + i] : K(~K(0)), is_there ? i : ROOM);
    }
    block_sort(shared.element, threads, mine);
    store_segment<K, V, ROOM>(columns, shared, begin, length);
}

#endif
