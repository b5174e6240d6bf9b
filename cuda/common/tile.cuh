// tile.cuh - a tile of an array in the registers of a block, moved in 16-byte vectors.
//
// A warp owns a contiguous part of the tile and reads it in VECTORS rows of 32 vectors: coalesced, and in order row by
// row, lane by lane, element by element. So a scan needs no transposition through shared memory.
#ifndef SK_CUDA_TILE_CUH
#define SK_CUDA_TILE_CUH

#include "common/warp.cuh"

template <class T, int THREADS, int VECTORS> struct tile {
    static constexpr int PER_VECTOR = 16 / sizeof(T);
    static constexpr int ROW = WARP * PER_VECTOR;
    static constexpr int WARPS = THREADS / WARP;
    static constexpr int ROWS = VECTORS; // of each warp
    static constexpr int SIZE = THREADS * VECTORS * PER_VECTOR;

    union vector {
        uint4 raw;
        T item[PER_VECTOR];
        __device__ vector()
        {
        }
        // To global memory, in one access: nvcc splits an assignment where another path stores single elements.
        __device__ __forceinline__ void store(T *to) const
        {
            asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(raw.x),
                         "r"(raw.y), "r"(raw.z), "r"(raw.w)
                         : "memory");
        }
    };
    vector row[VECTORS];

    // The place in the tile of this lane's first element in row r.
    static __device__ __forceinline__ int place(int r)
    {
        return (threadIdx.x / WARP * VECTORS + r) * ROW + lane_id() * PER_VECTOR;
    }

    static __device__ __forceinline__ bool is_aligned(const void *memory)
    {
        return reinterpret_cast<uintptr_t>(memory) % 16 == 0;
    }

    // Elements from `valid` on get `fill`.
    __device__ __forceinline__ void load(const T *in, size_t valid, T fill)
    {
        load(in, 0, valid, fill);
    }

    // The same, and elements before `first` get `fill` too.
    __device__ __forceinline__ void load(const T *in, size_t first, size_t valid, T fill)
    {
        if (first == 0 && valid >= SIZE && is_aligned(in)) {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
                row[r].raw = *reinterpret_cast<const uint4 *>(in + place(r));
        } else {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
#pragma unroll
                for (int i = 0; i < PER_VECTOR; i++)
                    row[r].item[i] = place(r) + i >= first && place(r) + i < valid ? in[place(r) + i] : fill;
        }
    }

    // To global or shared memory.
    __device__ __forceinline__ void store(T *out, size_t valid) const
    {
        if (valid >= SIZE && is_aligned(out)) {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
                *reinterpret_cast<uint4 *>(out + place(r)) = row[r].raw;
        } else {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
#pragma unroll
                for (int i = 0; i < PER_VECTOR; i++)
                    if (place(r) + i < valid)
                        out[place(r) + i] = row[r].item[i];
        }
    }
};

#endif
