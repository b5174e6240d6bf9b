// vectorised.cuh - eight elements a thread: it loads two vectors of 16 bytes, one from each half of the tile, scans
// each in registers, and only their sums go through the tree, without bank conflicts and with its steps unrolled (David
// Lichterman's scan, in GPU Gems 3, 2007, chapter 39, section 2.5).
#ifndef SK_CUDA_VECTORISED_CUH
#define SK_CUDA_VECTORISED_CUH

#include "gallery/block/conflict_free.cuh"
#include "common/tile.cuh"

template <class Op> struct vectorised {
    using T = typename Op::type;
    using half = tile<T, BLOCK_SCAN_THREADS, 1>;
    static constexpr int VECTOR = half::PER_VECTOR, SUMS = 2 * BLOCK_SCAN_THREADS, SIZE = 2 * half::SIZE;
    struct shared_memory {
        T x[padded::at(SUMS)];
    };

    static __device__ __forceinline__ T sum(const half &elements)
    {
        T total = elements.row[0].item[0];
#pragma unroll
        for (int i = 1; i < VECTOR; i++)
            total = Op::combine(total, elements.row[0].item[i]);
        return total;
    }

    static __device__ __forceinline__ void complete(half &elements, T before, bool inclusive)
    {
#pragma unroll
        for (int i = 0; i < VECTOR; i++) {
            T after = Op::combine(before, elements.row[0].item[i]);
            elements.row[0].item[i] = inclusive ? after : before;
            before = after;
        }
    }

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        int a = padded::at(threadIdx.x), b = padded::at(threadIdx.x + BLOCK_SCAN_THREADS);
        int in_high = max(tile.valid - half::SIZE, 0);
        half low, high;
        // Two vector loads, and the sums of both.
        low.load(tile.in, tile.valid, Op::identity());
        high.load(tile.in + half::SIZE, in_high, Op::identity());
        shared.x[a] = sum(low);
        shared.x[b] = sum(high);
        // The tree over the sums.
        T total = sweep<Op, padded, SUMS, 16>(shared.x);
        // Each vector is scanned from its prefix.
        complete(low, Op::combine(tile.before, shared.x[a]), tile.inclusive);
        complete(high, Op::combine(tile.before, shared.x[b]), tile.inclusive);
        low.store(tile.out, tile.valid);
        high.store(tile.out + half::SIZE, in_high);
        return total;
    }
};

#endif
