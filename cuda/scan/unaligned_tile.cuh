// unaligned_tile.cuh - moves whole tiles from and to any address. Memory is read and written in vectors of 16 bytes at
// multiples of 16 bytes, and each lane gets a part of its vector from the next lane.
#ifndef SK_CUDA_UNALIGNED_TILE_CUH
#define SK_CUDA_UNALIGNED_TILE_CUH

#include "common/tile.cuh"

template <class T, int THREADS, int VECTORS> struct unaligned_tile {
    using elements = tile<T, THREADS, VECTORS>;
    using vector = typename elements::vector;
    static constexpr int PER_VECTOR = elements::PER_VECTOR;
    static constexpr size_t PART = size_t(VECTORS) * elements::ROW; // elements of a warp

    elements &data;

    // Bytes [shift, shift + 16) of two vectors.
    static __device__ __forceinline__ uint4 between(const uint4 &low, const uint4 &high, unsigned shift)
    {
        if constexpr (sizeof(T) == 8)
            return {low.z, low.w, high.x, high.y};
        uint32_t word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (int i = 0; i < 6; i++)
            word[i] = shift & 8 ? word[i + 2] : word[i];
#pragma unroll
        for (int i = 0; i < 5; i++)
            word[i] = shift & 4 ? word[i + 1] : word[i];
        if constexpr (sizeof(T) < 4) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                word[i] = __funnelshift_r(word[i], word[i + 1], shift % 4 * 8);
        }
        return {word[0], word[1], word[2], word[3]};
    }

    // The last lane gets what lane 0 has of `below`.
    static __device__ __forceinline__ uint4 of_next_lane(uint4 v, uint4 below)
    {
        int next = int(lane_id() + 1) % WARP;
        bool first = lane_id() == 0;
        uint4 got = {};
        got.x = __shfl_sync(FULL_WARP, first ? below.x : v.x, next);
        got.y = __shfl_sync(FULL_WARP, first ? below.y : v.y, next);
        if constexpr (sizeof(T) < 8) {
            got.z = __shfl_sync(FULL_WARP, first ? below.z : v.z, next);
            got.w = __shfl_sync(FULL_WARP, first ? below.w : v.w, next);
        }
        return got;
    }

    // Each vector of the warp becomes the 16 bytes from its byte `shift` on. behind: the vector behind the warp's, in
    // lane 0.
    __device__ __forceinline__ void shift_rows(const uint4 &behind, unsigned shift)
    {
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            uint4 below = behind;
            if (r + 1 < VECTORS)
                below = data.row[r + 1].raw;
            data.row[r].raw = between(data.row[r].raw, of_next_lane(data.row[r].raw, below), shift);
        }
    }

    static __device__ __forceinline__ size_t place_of_warp()
    {
        return threadIdx.x / WARP * PART;
    }

    // The array has `before` elements before the tile, and `valid` from there on.
    __device__ __forceinline__ void load(const T *in, size_t before, size_t valid, T fill)
    {
        unsigned shift = unsigned(reinterpret_cast<uintptr_t>(in) % 16);
        if (shift == 0 || valid < elements::SIZE) {
            data.load(in, valid, fill);
            return;
        }
        const T *part = in + place_of_warp();
        const int lead = int(shift / sizeof(T)); // elements between the vector's begin and the part's
        const uint4 *from = reinterpret_cast<const uint4 *>(reinterpret_cast<uintptr_t>(part) - shift) + lane_id();
        bool has_before = before + place_of_warp() >= PER_VECTOR;
        bool has_behind = valid - place_of_warp() >= PART + PER_VECTOR;
        vector behind;
        behind.raw = {};
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            if (r > 0 || lane_id() > 0 || has_before)
                data.row[r].raw = from[r * WARP];
        if (lane_id() == 0) {
            if (has_behind)
                behind.raw = from[VECTORS * WARP];
            if (!has_before) {
#pragma unroll
                for (int i = 0; i < PER_VECTOR; i++)
                    data.row[0].item[i] = i < lead ? T() : part[i - lead];
            }
            if (!has_behind) {
#pragma unroll
                for (int i = 0; i < PER_VECTOR; i++)
                    if (i < lead)
                        behind.item[i] = part[PART + i - lead];
            }
        }
        shift_rows(behind.raw, shift);
    }

    // Changes the tile.
    __device__ __forceinline__ void store(T *out, size_t valid)
    {
        unsigned shift = unsigned(-reinterpret_cast<uintptr_t>(out) % 16);
        if (shift == 0 || valid < elements::SIZE) {
            data.store(out, valid);
            return;
        }
        T *part = out + place_of_warp();
        const int lead = int(shift / sizeof(T)); // elements before the first vector in memory
#pragma unroll
        for (int i = 0; i < PER_VECTOR; i++) {
            if (i < lead && lane_id() == 0)
                part[i] = data.row[0].item[i];
            if (i >= lead && lane_id() == WARP - 1)
                part[PART - PER_VECTOR + i] = data.row[VECTORS - 1].item[i];
        }
        shift_rows(uint4(), shift);
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            if (r + 1 < VECTORS || lane_id() + 1 < WARP)
                data.row[r].store(part + lead + (r * WARP + lane_id()) * PER_VECTOR);
    }
};

#endif
