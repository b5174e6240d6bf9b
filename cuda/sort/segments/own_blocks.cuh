// own_blocks.cuh - sorts segments, each by a block of its own: by bins, or by digits if bins do not spread the keys.
#ifndef SK_CUDA_OWN_BLOCKS_CUH
#define SK_CUDA_OWN_BLOCKS_CUH

#include <type_traits>

#include "sort/segments/block_segments.cuh"
#include "sort/segments/segment_bins.cuh"
#include "sort/segments/segment_digits.cuh"

// act(N), with N the first of the numbers of elements a thread, EACH or one behind it, that hold `length`; or the last.
template <int EACH, int... MORE, class Do> __device__ __forceinline__ auto by_length(unsigned length, Do act)
{
    if constexpr (sizeof...(MORE) > 0) {
        if (length > OWN_THREADS * EACH)
            return by_length<MORE...>(length, act);
    }
    return act(std::integral_constant<int, EACH>{});
}

// columns: of the segment. Keys of one or two bytes have few values, which crowd bins. Eight digits take longer than
// nine rounds of merges.
template <class K, class V>
__device__ __forceinline__ void sort_own(own_memory<K, V> &shared, const segment_columns<K, V> &columns,
                                         unsigned length, rank_by way)
{
    if constexpr (sizeof(K) >= 4) {
        if (by_length<2, 4, 6, 8, 12, 16, 22, OWN_EACH>(
                length, [&](auto each) { return sort_by_bins<each.value>(shared, columns, length); }))
            return;
        __syncthreads();
    }
    if constexpr (sizeof(K) == 8 && !HAS_VALUE<V>) {
        if (length <= OWN_THREADS * BLOCK_EACH)
            return by_length<3, 7, BLOCK_EACH>(length, [&](auto each) {
                sort_range<each.value>(columns, 0, length, thread_group<OWN_THREADS>(threadIdx.x), shared.key);
            });
    }
    by_length<2, 6, 12, OWN_EACH>(length, [&](auto each) { sort_by_digits<each.value>(shared, columns, length, way); });
}

// Block s sorts segment s, if it has OWN_MOST elements at most. The last block reports whether there are longer ones.
template <class K, class V>
__global__ void __launch_bounds__(OWN_THREADS)
    sort_in_own_blocks(segment_columns<K, V> columns, unsigned segments, rank_by way, rest_report report)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    const uint64_t *offsets = columns.offsets;
    wait_for_launches();
    if (blockIdx.x == segments) {
        bool has_longer = false;
        for (unsigned s = threadIdx.x; s < segments; s += OWN_THREADS)
            has_longer = has_longer || offsets[s + 1] - offsets[s] > OWN_MOST;
        has_longer = __syncthreads_or(has_longer);
        if (threadIdx.x == 0)
            report.put(has_longer, offsets[0], offsets[segments]);
        return;
    }
    uint64_t begin = offsets[blockIdx.x], length = offsets[blockIdx.x + 1] - begin;
    if (length == 0 || length > OWN_MOST)
        return;
    columns.keys_in += begin;
    columns.keys_out += begin;
    if constexpr (HAS_VALUE<V>) {
        columns.values_in += begin;
        columns.values_out += begin;
    }
    sort_own(*reinterpret_cast<own_memory<K, V> *>(dynamic_memory), columns, unsigned(length), way);
}

#endif
