// own_blocks.cuh - sorts segments, each by a block of its own: by bins, or by digits if bins do not spread the keys.
// All segments, or those that are listed.
#ifndef SK_CUDA_OWN_BLOCKS_CUH
#define SK_CUDA_OWN_BLOCKS_CUH

#include <type_traits>

#include "sort/segments/block_segments.cuh"
#include "sort/segments/own_block_segments.cuh"
#include "sort/segments/segment_bins.cuh"
#include "sort/segments/segment_digits.cuh"

// act(N), with N the first of the numbers of elements a thread that hold `length`; MOST if none before it does.
template <int MOST, int EACH = MOST, int... MORE, class Do>
__device__ __forceinline__ auto by_length(unsigned length, Do act)
{
    if constexpr (EACH < MOST) {
        if (length > OWN_THREADS * EACH)
            return by_length<MOST, MORE...>(length, act);
        return act(std::integral_constant<int, EACH>{});
    } else {
        return act(std::integral_constant<int, MOST>{});
    }
}

// columns: of the segment. Keys of one or two bytes have few values, which crowd bins. Eight digits take longer than
// nine rounds of merges.
template <class K, class V, int MOST_EACH>
__device__ __forceinline__ void sort_own(own_memory<K, V, MOST_EACH> &shared, const segment_columns<K, V> &columns,
                                         unsigned length, rank_by way)
{
    if constexpr (sizeof(K) >= 4) {
        constexpr int NEXT = sizeof(K) == 8 && HAS_VALUE<V> ? MOST_EACH : 22; // why: bench/NOTES.md
        if (by_length<MOST_EACH, 2, 4, 6, 8, 12, 16, NEXT>(
                length, [&](auto each) { return sort_by_bins<each.value>(shared, columns, length); }))
            return;
        __syncthreads();
    }
    if constexpr (sizeof(K) == 8 && !HAS_VALUE<V>) {
        constexpr int MERGE_EACH = MOST_EACH < int(BLOCK_EACH) ? MOST_EACH : int(BLOCK_EACH);
        if (length <= OWN_THREADS * MERGE_EACH)
            return by_length<MERGE_EACH, 3, 7>(length, [&](auto each) {
                sort_range<each.value>(columns, 0, length, whole_block<OWN_THREADS>{}, shared.key);
            });
    }
    by_length<MOST_EACH, 2, 6, 12>(length,
                                   [&](auto each) { sort_by_digits<each.value>(shared, columns, length, way); });
}

// Sorts one segment, if it has elements, and not more than there is room for.
template <class K, class V, int MOST_EACH>
__device__ __forceinline__ void sort_own_segment(own_memory<K, V, MOST_EACH> &shared, segment_columns<K, V> columns,
                                                 unsigned segment, rank_by way)
{
    uint64_t begin = columns.offsets[segment], length = columns.offsets[segment + size_t(1)] - begin;
    if (length == 0 || length > shared.MOST)
        return;
    columns.keys_in += begin;
    columns.keys_out += begin;
    if constexpr (HAS_VALUE<V>) {
        columns.values_in += begin;
        columns.values_out += begin;
    }
    sort_own(shared, columns, unsigned(length), way);
}

// Lists the segments that are longer than a block has room for, and reports what is left, by one block.
__device__ __forceinline__ void list_longer(const uint64_t *offsets, unsigned segments, const own_report &report)
{
    __shared__ unsigned count;
    __shared__ unsigned long long elements;
    if (threadIdx.x == 0)
        count = elements = 0;
    __syncthreads();
    for (unsigned s = threadIdx.x; s < segments; s += OWN_THREADS) {
        uint64_t length = offsets[s + 1] - offsets[s];
        if (length <= OWN_MOST)
            continue;
        report.list[atomicAdd(&count, 1u)] = s;
        atomicAdd(&elements, (unsigned long long)length);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        report.word.put(own_rest{offsets[0] > 0 || offsets[segments] < report.n, count, elements}.packed());
}

// Block s sorts segment s, if it has OWN_MOST elements at most. The last block lists longer ones. ARE_WORDS: whether
// keys are.
template <class K, class V, bool ARE_WORDS>
__global__ void __launch_bounds__(OWN_THREADS)
    sort_in_own_blocks(segment_columns<K, V> columns, unsigned segments, rank_by way, own_report report)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    columns.order.template fix<ARE_WORDS>();
    wait_for_launches();
    if (blockIdx.x == segments)
        return list_longer(columns.offsets, segments, report);
    sort_own_segment(*reinterpret_cast<own_memory<K, V, OWN_EACH> *>(dynamic_memory), columns, blockIdx.x, way);
}

// Segments of a block's share of work.
__host__ __device__ __forceinline__ unsigned one_segment(unsigned)
{
    return 1;
}

// Each block sorts a segment of the classes from first to last, for which MOST_EACH elements a thread are enough.
template <class K, class V, int MOST_EACH>
__global__ void __launch_bounds__(OWN_THREADS, MOST_EACH > EACH_OF_TWO<K, V> ? 1 : 2)
    sort_listed_in_own_blocks(segment_columns<K, V> columns, class_lists lists, unsigned first, unsigned last,
                              rank_by way)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    class_work work;
    wait_for_launches();
    if (find_work(lists, first, last, blockIdx.x, one_segment, &work))
        sort_own_segment(*reinterpret_cast<own_memory<K, V, MOST_EACH> *>(dynamic_memory), columns, work.segment[0],
                         way);
}

#endif
