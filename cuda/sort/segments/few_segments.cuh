// few_segments.cuh - sorts few segments in one launch. Each block looks at the lengths of all and finds its share of
// the work by itself, so there are no lists. As many blocks as the GPU runs at a time get a share.
#ifndef SK_CUDA_FEW_SEGMENTS_CUH
#define SK_CUDA_FEW_SEGMENTS_CUH

#include "sort/segments/block_segments.cuh"

// Most segments: each block looks at all of them.
constexpr size_t FEW_MOST = 2048;

// No class of blocks: a segment without elements, or a long one.
constexpr unsigned NO_CLASS = CLASSES;

__device__ __forceinline__ unsigned class_of_few(uint64_t length, unsigned block_classes)
{
    unsigned c = class_of(length, block_classes);
    c = c < BLOCK_CLASS ? BLOCK_CLASS : c;
    return length > 0 && c < LONG_CLASS ? c : NO_CLASS;
}

// A block's view of all segments, in shared memory.
template <unsigned THREADS> struct few_lists {
    unsigned count[LONG_CLASS];       // segments of each class
    unsigned long_ones;               // segments that are too long
    unsigned in_warp[THREADS / WARP]; // segments of the block's class that a warp has found
    unsigned segment[THREADS / WARP]; // the block's share

    // Counts the segments of each class.
    __device__ __forceinline__ void count_all(const segment_lengths &lengths, unsigned segments)
    {
        for (unsigned c = threadIdx.x; c < LONG_CLASS; c += THREADS)
            count[c] = 0;
        if (threadIdx.x == 0)
            long_ones = 0;
        __syncthreads();
        for (unsigned s = threadIdx.x; s - threadIdx.x < segments; s += THREADS) {
            uint64_t length = s < segments ? lengths.length(s) : 0;
            unsigned own = class_of_few(length, lengths.block_classes);
#pragma unroll
            for (unsigned c = BLOCK_CLASS; c < LONG_CLASS; c++)
                add(count[c], own == c);
            add(long_ones, own == NO_CLASS && length > 0);
        }
        __syncthreads();
    }

    // Share `number` of the work. each(c): most segments of a share. Returns false if there are fewer shares.
    template <class Each>
    __device__ __forceinline__ bool find(const segment_lengths &lengths, unsigned segments, unsigned number, Each each,
                                         class_work *work)
    {
        class_share share;
        if (!find_share(count, BLOCK_CLASS, LONG_CLASS - 1, number, each, &share))
            return false;
        unsigned before = 0; // segments of the class in the turns before
        for (unsigned s = threadIdx.x; s - threadIdx.x < segments; s += THREADS) {
            uint64_t length = s < segments ? lengths.length(s) : 0;
            bool is_one = class_of_few(length, lengths.block_classes) == share.c;
            unsigned lanes = __ballot_sync(FULL_WARP, is_one), rank = before + __popc(lanes & lanes_below());
            in_warp[threadIdx.x / WARP] = __popc(lanes);
            __syncthreads();
            for (unsigned w = 0; w < THREADS / WARP; w++) {
                rank += w < threadIdx.x / WARP ? in_warp[w] : 0;
                before += in_warp[w];
            }
            if (is_one && rank >= share.first && rank - share.first < share.count)
                segment[rank - share.first] = s;
            __syncthreads();
        }
        *work = {share.c, share.count, segment};
        return true;
    }

  private:
    static __device__ __forceinline__ void add(unsigned &sum, bool is_one)
    {
        unsigned lanes = __ballot_sync(FULL_WARP, is_one);
        if (lanes != 0 && lane_id() == 0)
            atomicAdd(&sum, __popc(lanes));
    }
};

// Sorts a segment by all threads of the block: the fewer elements each has, the sooner the last one is done.
template <unsigned THREADS, class K, class V>
__device__ __forceinline__ void sort_alone(const segment_columns<K, V> &columns, unsigned segment,
                                           segment_element<K, V> *shared)
{
    thread_group<THREADS> group;
    uint64_t length = columns.offsets[segment + size_t(1)] - columns.offsets[segment];
    if (length <= THREADS * 3)
        sort_segment<3>(columns, segment, group, shared);
    else if (length <= THREADS * 7)
        sort_segment<7>(columns, segment, group, shared);
    else
        sort_segment<BLOCK_EACH>(columns, segment, group, shared);
}

// spread: shares that are wanted at least, if there are as many segments.
template <class K, class V, unsigned THREADS>
__global__ void __launch_bounds__(THREADS) sort_few(segment_columns<K, V> columns, unsigned segments,
                                                       unsigned block_classes, unsigned spread, rest_report report)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto *shared = reinterpret_cast<segment_element<K, V> *>(dynamic_memory);
    __shared__ few_lists<THREADS> lists;
    segment_lengths lengths = {columns.offsets, block_classes};
    class_work work;
    wait_for_launches();
    lists.count_all(lengths, segments);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) // it has the shortest segments, or none
        report.put(lists.long_ones > 0, columns.offsets[0], columns.offsets[segments]);
    unsigned groups = (segments - 1) / spread + 1;
    auto each = [&](unsigned c) { return max(1u, min(groups, groups_of<THREADS>(c))); };
    if (!lists.find(lengths, segments, blockIdx.x, each, &work))
        return;
    if (work.count == 1)
        sort_alone<THREADS>(columns, work.segment[0], shared);
    else
        sort_share<THREADS>(columns, work, shared);
}

#endif
