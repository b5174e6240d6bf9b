// classes.cuh - segments by length: the numbers of each class of lengths, and lists of them.
#ifndef SK_CUDA_SEGMENT_CLASSES_CUH
#define SK_CUDA_SEGMENT_CLASSES_CUH

#include <cstdint>

// The greatest length of each class but the last two. Threads sort tiny segments, class 0. Lanes sort the classes
// before BLOCK_CLASS, and blocks those before LONG_CLASS. A giant segment is worth a sort of its own. Buckets of one
// value need none.
constexpr unsigned CLASSES = 13, BLOCK_CLASS = 5, LONG_CLASS = 10, GIANT_CLASS = 11, EQUAL_CLASS = 12;
constexpr unsigned CLASS_THREADS = 256, TINY_MOST = 16;

// Elements of a thread of a block: an odd number, which avoids bank conflicts. Elements that a block has room for.
constexpr unsigned BLOCK_EACH = 15;
constexpr unsigned BLOCK_ROOM[] = {32 * BLOCK_EACH, 64 * BLOCK_EACH, 128 * BLOCK_EACH, 256 * BLOCK_EACH,
                                   512 * BLOCK_EACH};
constexpr unsigned LONG_MOST = 1u << 22;

__device__ __forceinline__ unsigned class_of(uint64_t length)
{
    constexpr unsigned most[GIANT_CLASS] = {
        TINY_MOST,     32,       64, 128, 256, BLOCK_ROOM[0], BLOCK_ROOM[1], BLOCK_ROOM[2], BLOCK_ROOM[3],
        BLOCK_ROOM[4], LONG_MOST};
    unsigned number = 0;
#pragma unroll
    for (unsigned c = 0; c < GIANT_CLASS; c++)
        number += length > most[c];
    return number;
}

// Segments of each class; elements of the long ones, and of the class before; and the ends of all segments.
struct segment_counts {
    unsigned long long count[CLASSES], long_elements, block_elements, first, last;
};

// Where the list of each class begins.
struct class_begins {
    unsigned at[CLASSES];
};

// Segments that follow one another. lengths.length(s) and lengths.class_at(s, length) are what the kernels below need.
struct segment_lengths {
    const uint64_t *offsets;
    __device__ uint64_t length(size_t s) const
    {
        return offsets[s + 1] - offsets[s];
    }
    __device__ unsigned class_at(size_t, uint64_t length) const
    {
        return class_of(length);
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
        if (c == LONG_CLASS - 1)
            atomicAdd(&found->block_elements, (unsigned long long)length);
    }
    // After all segments.
    __device__ __forceinline__ void finish(const uint64_t *offsets, size_t segments, segment_counts *found) const
    {
        __syncthreads();
        if (threadIdx.x < CLASSES && count[threadIdx.x] > 0)
            atomicAdd(&found->count[threadIdx.x], (unsigned long long)count[threadIdx.x]);
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
    counter.clear();
    for (size_t s = size_t(blockIdx.x) * CLASS_THREADS + threadIdx.x; s < segments;
         s += size_t(gridDim.x) * CLASS_THREADS) {
        uint64_t length = lengths.length(s);
        if (length > 0)
            counter.add(lengths.class_at(s, length), length, found);
    }
    counter.finish(lengths.offsets, segments, found);
}

// Writes the lists, each in any order: no segment's result depends on another. used: CLASSES counters, cleared.
template <class Lengths>
__global__ void __launch_bounds__(CLASS_THREADS)
    list_classes(Lengths lengths, size_t segments, class_begins begins, unsigned *used, unsigned *list)
{
    __shared__ unsigned counts[CLASSES], base[CLASSES];
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
            base[threadIdx.x] = begins.at[threadIdx.x] + atomicAdd(&used[threadIdx.x], counts[threadIdx.x]);
        __syncthreads();
        if (length > 0)
            list[base[c] + rank] = unsigned(s);
    }
}

#endif
