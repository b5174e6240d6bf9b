// block_scan.cuh - the interface of the gallery's block scans, which makes them interchangeable:
//
//     template <class Op> struct NAME {
//         static constexpr int SIZE = ...;     elements of a tile, for BLOCK_SCAN_THREADS threads
//         struct shared_memory { ... };
//         static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared);
//     };
//
// scan() reads the tile, writes its scan, and gives every thread the tile's total. All of the tile is read before
// any of it is written: so the output may be the input.
#ifndef SK_CUDA_BLOCK_SCAN_CUH
#define SK_CUDA_BLOCK_SCAN_CUH

#include "common/op.cuh"

constexpr int BLOCK_SCAN_THREADS = 512;

template <class Op> struct block_tile {
    using T = typename Op::type;
    const T *in;
    T *out;
    int valid; // elements; fewer than SIZE at the array's end
    bool inclusive;
    T before; // the tile's prefix

    __device__ __forceinline__ T load(int i) const
    {
        return i < valid ? in[i] : Op::identity();
    }

    // The scan of element i within the tile.
    __device__ __forceinline__ void store(int i, T scanned) const
    {
        if (i < valid)
            out[i] = Op::combine(before, scanned);
    }

    // The same from an array of inclusive scans: an exclusive scan is the left neighbour's.
    __device__ __forceinline__ void store_inclusive(int i, const T *scanned) const
    {
        store(i, inclusive ? scanned[i] : i > 0 ? scanned[i - 1] : Op::identity());
    }
};

#endif
