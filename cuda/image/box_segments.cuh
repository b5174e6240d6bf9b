// box_segments.cuh - sums under a box that moves along rows, a chunk at a time, written transposed.
//
// The second pass over the transposed sums is the same, and gives the image back in its orientation. Channels are
// sequences of their own. A block takes 8 sequences, one sector of a transposed row of 4-byte elements, and goes along
// them in chunks. A pixel enters the box, and another leaves it 2r + 1 pixels later: the scan of their differences is
// the sum under the box. Moving sums: McDonnell, Box-filtering Techniques, 1981.
//
// Where the two pixels come from is a window's business. box_ring.cuh has those under the box in shared memory, so that
// each is read once; box_streams.cuh reads both, with any radius. A window has, for pixel i of a thread's segment:
//     enters(i)   the pixel that comes under the box after it
//     leaves(i)   the first pixel under the box around it; leaves(-1) is the one before
// and UNROLL, how many pixels there are registers for.
#ifndef SK_CUDA_BOX_SEGMENTS_CUH
#define SK_CUDA_BOX_SEGMENTS_CUH

#include "common/warp.cuh"
#include "image/box_pass.cuh"

constexpr int BOX_SEQUENCES = 8; // of a block
constexpr int BOX_SEGMENT = 16;  // pixels that a thread sums

// Lanes take 8 sequences and 4 segments.
__device__ __forceinline__ int box_sequence()
{
    return threadIdx.x % BOX_SEQUENCES;
}

__device__ __forceinline__ int box_segment()
{
    return threadIdx.x / BOX_SEQUENCES * BOX_SEGMENT;
}

// Pixels of a sequence that a block takes at a time.
template <int THREADS> constexpr int BOX_CHUNK = THREADS / BOX_SEQUENCES *BOX_SEGMENT;

template <class A, class Window> __device__ __forceinline__ A box_sum_segment(const Window &window)
{
    A sum = 0;
#pragma unroll Window::UNROLL
    for (int i = 0; i < BOX_SEGMENT; i++)
        sum += A(window.enters(i)) - A(window.leaves(i));
    return sum;
}

// The sums of a block's warps, for each sequence.
template <class A, int THREADS> struct box_totals {
    static constexpr int WARPS = THREADS / WARP;
    A of_warp[WARPS][BOX_SEQUENCES];

    // The sum of the warp's segments before this one. Keeps the warp's total.
    __device__ __forceinline__ A scan_segments(A sum)
    {
#pragma unroll
        for (int distance = BOX_SEQUENCES; distance < WARP; distance *= 2) {
            A left = __shfl_up_sync(FULL_WARP, sum, distance);
            sum += lane_id() >= unsigned(distance) ? left : A(0);
        }
        if (lane_id() >= WARP - BOX_SEQUENCES)
            of_warp[threadIdx.x / WARP][box_sequence()] = sum;
        A left = __shfl_up_sync(FULL_WARP, sum, BOX_SEQUENCES);
        return lane_id() >= BOX_SEQUENCES ? left : A(0);
    }

    // Moves `carry` to the end of the chunk; returns the sum at the begin of the segment.
    __device__ __forceinline__ A begin_segment(A &carry, A before_in_warp) const
    {
        A begin = carry;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            begin = w == int(threadIdx.x / WARP) ? carry : begin;
            carry += of_warp[w][box_sequence()];
        }
        return begin + before_in_warp;
    }
};

// Writes columns of the output: the sums of a thread's sequence.
template <class Store> struct box_writer {
    using W = typename Store::sum;
    using T = typename Store::written;
    const box_pass &pass;
    const size_t column;
    const Store store;
    const W fraction; // of a pixel at each end of the box, in units

    __device__ box_writer(const box_pass &of)
        : pass(of), column(size_t(blockIdx.x) * BOX_SEQUENCES + box_sequence()),
          store(of, min(column, of.sequences - 1)), fraction(W(of.radius % SK_BOX_UNIT))
    {
    }

    // sum: by whole pixels, around pixel x, the segment's first one. EXISTS: all pixels do, and are written. WHOLE: so,
    // and their boxes have the full length.
    template <bool EXISTS, bool WHOLE, class A, class Window>
    __device__ __forceinline__ void write_pixels(A sum, size_t x, const Window &window) const
    {
        unsigned char *to = pass.out + x * pass.out_pitch + column * sizeof(T);
        const box_lengths<typename Store::length> lengths(x, pass.radius, pass.length, pass.edge);
        auto last = window.leaves(-1);
#pragma unroll(EXISTS ? Window::UNROLL : 1)
        for (int i = 0; i < BOX_SEGMENT; i++) {
            auto enters = window.enters(i), leaves = window.leaves(i);
            W all = W(sum) * W(SK_BOX_UNIT) + fraction * (W(last) + W(enters));
            if constexpr (WHOLE)
                store.whole(reinterpret_cast<T *>(to), all, pass);
            else if (EXISTS || (x + i < pass.length && column < pass.sequences))
                store.part(reinterpret_cast<T *>(to), all, lengths(i), pass);
            to += pass.out_pitch;
            last = leaves;
            sum += A(enters) - A(leaves);
        }
    }

    // A block's chunk of pixels.
    template <class A, class Window>
    __device__ __forceinline__ void write(A sum, size_t chunk, size_t pixels, const Window &window) const
    {
        size_t reach = (pass.radius >> SK_BOX_SHIFT) + 1;
        bool exists = chunk + pixels <= pass.length && column < pass.sequences;
        bool whole = pass.edge != SCANKIT_EDGE_OMIT || (chunk >= reach && chunk + pixels + reach <= pass.length);
        if (exists && whole)
            write_pixels<true, true>(sum, chunk + box_segment(), window);
        else if (std::is_floating_point_v<A> && exists) // integers have no registers for this
            write_pixels<true, false>(sum, chunk + box_segment(), window);
        else
            write_pixels<false, false>(sum, chunk + box_segment(), window);
    }
};

#endif
