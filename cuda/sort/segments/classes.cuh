// classes.cuh - segments by length: the numbers of each class of lengths, and lists of them.
#ifndef SK_CUDA_SEGMENT_CLASSES_CUH
#define SK_CUDA_SEGMENT_CLASSES_CUH

#include "device/host_word.cuh"
#include "device/overlap.cuh"
#include "sort/segments/segments.cuh"

// Threads sort tiny segments, class 0. Lanes sort the classes before BLOCK_CLASS, and blocks those before LONG_CLASS.
// A giant segment is worth a sort of its own. Buckets of one value need none.
constexpr unsigned CLASSES = 14, BLOCK_CLASS = 5, LONG_CLASS = 11, GIANT_CLASS = 12, EQUAL_CLASS = 13;
constexpr unsigned BLOCK_CLASSES = LONG_CLASS - BLOCK_CLASS;
constexpr unsigned CLASS_THREADS = 256, TINY_MOST = 16;

// Elements of a thread of a block: an odd number, which avoids bank conflicts. Threads that sort a segment of each
// class of blocks.
constexpr unsigned BLOCK_EACH = 15;
__host__ __device__ constexpr unsigned block_threads(unsigned c)
{
    return 32u << (c - BLOCK_CLASS);
}
__host__ __device__ constexpr unsigned block_most(unsigned c)
{
    return block_threads(c) * BLOCK_EACH;
}
constexpr unsigned LONG_MOST = 1u << 22;

// block_classes: the classes of blocks for which a GPU has room. What is longer is a long segment.
__device__ __forceinline__ unsigned class_of(uint64_t length, unsigned block_classes)
{
    constexpr unsigned lane_most[BLOCK_CLASS] = {TINY_MOST, 32, 64, 128, 256};
    unsigned number = 0;
#pragma unroll
    for (unsigned c = 0; c < LONG_CLASS; c++)
        number += length > (c < BLOCK_CLASS ? lane_most[c] : block_most(c));
    if (number < BLOCK_CLASS + block_classes)
        return number;
    return length > LONG_MOST ? GIANT_CLASS : LONG_CLASS;
}

// Segments of each class, and how many of them are listed; elements of the long ones; the ends of all segments.
struct segment_counts {
    unsigned count[CLASSES], listed[CLASSES];
    unsigned long long long_elements, first, last;

    // Where the list of a class begins.
    __host__ __device__ unsigned begin(unsigned c) const
    {
        unsigned sum = 0;
        for (unsigned before = 0; before < c; before++)
            sum += count[before];
        return sum;
    }
};

// Tells the host whether work is left when short segments are sorted: longer ones, or elements outside of all n.
struct rest_report {
    host_word word; // not used if there is none
    size_t n;
    __device__ void put(bool has_long, uint64_t first, uint64_t last) const
    {
        if (word.value != nullptr)
            word.put(has_long || first > 0 || last < n);
    }
};

// The lists of all classes, one after the other, as kernels see them.
struct class_lists {
    const segment_counts *found;
    const unsigned *segment;
};

// Segments that follow one another. lengths.length(s) and lengths.class_at(s, length) are what the kernels below need.
struct segment_lengths {
    const uint64_t *offsets;
    unsigned block_classes;
    __device__ uint64_t length(size_t s) const
    {
        return offsets[s + 1] - offsets[s];
    }
    __device__ unsigned class_at(size_t, uint64_t length) const
    {
        return class_of(length, block_classes);
    }
};

// The longer ones of such segments: tiny ones count as empty.
struct longer_lengths : segment_lengths {
    __device__ uint64_t length(size_t s) const
    {
        uint64_t length = segment_lengths::length(s);
        return length > TINY_MOST ? length : 0;
    }
};

// The segments that a block has counted, in shared memory.
struct class_counter {
    unsigned count[CLASSES];

    __device__ __forceinline__ void clear()
    {
        if (threadIdx.x < CLASSES)
            count[threadIdx.x] = 0;
        __syncthreads();
    }
    // found is cleared.
    __device__ __forceinline__ void add(unsigned c, uint64_t length, segment_counts *found)
    {
        atomicAdd(&count[c], 1u);
        if (c == LONG_CLASS)
            atomicAdd(&found->long_elements, (unsigned long long)length);
    }
    // After all segments.
    __device__ __forceinline__ void finish(const uint64_t *offsets, size_t segments, segment_counts *found) const
    {
        __syncthreads();
        if (threadIdx.x < CLASSES && count[threadIdx.x] > 0)
            atomicAdd(&found->count[threadIdx.x], count[threadIdx.x]);
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            found->first = offsets[0];
            found->last = offsets[segments];
        }
    }
};

template <class Lengths>
__global__ void __launch_bounds__(CLASS_THREADS) count_classes(Lengths lengths, size_t segments, segment_counts *found)
{
    __shared__ class_counter counter;
    wait_for_launches();
    counter.clear();
    for (size_t s = size_t(blockIdx.x) * CLASS_THREADS + threadIdx.x; s < segments;
         s += size_t(gridDim.x) * CLASS_THREADS) {
        uint64_t length = lengths.length(s);
        if (length > 0)
            counter.add(lengths.class_at(s, length), length, found);
    }
    counter.finish(lengths.offsets, segments, found);
}

// Writes the lists, each in any order: no segment's result depends on another.
template <class Lengths>
__global__ void __launch_bounds__(CLASS_THREADS)
    list_classes(Lengths lengths, size_t segments, segment_counts *found, unsigned *list, rest_report report)
{
    __shared__ unsigned counts[CLASSES], base[CLASSES];
    wait_for_launches();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        report.put(found->count[LONG_CLASS] + found->count[GIANT_CLASS] > 0, found->first, found->last);
    unsigned begin = threadIdx.x < CLASSES ? found->begin(threadIdx.x) : 0;
    for (size_t tile = size_t(blockIdx.x) * CLASS_THREADS; tile < segments; tile += size_t(gridDim.x) * CLASS_THREADS) {
        size_t s = tile + threadIdx.x;
        uint64_t length = s < segments ? lengths.length(s) : 0;
        unsigned c = length > 0 ? lengths.class_at(s, length) : 0, rank = 0;
        __syncthreads();
        if (threadIdx.x < CLASSES)
            counts[threadIdx.x] = 0;
        __syncthreads();
        if (length > 0)
            rank = atomicAdd(&counts[c], 1u);
        __syncthreads();
        if (threadIdx.x < CLASSES)
            base[threadIdx.x] = begin + atomicAdd(&found->listed[threadIdx.x], counts[threadIdx.x]);
        __syncthreads();
        if (length > 0)
            list[base[c] + rank] = unsigned(s);
    }
}

// ---- the work of blocks that sort segments ----

// Neighbours in a list, which a block sorts at a time.
struct class_share {
    unsigned c, first, count; // the class; its segments [first, first + count)
};

// Share `number` of the classes from last down to first: the longest segments come first. counts[c]: segments of a
// class; each(c): most of them in a share. Returns false if there are fewer shares.
template <class Each>
__device__ __forceinline__ bool find_share(const unsigned *counts, unsigned first, unsigned last, unsigned number,
                                           Each each, class_share *share)
{
    for (unsigned c = last + 1; c-- > first;) {
        unsigned shares = (counts[c] + each(c) - 1) / each(c);
        if (number < shares) {
            unsigned done = number * each(c);
            *share = {c, done, min(counts[c] - done, each(c))};
            return true;
        }
        number -= shares;
    }
    return false;
}

// The segments of a share.
struct class_work {
    unsigned c, count;
    const unsigned *segment;
};

// The same for lists in global memory.
template <class Each>
__device__ __forceinline__ bool find_work(const class_lists &lists, unsigned first, unsigned last, unsigned number,
                                          Each each, class_work *work)
{
    class_share share;
    if (!find_share(lists.found->count, first, last, number, each, &share))
        return false;
    *work = {share.c, share.count, lists.segment + lists.found->begin(share.c) + share.first};
    return true;
}

#endif
