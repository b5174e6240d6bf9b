// own_memory.cuh - the shared memory of a block that sorts a segment by itself.
#ifndef SK_CUDA_OWN_MEMORY_CUH
#define SK_CUDA_OWN_MEMORY_CUH

#include "sort/bins/fine_bins.cuh"
#include "sort/radix/radix_rank.cuh"
#include "sort/segments/segments.cuh"

// With more threads a digit has more counters, which take time; with fewer, a multiprocessor is idle for longer.
constexpr unsigned OWN_THREADS = 512;

// Most elements of a thread and of a segment.
constexpr int OWN_EACH = 30;
constexpr unsigned OWN_MOST = OWN_THREADS * OWN_EACH;
static_assert(OWN_MOST < CROWDED_BIN, "ends of bins have 14 bits");

// Most elements of a thread where a multiprocessor has registers for two blocks.
template <class K, class V> constexpr int EACH_OF_TWO = sizeof(K) <= 4 && !HAS_VALUE<V> ? 16 : 8;

template <int EACH> using own_ranker = radix_rank<OWN_THREADS, EACH>;

// The block's counters of bins, for scan_bins() and find_extremes(). A thread has EACH elements.
template <class K, int EACH> struct own_tile {
    static constexpr int THREADS = OWN_THREADS, ITEMS = EACH, BINS = 1 << BUCKET_FINE_BITS, WORDS = BINS / 2 / THREADS;
    struct shared_memory {
        uint4 ends[BINS / 8]; // of bins, 16 bits each
        block_sum<sk_u32, THREADS> sums;
        unsigned warp_largest[THREADS / WARP];
        K warp_least[THREADS / WARP], warp_greatest[THREADS / WARP];
    };
};

// MOST_EACH: most elements of a thread. There is room behind the elements for a look at LOOK.
template <class K, class V, int MOST_EACH> struct own_memory {
    static constexpr unsigned MOST = OWN_THREADS * MOST_EACH;
    K key[MOST + LOOK];
    // If elements have values: where each was in the segment, and where it goes.
    uint16_t from[HAS_VALUE<V> ? MOST + LOOK : 1], to[HAS_VALUE<V> ? MOST : 1];
    union {
        typename own_tile<K, 1>::shared_memory bins;
        typename own_ranker<1>::shared_memory digits;
    } counters; // for any number of elements of a thread

    template <int EACH> __device__ __forceinline__ auto &bins()
    {
        return reinterpret_cast<typename own_tile<K, EACH>::shared_memory &>(counters.bins);
    }
    template <int EACH> __device__ __forceinline__ auto &digits()
    {
        return reinterpret_cast<typename own_ranker<EACH>::shared_memory &>(counters.digits);
    }
};

#endif
