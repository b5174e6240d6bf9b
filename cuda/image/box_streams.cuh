// box_streams.cuh - a pass of a box filter with any radius: a block reads the pixels that enter the box and those that
// leave it. The L2 cache still has the latter if all windows in flight fit it. So neither the reads nor the shared
// memory depend on the radius.
#ifndef SK_CUDA_BOX_STREAMS_CUH
#define SK_CUDA_BOX_STREAMS_CUH

#include "image/box_segments.cuh"

// Blocks of a multiprocessor. The windows of all sequences in flight must fit the L2 cache: with 3 blocks and 132
// multiprocessors, 25 MB at a radius of 1000 pixels of 4 bytes.
// Quotients of 64 bits, in the second pass over integers, need the registers of 2.
template <class E> constexpr int BOX_STREAM_BLOCKS = std::is_same_v<E, uint32_t> ? 2 : 3;

// Threads of a block: elements of 8 bytes leave room in shared memory for half a chunk.
template <class E> constexpr int BOX_STREAM_THREADS = sizeof(E) == 8 ? 128 : 256;

// What the shared memory has of an element.
template <class E> struct box_staged {
    using type = uint32_t;
};
template <> struct box_staged<uint64_t> {
    using type = uint64_t;
};
template <> struct box_staged<float> {
    using type = float;
};
template <> struct box_staged<scankit_f16> {
    using type = float;
};

template <class S, class E> __device__ __forceinline__ S stage_of(E value)
{
    if constexpr (std::is_same_v<E, scankit_f16>)
        return sk_f32_from_f16(value);
    else
        return S(value);
}

// 8 words are skipped after each 32: the segments of a warp then lie in different banks.
__device__ __forceinline__ int box_place(int x)
{
    return x + x / WARP * 8;
}

// ---- the window: both streams of a thread's segment ----

template <class S> struct box_stream_window {
    static constexpr int UNROLL = 4;
    const S *entering, *leaving;
    S before;

    __device__ __forceinline__ S enters(int i) const
    {
        return entering[i];
    }

    __device__ __forceinline__ S leaves(int i) const
    {
        return i < 0 ? before : leaving[i];
    }
};

// ---- the block ----

template <class E, class A> struct box_streams {
    using S = typename box_staged<E>::type;
    static constexpr int THREADS = BOX_STREAM_THREADS<E>, WARPS = THREADS / WARP, CHUNK = BOX_CHUNK<THREADS>;
    static constexpr int GROUPS = CHUNK / WARP, OWN = BOX_SEQUENCES / WARPS; // sequences that a warp loads
    static constexpr int ROW = CHUNK + CHUNK / WARP * 8 + 1;

    struct room {
        S entering[BOX_SEQUENCES][ROW], leaving[BOX_SEQUENCES][ROW];
        S before[2][BOX_SEQUENCES]; // the pixel that left before the chunk's first one; chunks take turns
        box_totals<A, THREADS> totals;
        A first[BOX_SEQUENCES];
    };

    const box_pass &pass;
    room &shared;
    const E *row[OWN]; // of the sequences that this warp loads
    E entering[BOX_SEGMENT], leaving[BOX_SEGMENT];

    // The sequences past the last one are the last one.
    __device__ __forceinline__ const E *row_of(size_t sequence) const
    {
        sequence = min(sequence, pass.sequences - 1);
        return reinterpret_cast<const E *>(pass.in + sequence / pass.channels * pass.in_pitch) +
               sequence % pass.channels;
    }

    __device__ box_streams(const box_pass &of, room &in) : pass(of), shared(in)
    {
        size_t first = size_t(blockIdx.x) * BOX_SEQUENCES;
#pragma unroll
        for (int i = 0; i < OWN; i++)
            row[i] = row_of(first + threadIdx.x / WARP * OWN + i);
        int64_t whole = pass.radius >> SK_BOX_SHIFT;
        if (threadIdx.x < BOX_SEQUENCES)
            shared.before[0][threadIdx.x] = stage_of<S>(load(row_of(first + threadIdx.x), -whole - 1));
    }

    __device__ __forceinline__ E load(const E *of, int64_t i) const
    {
        int64_t pixel = pixel_at(i, int64_t(pass.length), pass.edge);
        return pixel >= 0 ? of[pixel * pass.channels] : E();
    }

    // Loads a chunk of a stream: lanes take pixels, and a warp takes all groups of its sequences.
    __device__ __forceinline__ void load_chunk(E (&value)[BOX_SEGMENT], int64_t first) const
    {
        if (first >= 0 && first + CHUNK <= int64_t(pass.length)) {
#pragma unroll
            for (int j = 0; j < BOX_SEGMENT; j++)
                value[j] = row[j / GROUPS][(first + j % GROUPS * WARP + lane_id()) * pass.channels];
        } else {
#pragma unroll
            for (int j = 0; j < BOX_SEGMENT; j++)
                value[j] = load(row[j / GROUPS], first + j % GROUPS * WARP + lane_id());
        }
    }

    // The pixels that move the box from chunk pixel x to x + 1: the one after its end enters, its first one leaves.
    __device__ __forceinline__ void load_chunks(size_t chunk)
    {
        int64_t whole = pass.radius >> SK_BOX_SHIFT, at = int64_t(chunk);
        load_chunk(entering, at + whole + 1);
        load_chunk(leaving, at - whole);
    }

    __device__ __forceinline__ void stage_chunks()
    {
#pragma unroll
        for (int j = 0; j < BOX_SEGMENT; j++) {
            int sequence = threadIdx.x / WARP * OWN + j / GROUPS, at = box_place(j % GROUPS * WARP + lane_id());
            shared.entering[sequence][at] = stage_of<S>(entering[j]);
            shared.leaving[sequence][at] = stage_of<S>(leaving[j]);
        }
    }

    __device__ __forceinline__ box_stream_window<S> window(size_t chunk) const
    {
        const S *leaving = shared.leaving[box_sequence()];
        box_stream_window<S> of = {&shared.entering[box_sequence()][box_place(box_segment())],
                                   leaving + box_place(box_segment()), S()};
        of.before = box_segment() == 0 ? shared.before[chunk / CHUNK % 2][box_sequence()]
                                       : leaving[box_place(box_segment() - 1)];
        return of;
    }

    // For the next chunk.
    __device__ __forceinline__ void keep_last(size_t chunk, const box_stream_window<S> &window)
    {
        if (box_segment() == CHUNK - BOX_SEGMENT)
            shared.before[chunk / CHUNK % 2 == 0][box_sequence()] = window.leaves(BOX_SEGMENT - 1);
    }

    // ---- the sum under the box around the first pixel, by whole pixels ----

    // How often pixel i of a row counts up to an end of a box.
    static __device__ __forceinline__ int64_t weight_at(const sk_box_end &end, size_t i)
    {
        return (i < end.at ? end.low : 0) + (i < end.at + 1 ? end.high : 0) + end.all;
    }

    // A lane's sum of the pixels from `first` up to `last`. Loads do not wait for each other: a radius of 1000 pixels
    // took 710 us (8192 x 8192 f32 on an H100) with loads in turn, and 630 so.
    __device__ __forceinline__ A sum_pixels(const E *of, size_t first, size_t last) const
    {
        A sum = 0;
        for (size_t base = first + lane_id(); base < last; base += BOX_SEGMENT * WARP) {
            E value[BOX_SEGMENT];
#pragma unroll
            for (int j = 0; j < BOX_SEGMENT; j++)
                value[j] = of[min(base + j * WARP, last - 1) * pass.channels];
#pragma unroll
            for (int j = 0; j < BOX_SEGMENT; j++)
                sum += base + j * WARP < last ? A(stage_of<S>(value[j])) : A(0);
        }
        return sum;
    }

    // Weights change only at the two pixels in which the box ends, so all pixels of a part have the same. One copy of
    // the code serves all parts: the kernel has few registers left.
    __device__ __forceinline__ A first_sum(const E *of) const
    {
        const sk_box_side side = sk_box_side_at(0, pass.radius & ~uint32_t(SK_BOX_UNIT - 1), pass.length, pass.edge);
        size_t low = min(side.begin.at, side.end.at), high = max(side.begin.at, side.end.at), begin = 0;
        A sum = 0;
#pragma unroll 1
        for (int part = 0; part < 5; part++) {
            size_t end = part < 2 ? low + part : part < 4 ? high + part - 2 : pass.length;
            int64_t weight = (weight_at(side.end, begin) - weight_at(side.begin, begin)) >> SK_BOX_SHIFT;
            if (begin < end && weight != 0)
                sum += A(weight) * sum_pixels(of, begin, end);
            begin = max(begin, end);
        }
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(FULL_WARP, sum, distance);
        return sum;
    }

    __device__ __forceinline__ void sum_first()
    {
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            A sum = first_sum(row[i]);
            if (lane_id() == 0)
                shared.first[threadIdx.x / WARP * OWN + i] = sum;
        }
    }
};

// E: elements of the input. A: sums by whole pixels. Store: what becomes of sums in units.
template <class E, class A, class Store>
static __global__ void __launch_bounds__(BOX_STREAM_THREADS<E>, BOX_STREAM_BLOCKS<E>)
    box_by_streams(const box_pass pass)
{
    using block = box_streams<E, A>;
    __shared__ typename block::room shared;
    block of(pass, shared);
    box_writer<Store> writer(pass);
    of.sum_first();
    of.load_chunks(0);
    __syncthreads();
    A carry = shared.first[box_sequence()];
    for (size_t chunk = 0; chunk < pass.length; chunk += block::CHUNK) {
        of.stage_chunks();
        __syncthreads();
        if (chunk + block::CHUNK < pass.length)
            of.load_chunks(chunk + block::CHUNK); // while this chunk is summed
        const auto window = of.window(chunk);
        A before = shared.totals.scan_segments(box_sum_segment<A>(window));
        __syncthreads();
        A sum = shared.totals.begin_segment(carry, before);
        writer.write(sum, chunk, block::CHUNK, window);
        of.keep_last(chunk, window);
        __syncthreads();
    }
}

#endif
