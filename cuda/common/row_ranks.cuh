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
        if (low == 0 && high >= elements::SIZE)
            return;
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            int from = in_row(int(low) - elements::place(r)), end = in_row(int(high) - elements::place(r));
            bits[r] &= (1u << end) - (1u << from);
        }
    }

    // Upsweep and downsweep over the warp, for some rows at a time: their counts share a word. Returns the warp's
    // total.
    __device__ __forceinline__ unsigned rank()
    {
        constexpr int FIELD = WARP * PER_ROW < 1 << 8 ? 8 : 16; // bits of a row's count
        constexpr int TOGETHER = 32 / FIELD;
        constexpr unsigned MASK = (1u << FIELD) - 1;
        unsigned total = 0;
#pragma unroll
        for (int first = 0; first < VECTORS; first += TOGETHER) {
            unsigned own = 0;
#pragma unroll
            for (int r = first; r < first + TOGETHER && r < VECTORS; r++)
                own |= unsigned(__popc(bits[r])) << (r - first) * FIELD;
            unsigned inclusive = warp_scan_fields(own), row_totals = warp_from(inclusive, WARP - 1);
            unsigned exclusive = inclusive - own;
#pragma unroll
            for (int r = first; r < first + TOGETHER && r < VECTORS; r++) {
                before[r] = total + (exclusive >> (r - first) * FIELD & MASK);
                total += row_totals >> (r - first) * FIELD & MASK;
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

// A warp goes over items 0 to count - 1, whole lines of a destination at a time: `before` items of the first line are
// not among them. rows.at<ROWS, INSIDE>(k) is for items k, k + WARP, ... of each lane, ROWS of them. INSIDE: all are
// there, and none is item 0. (Not a lambda: NVRTC takes one with template parameters for a function of the host.)
template <class Rows> __device__ __forceinline__ void each_line(unsigned before, unsigned count, const Rows &rows)
{
    constexpr int ROWS = 4;
    int k = int(lane_id()) - int(before), whole = int(before + count) / WARP - 1; // whole rows behind the first one
    rows.template at<1, false>(k);
    if (before + count <= WARP)
        return;
    for (k += WARP; whole >= ROWS; whole -= ROWS, k += ROWS * WARP)
        rows.template at<ROWS, true>(k);
    rows.template at<ROWS, false>(k);
}

template <class U, class F> struct stored_rows {
    U *to;
    unsigned count;
    F item;

    template <int ROWS, bool INSIDE> __device__ __forceinline__ void at(int k) const
    {
        U items[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (INSIDE || unsigned(k + r * WARP) < count)
                items[r] = item(k + r * WARP);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (INSIDE || unsigned(k + r * WARP) < count)
                to[k + r * WARP] = items[r];
    }
};

// A warp stores item(0) to item(count - 1).
template <class U, class F> __device__ __forceinline__ void store_run(U *to, unsigned count, F item)
{
    constexpr int LINE = 128 / sizeof(U) < WARP ? 128 / sizeof(U) : WARP;
    each_line(reinterpret_cast<uintptr_t>(to) / sizeof(U) % LINE, count, stored_rows<U, F>{to, count, item});
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
