// narrowing.cuh - radix selection by one block: which leading bits the key of a given rank has (Alabi and others, Fast
// k-selection algorithms for graphics processing units, 2012). The keys stay where they are, in any order.
#ifndef SK_CUDA_NARROWING_CUH
#define SK_CUDA_NARROWING_CUH

#include "common/block_sum.cuh"

constexpr int TOP_THREADS = 512; // of the blocks of this folder

// The keys whose bits of `mask` are `prefix`. The lowest `open` bits are not in the mask.
template <class K> struct ranked_span {
    K prefix, mask;
    int open;
    unsigned below, within; // keys below the span, and in it

    __device__ __forceinline__ bool has(K key) const
    {
        return (key & mask) == prefix;
    }
    __device__ __forceinline__ K last() const
    {
        return prefix | K(~mask);
    }
    // The keys that are in the span or below it.
    __device__ __forceinline__ unsigned count() const
    {
        return below + within;
    }
};

template <class K> class narrowing
{
    static constexpr int DIGIT = 11, BINS = 1 << DIGIT, EACH = BINS / TOP_THREADS;
    unsigned bin[BINS];
    block_sum<unsigned, TOP_THREADS> sums;
    unsigned digit, below, within;

  public:
    // Narrows the span of n keys, which have at most `bits` bits, until it is enough(span) or one key's. It has the key
    // of this rank. for_keys(act) calls act(key) for each key of the thread. Ends with a barrier if it has narrowed.
    template <class ForKeys, class Enough>
    __device__ __forceinline__ ranked_span<K> find(ForKeys for_keys, unsigned n, unsigned rank, int bits, Enough enough)
    {
        K above = bits < 8 * int(sizeof(K)) ? K(~K(0)) << bits : K(0);
        ranked_span<K> span = {0, above, bits, 0, n};
        while (span.open > 0 && !enough(span))
            take_digit(for_keys, span, rank);
        return span;
    }

  private:
    template <class ForKeys>
    __device__ __forceinline__ void take_digit(ForKeys for_keys, ranked_span<K> &span, unsigned rank)
    {
        int bits = min(DIGIT, span.open), shift = span.open - bits;
        K digits = (K(1) << bits) - 1;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            bin[i * TOP_THREADS + threadIdx.x] = 0;
        __syncthreads();
        for_keys([&](K key) {
            if (span.has(key))
                atomicAdd(&bin[unsigned(key >> shift & digits)], 1);
        });
        __syncthreads();
        find_bin(rank - span.below);
        span.prefix |= K(digit) << shift;
        span.mask |= digits << shift;
        span.open = shift;
        span.below += below;
        span.within = within;
    }

    // The bin that has the key of this rank.
    __device__ __forceinline__ void find_bin(unsigned rank)
    {
        unsigned size[EACH], own = 0;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            size[i] = bin[threadIdx.x * EACH + i];
            own += size[i];
        }
        unsigned before = sums.exclusive(own);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            if (rank >= before && rank < before + size[i]) {
                digit = threadIdx.x * EACH + i;
                below = before;
                within = size[i];
            }
            before += size[i];
        }
        __syncthreads();
    }
};

#endif
