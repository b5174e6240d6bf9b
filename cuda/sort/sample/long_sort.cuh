// long_sort.cuh - sorts keys that one block has to sort but has no room for: a radix sort in global memory, tile after
// tile, least significant digit first. Digits that all keys share are skipped.
#ifndef SK_CUDA_LONG_SORT_CUH
#define SK_CUDA_LONG_SORT_CUH

#include "common/block_sum.cuh"
#include "sort/radix/radix_rank.cuh"

template <class K, int THREADS> struct long_sort {
    static constexpr int ITEMS = 4;
    using ranker = radix_rank<THREADS, ITEMS>;

    struct shared_memory {
        typename ranker::shared_memory ranks;
        unsigned next[RADIX]; // per digit: its count, then the place of its next key
        unsigned to[RADIX];   // what a place in the tile differs by from the place in the output
        block_sum<sk_u32, RADIX> sums;
        bool all_the_same;
    };

    // Counts the digit, and turns the counts into places. Returns false if all keys have the same digit.
    static __device__ __forceinline__ bool count(shared_memory &shared, const K *keys, unsigned size, unsigned bit)
    {
        unsigned own = 0, inclusive = 0;
        for (int d = threadIdx.x; d < RADIX; d += THREADS)
            shared.next[d] = 0;
        if (threadIdx.x == 0)
            shared.all_the_same = false;
        __syncthreads();
        for (unsigned at = threadIdx.x; at < size; at += THREADS)
            atomicAdd(&shared.next[digit_of(keys[at], bit, RADIX - 1)], 1);
        __syncthreads();
        if (threadIdx.x < RADIX) {
            own = shared.next[threadIdx.x];
            inclusive = shared.sums.warp_inclusive(own);
            shared.sums.publish(inclusive);
            if (own == size)
                shared.all_the_same = true;
        }
        __syncthreads();
        if (threadIdx.x < RADIX)
            shared.next[threadIdx.x] = shared.sums.before(inclusive - own);
        __syncthreads();
        return !shared.all_the_same;
    }

    static __device__ __forceinline__ void split(shared_memory &shared, const K *from, K *to, unsigned size,
                                                 unsigned bit)
    {
        for (unsigned begin = 0; begin < size; begin += ranker::TILE) {
            K key[ITEMS];
            unsigned rank[ITEMS];
            // Absent keys are the greatest: they stay at the end of the last tile.
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = begin + ranker::place(i) < size ? from[begin + ranker::place(i)] : K(~K(0));
            auto digit = [&](int i) { return digit_of(key[i], bit, RADIX - 1); };
            digit_share share = ranker::rank(shared.ranks, rank_by::BALLOTS, digit, rank, [](uint32_t) {});
            if (threadIdx.x < RADIX) {
                shared.to[threadIdx.x] = shared.next[threadIdx.x] - share.begin;
                shared.next[threadIdx.x] += share.count;
            }
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (begin + ranker::place(i) < size)
                    to[shared.to[digit(i)] + rank[i]] = key[i];
            __syncthreads();
        }
    }

    // Sorts keys, by way of a second array, to values in out, which may be either.
    template <class Order>
    static __device__ __noinline__ void sort(shared_memory &shared, K *keys, K *second, K *out, unsigned size,
                                             Order order)
    {
        K *from = keys, *to = second;
        for (unsigned bit = 0; bit < 8 * sizeof(K); bit += RADIX_BITS) {
            if (count(shared, from, size, bit)) {
                split(shared, from, to, size, bit);
                K *other = from;
                from = to;
                to = other;
            }
            __syncthreads();
        }
        for (unsigned at = threadIdx.x; at < size; at += THREADS)
            out[at] = order.value(from[at]);
    }
};

#endif
