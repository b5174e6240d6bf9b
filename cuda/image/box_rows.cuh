// box_rows.cuh - the sums of each row of an image under a box that moves along it, written transposed.
//
// The second pass over the transposed sums is the same kernel, and gives the image back in its orientation. Channels
// are sequences of their own. A block takes 8 sequences, one sector of a transposed row of 4-byte elements, and goes
// along them in chunks. It reads two streams: the pixels that enter the box, and those that leave it 2r + 1 pixels
// later, which the L2 cache still has. The scan of their differences is the sum under the box. So neither the reads nor
// the shared memory depend on the radius. Moving sums: McDonnell, Box-filtering Techniques, 1981.
#ifndef SK_CUDA_BOX_ROWS_CUH
#define SK_CUDA_BOX_ROWS_CUH

#include "common/warp.cuh"
#include "image/box_pass.cuh"

constexpr int BOX_SEQUENCES = 8; // of a block
constexpr int BOX_SEGMENT = 16;  // pixels that a thread sums, and loads of a stream
// Blocks of a multiprocessor. The windows of all sequences in flight must fit the L2 cache: with 3 blocks and 132
// multiprocessors, 25 MB at a radius of 1000 pixels of 4 bytes.
constexpr int BOX_BLOCKS = 3;

// Threads of a block: elements of 8 bytes leave room in shared memory for half a chunk.
template <class E> constexpr int BOX_THREADS = sizeof(E) == 8 ? 128 : 256;

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

// ---- the block ----

template <class E, class A> struct box_block {
    using S = typename box_staged<E>::type;
    static constexpr int THREADS = BOX_THREADS<E>, WARPS = THREADS / WARP;
    static constexpr int CHUNK = THREADS * BOX_SEGMENT / BOX_SEQUENCES;
    static constexpr int GROUPS = CHUNK / WARP, OWN = BOX_SEQUENCES / WARPS; // sequences that a warp loads
    // 8 words are skipped after each 32: the segments of a warp then lie in different banks.
    static constexpr int PADDING = 8, ROW = CHUNK + CHUNK / WARP * PADDING + 1;

    struct room {
        S entering[BOX_SEQUENCES][ROW], leaving[BOX_SEQUENCES][ROW];
        S before[2][BOX_SEQUENCES]; // the pixel that left before the chunk's first one; chunks take turns
        A of_warp[WARPS][BOX_SEQUENCES], first[BOX_SEQUENCES];
    };

    static __device__ __forceinline__ int place(int x)
    {
        return x + x / WARP * PADDING;
    }

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

    __device__ box_block(const box_pass &of, room &in) : pass(of), shared(in)
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
            int sequence = threadIdx.x / WARP * OWN + j / GROUPS, at = place(j % GROUPS * WARP + lane_id());
            shared.entering[sequence][at] = stage_of<S>(entering[j]);
            shared.leaving[sequence][at] = stage_of<S>(leaving[j]);
        }
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

    // ---- a chunk: lanes take 8 sequences and 4 segments ----

    static __device__ __forceinline__ int sequence()
    {
        return threadIdx.x % BOX_SEQUENCES;
    }

    static __device__ __forceinline__ int segment()
    {
        return threadIdx.x / BOX_SEQUENCES * BOX_SEGMENT;
    }

    __device__ __forceinline__ A sum_segment() const
    {
        const S *in = &shared.entering[sequence()][place(segment())],
                *out = &shared.leaving[sequence()][place(segment())];
        A sum = 0;
#pragma unroll 4
        for (int i = 0; i < BOX_SEGMENT; i++)
            sum += A(in[i]) - A(out[i]);
        return sum;
    }

    // The sum of the warp's segments before this one. The warp's total goes to shared memory.
    __device__ __forceinline__ A scan_segments(A sum)
    {
#pragma unroll
        for (int distance = BOX_SEQUENCES; distance < WARP; distance *= 2) {
            A left = __shfl_up_sync(FULL_WARP, sum, distance);
            sum += lane_id() >= unsigned(distance) ? left : A(0);
        }
        if (lane_id() >= WARP - BOX_SEQUENCES)
            shared.of_warp[threadIdx.x / WARP][sequence()] = sum;
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
            carry += shared.of_warp[w][sequence()];
        }
        return begin + before_in_warp;
    }

    // sum: by whole pixels, around the segment's first pixel. What is beyond whole pixels counts by its fraction.
    template <class Store>
    __device__ __forceinline__ void write_segment(A sum, size_t chunk, const Store &store, size_t column) const
    {
        using W = typename Store::sum;
        using T = typename Store::written;
        const S *in = &shared.entering[sequence()][place(segment())], *out = &shared.leaving[sequence()][0];
        unsigned turn = unsigned(chunk / CHUNK % 2);
        S last = segment() == 0 ? shared.before[turn][sequence()] : out[place(segment() - 1)];
        out += place(segment());
        W fraction = W(pass.radius % SK_BOX_UNIT);
        size_t x = chunk + segment();
        T *to = reinterpret_cast<T *>(pass.out + x * pass.out_pitch) + column;
#pragma unroll 4
        for (int i = 0; i < BOX_SEGMENT; i++) {
            W all = W(sum) * W(SK_BOX_UNIT) + fraction * (W(last) + W(in[i]));
            if (x + i < pass.length && column < pass.sequences)
                store(to, all, box_length(x + i, pass.radius, pass.length, pass.edge), pass);
            to = reinterpret_cast<T *>(reinterpret_cast<unsigned char *>(to) + pass.out_pitch);
            last = out[i];
            sum += A(in[i]) - A(last);
        }
        if (segment() == CHUNK - BOX_SEGMENT)
            shared.before[!turn][sequence()] = last;
    }
};

// E: elements of the input. A: sums by whole pixels. Store: what becomes of sums in units.
template <class E, class A, class Store>
static __global__ void __launch_bounds__(BOX_THREADS<E>, BOX_BLOCKS) box_rows_kernel(const box_pass pass)
{
    using block = box_block<E, A>;
    __shared__ typename block::room shared;
    block of(pass, shared);
    size_t column = size_t(blockIdx.x) * BOX_SEQUENCES + block::sequence();
    Store store(pass, min(column, pass.sequences - 1));
    of.sum_first();
    of.load_chunks(0);
    __syncthreads();
    A carry = shared.first[block::sequence()];
    for (size_t chunk = 0; chunk < pass.length; chunk += block::CHUNK) {
        of.stage_chunks();
        __syncthreads();
        if (chunk + block::CHUNK < pass.length)
            of.load_chunks(chunk + block::CHUNK); // while this chunk is summed
        A before = of.scan_segments(of.sum_segment());
        __syncthreads();
        A sum = of.begin_segment(carry, before);
        of.write_segment(sum, chunk, store, column);
        __syncthreads();
    }
}

#endif
