// block_segments.cuh - sorts segments by merging in shared memory. A group of threads sorts one segment, and the groups
// of a block share its memory. Each thread sorts its elements in registers; then runs are merged two by two, and each
// thread finds its part of the output by merge path (Green, McColl and Bader 2012).
#ifndef SK_CUDA_BLOCK_SEGMENTS_CUH
#define SK_CUDA_BLOCK_SEGMENTS_CUH

#include "sort/merge/merge_path.cuh"
#include "sort/network/networks.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/segment_element.cuh"

// Elements of a group in shared memory. A merge may look at one more than there is room for, but does not use it.
__host__ __device__ constexpr unsigned group_room(unsigned threads)
{
    return threads * BLOCK_EACH + 1;
}

// N threads of a block, a power of two of warps, which sort a segment together.
template <unsigned N> struct thread_group {
    static constexpr unsigned THREADS = N;
    unsigned number = threadIdx.x / N, thread = threadIdx.x % N;

    // Barrier 0 is that of the block.
    __device__ __forceinline__ void sync() const
    {
        if constexpr (N == WARP)
            __syncwarp();
        else
            asm volatile("bar.sync %0, %1;" ::"r"(1 + number), "n"(N) : "memory");
    }
};

// All threads of a block. It takes one barrier, and more blocks are resident than if it took 16.
template <unsigned N> struct whole_block {
    static constexpr unsigned THREADS = N;
    unsigned thread = threadIdx.x;

    __device__ __forceinline__ void sync() const
    {
        __syncthreads();
    }
};

// Elements in the shared memory of a block of `threads` threads: groups of a warp need most.
__host__ __device__ constexpr unsigned block_room(unsigned threads)
{
    return threads / WARP * group_room(WARP);
}

// The thread's part of the merge of two runs of 2^level threads each, from shared memory to registers. BY_FOUR: a
// search with three tests a step. It is faster where few threads use shared memory.
template <bool BY_FOUR, unsigned EACH, class E>
__device__ __forceinline__ void merge_runs(const E *shared, unsigned thread, unsigned level, E (&mine)[EACH])
{
    unsigned first = thread >> (level + 1) << (level + 1), run = EACH << level;
    unsigned diagonal = (thread - first) * EACH;
    const E *pair = shared + first * EACH;
    auto before = [&](unsigned i, unsigned j) { return is_less(pair[run + j], pair[i]); };
    unsigned a = BY_FOUR ? merge_path_by_four(diagonal, run, run, before) : merge_path(diagonal, run, run, before);
    unsigned b = run + diagonal - a;
    E from_a = pair[a], from_b = pair[b];
#pragma unroll
    for (unsigned e = 0; e < EACH; e++) {
        bool takes_b = b < 2 * run && (a >= run || is_less(from_b, from_a));
        mine[e] = takes_b ? from_b : from_a;
        E next = pair[takes_b ? ++b : ++a];
        from_b = takes_b ? next : from_b;
        from_a = takes_b ? from_a : next;
    }
}

template <unsigned EACH, class E>
__device__ __forceinline__ void store_thread(E *shared, unsigned thread, const E (&mine)[EACH])
{
#pragma unroll
    for (unsigned e = 0; e < EACH; e++)
        shared[thread * EACH + e] = mine[e];
}

// Sorts the elements of the group's first `threads` threads. The others' elements are behind all of these. Leaves them
// in shared memory.
template <bool BY_FOUR = false, class Group, unsigned EACH, class E>
__device__ __forceinline__ void group_sort(E *shared, const Group &group, unsigned threads, E (&mine)[EACH])
{
    const unsigned thread = group.thread;
    merge_exchange<EACH>(mine);
    store_thread(shared, thread, mine);
    group.sync();
    for (unsigned level = 0; 1u << level < threads; level++) {
        if (thread < threads)
            merge_runs<BY_FOUR>(shared, thread, level, mine);
        group.sync();
        store_thread(shared, thread, mine);
        group.sync();
    }
}

// Element i of the sorted segment: of thread i % THREADS.
template <unsigned EACH, class Group, class K, class V>
__device__ __forceinline__ void store_segment(const segment_columns<K, V> &columns, const segment_element<K, V> *shared,
                                              const Group &group, uint64_t begin, unsigned length)
{
    using with = element_of<K, V>;
    constexpr unsigned THREADS = Group::THREADS;
    [[maybe_unused]] V values[EACH];
    if constexpr (HAS_VALUE<V>) {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++) {
            unsigned i = e * THREADS + group.thread;
            if (i < length)
                values[e] = columns.values_in[begin + with::place(shared[i])];
        }
        group.sync(); // the output may be the input
    }
    columns.order.with([&](auto order) {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++) {
            unsigned i = e * THREADS + group.thread;
            if (i >= length)
                continue;
            columns.keys_out[begin + i] = order.value(with::key(shared[i]));
            if constexpr (HAS_VALUE<V>)
                columns.values_out[begin + i] = values[e];
        }
    });
}

// Elements are shared out among as few threads as can hold EACH: so those without any have nothing to merge.
template <unsigned EACH, class Group, class K, class V>
__device__ __forceinline__ void sort_range(const segment_columns<K, V> &columns, uint64_t begin, unsigned length,
                                           const Group &group, segment_element<K, V> *shared)
{
    using with = element_of<K, V>;
    unsigned threads = (length - 1) / EACH + 1, thread = group.thread;
    segment_element<K, V> mine[EACH];
#pragma unroll
    for (unsigned e = 0; e < EACH; e++) {
        unsigned i = e * threads + thread;
        bool is_there = thread < threads && i < length;
        mine[e] = with::make(is_there ? columns.keys_in[begin + i] : columns.order.last, is_there ? i : ~0u);
    }
    encode_elements<K, V>(columns.order, mine);
    group_sort(shared, group, threads, mine);
    store_segment<EACH>(columns, shared, group, begin, length);
}

template <unsigned EACH, class Group, class K, class V>
__device__ __forceinline__ void sort_segment(const segment_columns<K, V> &columns, unsigned segment, const Group &group,
                                             segment_element<K, V> *shared)
{
    uint64_t begin = columns.offsets[segment];
    unsigned length = unsigned(columns.offsets[segment + size_t(1)] - begin);
    sort_range<EACH>(columns, begin, length, group, shared);
}

template <unsigned THREADS, class K, class V>
__device__ __forceinline__ void sort_by_groups(const segment_columns<K, V> &columns, const class_work &work,
                                               segment_element<K, V> *shared)
{
    thread_group<THREADS> group;
    if (group.number < work.count)
        sort_segment<BLOCK_EACH>(columns, work.segment[group.number], group,
                                 shared + group.number * group_room(THREADS));
}

// A block's share of work.
template <unsigned THREADS, class K, class V>
__device__ __forceinline__ void sort_share(const segment_columns<K, V> &columns, const class_work &work,
                                           segment_element<K, V> *shared)
{
    unsigned threads = block_threads(work.c);
    if (threads == 32)
        sort_by_groups<32>(columns, work, shared);
    else if (threads == 64)
        sort_by_groups<64>(columns, work, shared);
    else if (threads == 128)
        sort_by_groups<128>(columns, work, shared);
    else if (threads == 256 || THREADS == 256)
        sort_by_groups<256>(columns, work, shared);
    else if (threads == 512 || THREADS == 512)
        sort_by_groups<512>(columns, work, shared);
    else
        sort_by_groups<THREADS>(columns, work, shared);
}

// Segments of a share of work. A block has 16 barriers.
template <unsigned THREADS> __host__ __device__ __forceinline__ unsigned groups_of(unsigned c)
{
    unsigned groups = THREADS / block_threads(c);
    return groups > 15 && c > BLOCK_CLASS ? 15 : groups;
}

// Blocks that a multiprocessor is to hold at a time.
template <class E> constexpr unsigned resident_blocks(unsigned threads)
{
    return (sizeof(E) <= 8 ? 1024 : 512) / threads;
}

// Sorts the segments of the classes from first to last, for which a block of THREADS threads has room.
template <class K, class V, unsigned THREADS>
__global__ void __launch_bounds__(THREADS, resident_blocks<segment_element<K, V>>(THREADS))
    sort_by_blocks(segment_columns<K, V> columns, class_lists lists, unsigned first, unsigned last)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto *shared = reinterpret_cast<segment_element<K, V> *>(dynamic_memory);
    class_work work;
    wait_for_launches();
    if (!find_work(lists, first, last, blockIdx.x, groups_of<THREADS>, &work))
        return;
    sort_share<THREADS>(columns, work, shared);
}

// Sorts the segments of class C, each by a block.
template <unsigned C, class K, class V>
__global__ void __launch_bounds__(block_threads(C))
    sort_class_by_blocks(segment_columns<K, V> columns, segment_list list)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto *shared = reinterpret_cast<segment_element<K, V> *>(dynamic_memory);
    wait_for_launches();
    sort_segment<BLOCK_EACH>(columns, list.segment[blockIdx.x], whole_block<block_threads(C)>{}, shared);
}

#endif
