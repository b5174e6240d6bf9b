// row_ranks.cuh - the elements of a tile in registers that are chosen, and the rank of each in its warp's part.
#ifndef SK_CUDA_ROW_RANKS_CUH
#define SK_CUDA_ROW_RANKS_CUH

#include "common/tile.cuh"

// For a lane's elements, by rows.
template <class T, int THREADS, int VECTORS> struct row_ranks {
    using elements = tile<T, THREADS, VECTORS>;
    static constexpr int PER_ROW = elements::PER_VECTOR;
    unsigned bits[VECTORS];   // a bit per element: it is chosen
    unsigned before[VECTORS]; // chosen elements of the warp before the lane's in each row

    // Only elements [low, high) of the tile can be chosen.
    __device__ __forceinline__ void limit(size_t low, size_t high)
    {
        bool whole = low == 0 && high >= elements::SIZE;
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            int from = whole ? 0 : in_row(int(low) - elements::place(r));
            int end = whole ? PER_ROW : in_row(int(high) - elements::place(r));
            bits[r] &= (1u << end) - (1u << from);
        }
    }

    // Upsweep and downsweep over the warp, for two rows at a time: their counts share a word. Returns the warp's total.
    __device__ __forceinline__ unsigned rank()
    {
        unsigned total = 0;
#pragma unroll
        for (int r = 0; r < VECTORS; r += 2) {
            constexpr unsigned HALF = 0xffff;
            bool two = r + 1 < VECTORS;
            unsigned own = __popc(bits[r]) | (two ? __popc(bits[r + two]) << 16 : 0);
            unsigned inclusive = warp_scan_halves(own), row_totals = warp_from(inclusive, WARP - 1);
            unsigned exclusive = inclusive - own;
            before[r] = total + (exclusive & HALF);
            total += row_totals & HALF;
            if (two) {
                before[r + two] = total + (exclusive >> 16);
                total += row_totals >> 16;
            }
        }
        return total;
    }

    // Calls f(rank, place, row, item) for each chosen element.
    template <class F> __device__ __forceinline__ void each(F f) const
    {
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            unsigned rank = before[r];
#pragma unroll
            for (int i = 0; i < PER_ROW; i++)
                if (bits[r] >> i & 1)
                    f(rank++, elements::place(r) + i, r, i);
        }
    }

  private:
    static __device__ __forceinline__ int in_row(int place)
    {
        return place < 0 ? 0 : place < PER_ROW ? place : PER_ROW;
    }
};

// A warp stores item(0) to item(count - 1), one line of 128 bytes of the destination at a time.
template <class U, class F> __device__ __forceinline__ void store_run(U *to, unsigned count, F item)
{
    constexpr int LINE = 128 / sizeof(U);
    int in_line = int(reinterpret_cast<uintptr_t>(to) / sizeof(U) % LINE);
    for (int k = int(lane_id()) - in_line; k < int(count); k += WARP)
        if (k >= 0)
            to[k] = item(k);
}

// A warp copies a run from shared memory. Narrow elements are stored in words of 4 bytes.
template <class U> __device__ __forceinline__ void copy_run(U *to, const U *run, unsigned count)
{
    if constexpr (sizeof(U) >= 4) {
        store_run(to, count, [&](unsigned k) { return run[k]; });
    } else {
        constexpr unsigned PER_WORD = 4 / sizeof(U);
        unsigned lead = unsigned(-reinterpret_cast<uintptr_t>(to) % 4 / sizeof(U));
        lead = lead < count ? lead : count;
        unsigned words = (count - lead) / PER_WORD, tail = lead + words * PER_WORD;
        if (lane_id() < lead)
            to[lane_id()] = run[lane_id()];
        for (unsigned w = lane_id(); w < words; w += WARP) {
            unsigned word = 0;
#pragma unroll
            for (unsigned i = 0; i < PER_WORD; i++)
                word |= unsigned(run[lead + w * PER_WORD + i]) << (8 * sizeof(U) * i);
            *reinterpret_cast<unsigned *>(to + lead + w * PER_WORD) = word;
        }
        if (tail + lane_id() < count)
            to[tail + lane_id()] = run[tail + lane_id()];
    }
}

#endif
