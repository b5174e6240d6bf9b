// coarsened.cuh - three phases: each thread scans a section of its own, one after the other; the sections' sums are
// scanned by Kogge and Stone's network; each thread adds the prefix of its section. So the part that is not
// work-efficient is small (Kirk, Hwu and El Hajj, Programming Massively Parallel Processors, 2022, section 11.5).
#ifndef SK_CUDA_COARSENED_CUH
#define SK_CUDA_COARSENED_CUH

#include "gallery/block/kogge_stone_double_buffered.cuh"

template <class Op> struct coarsened {
    using T = typename Op::type;
    static constexpr int SECTION = 7; // odd: so threads read their own without bank conflicts
    static constexpr int SIZE = SECTION * BLOCK_SCAN_THREADS;
    struct shared_memory {
        T x[SIZE];
        T sums[2][BLOCK_SCAN_THREADS];
    };

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        // Load: neighbouring threads take neighbouring elements.
        for (int i = threadIdx.x; i < SIZE; i += BLOCK_SCAN_THREADS)
            shared.x[i] = tile.load(i);
        __syncthreads();

        // Phase 1: the section, in order.
        T *own = shared.x + threadIdx.x * SECTION;
        for (int i = 1; i < SECTION; i++)
            own[i] = Op::combine(own[i - 1], own[i]);

        // Phase 2: the sections' sums.
        scanned_values<Op> sums = scan_values<Op>(own[SECTION - 1], shared.sums);

        // Phase 3: add the prefix of the section.
        if (threadIdx.x > 0)
            for (int i = 0; i < SECTION; i++)
                own[i] = Op::combine(sums.all[threadIdx.x - 1], own[i]);
        __syncthreads();
        for (int i = threadIdx.x; i < SIZE; i += BLOCK_SCAN_THREADS)
            tile.store_inclusive(i, shared.x);
        return sums.all[BLOCK_SCAN_THREADS - 1];
    }
};

#endif
