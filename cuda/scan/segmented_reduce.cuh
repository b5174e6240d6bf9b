// segmented_reduce.cuh - reductions of segments between offsets, of any lengths. The work is divided along the merge
// path of elements and ends of segments, on which an element comes before the end of its segment (Merrill and Garland,
// Merge-based Parallel Sparse Matrix-Vector Multiplication, 2016). The path is cut into parts of one length, a block
// each, whose number depends on the offsets alone.
//
// A part reduces the segments that begin in it, also their elements behind the part, up to SEGMENTED_LATE of them. Only
// segments that go on for more are cut, where parts begin. The last block to publish a piece of such a segment combines
// all of them in their order. It waits for nothing but stores that are under way. So the order of operations depends on
// the offsets alone.
//
// Parts with many short segments reduce them by tiles (segmented_tiles.cuh), others by chunks (segmented_chunks.cuh).
#ifndef SK_CUDA_SEGMENTED_REDUCE_CUH
#define SK_CUDA_SEGMENTED_REDUCE_CUH

#include "device/overlap.cuh"
#include "scan/segmented_chunks.cuh"
#include "scan/segmented_pieces.cuh"
#include "scan/segmented_tiles.cuh"

// True if a stretch of `steps` steps is reduced by tiles.
template <class Op> __device__ __forceinline__ bool goes_by_tiles(size_t segments, size_t steps)
{
    return !is_commutative<Op> || steps < segments * SEGMENTED_CHUNKS_FROM;
}

// Steps of a part, for a path of `path` steps.
template <class Op> __device__ __forceinline__ size_t part_length(size_t segments, size_t path)
{
    constexpr size_t TILE = segmented_tiles<Op>::TILE - SEGMENTED_SLACK;
    constexpr size_t LEAST = TILE < SEGMENTED_LEAST_BY_TILES ? TILE : SEGMENTED_LEAST_BY_TILES;
    size_t length = path / SEGMENTED_PARTS + 1;
    if (!goes_by_tiles<Op>(segments, path))
        return length < SEGMENTED_LEAST ? SEGMENTED_LEAST : length;
    return length < LEAST ? LEAST : length < TILE ? length : (length + TILE - 1) / TILE * TILE;
}

// ---- where segments begin on the path ----

// For two steps, the number of segments that begin before each.
struct segmented_bounds {
    size_t first, behind;
};

// The threads look at several segments at a time, and all of them at the same ones at first: those can be loaded before
// the steps are known.
template <class Op> struct segmented_search {
    static constexpr int THREADS = SEGMENTED_THREADS, LOOKS = 2;

    struct shared_memory {
        unsigned counts[2][THREADS / WARP];
    };

    size_t begins[LOOKS]; // of segments, in elements

    static __device__ __forceinline__ size_t stride_of(size_t segments)
    {
        return segments / (LOOKS * THREADS) + 1;
    }

    static __device__ __forceinline__ size_t place(size_t stride, int i)
    {
        return (threadIdx.x + i * THREADS + 1) * stride - 1;
    }

    __device__ __forceinline__ void look(const uint64_t *offsets, size_t segments)
    {
        size_t stride = stride_of(segments);
#pragma unroll
        for (int i = 0; i < LOOKS; i++)
            begins[i] = place(stride, i) < segments ? offsets[place(stride, i)] : 0;
    }

    // The sum of the threads' counts. Two halves of a word are two counts.
    static __device__ __forceinline__ unsigned sum(unsigned count, unsigned *counts)
    {
        count = warp_sum(count);
        if (lane_id() == 0)
            counts[threadIdx.x / WARP] = count;
        __syncthreads();
        unsigned all = 0;
#pragma unroll
        for (int w = 0; w < THREADS / WARP; w++)
            all += counts[w];
        return all;
    }

    // Contains barriers.
    __device__ __forceinline__ segmented_bounds find(const segmented_input<Op> &in, size_t front, size_t first_step,
                                                     size_t behind_step, shared_memory &shared)
    {
        size_t step[2] = {first_step, behind_step}, low[2], high[2];
        size_t stride = stride_of(in.segments);
        unsigned count = 0, round = 0;
#pragma unroll
        for (int i = 0; i < LOOKS; i++) {
            size_t at = place(stride, i), begin = begins[i] - front + at;
            count += at < in.segments && begin < step[0] ? 1 : 0;
            count += at < in.segments && begin < step[1] ? 1 << 16 : 0;
        }
        count = sum(count, shared.counts[round++ & 1]);
#pragma unroll
        for (int k = 0; k < 2; k++) {
            low[k] = (count >> 16 * k & 0xffff) * stride;
            high[k] = low[k] + stride - 1 < in.segments ? low[k] + stride - 1 : in.segments;
        }
        // Half of the threads for each of the two
        unsigned half = threadIdx.x / (THREADS / 2), lane = threadIdx.x % (THREADS / 2);
        while (low[0] < high[0] || low[1] < high[1]) {
            size_t next[2] = {(high[0] - low[0]) / (THREADS / 2) + 1, (high[1] - low[1]) / (THREADS / 2) + 1};
            size_t at = half == 0 ? low[0] + (lane + 1) * next[0] - 1 : low[1] + (lane + 1) * next[1] - 1;
            bool before =
                at < (half == 0 ? high[0] : high[1]) && in.begin_step(at, front) < (half == 0 ? step[0] : step[1]);
            count = sum(before ? 1u << 16 * half : 0, shared.counts[round++ & 1]);
#pragma unroll
            for (int k = 0; k < 2; k++) {
                low[k] += (count >> 16 * k & 0xffff) * next[k];
                high[k] = low[k] + next[k] - 1 < high[k] ? low[k] + next[k] - 1 : high[k];
            }
        }
        return {low[0], low[1]};
    }
};

// ---- parts ----

template <class Op> struct segmented_part {
    using T = typename Op::type;
    using E = typename Op::element;
    using tiles = segmented_tiles<Op>;
    using chunks = segmented_chunks<Op>;
    using stretch = segmented_stretch;
    using span = segmented_span;
    static constexpr int THREADS = SEGMENTED_THREADS;

    // A piece of a segment that began in an earlier part; segments that the part reduces alone; a piece of one that
    // begins in the part and is cut.
    enum { ENTERS, WHOLE, LEAVES, STRETCHES };

    struct shared_memory {
        union {
            typename tiles::shared_memory tiles;
            typename chunks::shared_memory chunks;
        };
        typename segmented_search<Op>::shared_memory search;
        warp_totals<Op, THREADS> totals;
        stretch steps[STRETCHES];
        span spans[STRETCHES];
        T result[STRETCHES]; // of pieces
        bool last[STRETCHES];
        size_t front, back, length; // the first element of segments, the end of the last one; steps of a part
    };

    const segmented_input<Op> &in;
    shared_memory &shared;

    // Finds the pieces and the segments of the part. Contains a barrier.
    __device__ __forceinline__ void divide(segmented_bounds bounds, size_t front, size_t back, size_t length)
    {
        if (threadIdx.x == 0 || threadIdx.x == WARP) {
            int which = threadIdx.x == 0 ? ENTERS : LEAVES;
            size_t segment = (which == ENTERS ? bounds.first : bounds.behind) - 1;
            span parts = {0, 0, false};
            if (which == ENTERS ? bounds.first > 0 : bounds.behind > bounds.first) {
                size_t begin = in.begin_step(segment, front), end = in.begin_step(segment + 1, front) - 1;
                size_t step = blockIdx.x * length, edge = which == ENTERS ? step : step + length;
                if (end > edge + SEGMENTED_LATE<E>) {
                    parts = {begin / length, (end - SEGMENTED_LATE<E> - 1) / length, true};
                    shared.steps[which] = {begin < step ? step : begin, blockIdx.x < parts.last ? step + length : end,
                                           segment, segment};
                }
            }
            shared.spans[which] = parts;
            if (which == LEAVES) {
                size_t behind = bounds.behind - (parts.is_cut ? 1 : 0);
                shared.steps[WHOLE] = {in.begin_step(bounds.first, front), in.begin_step(behind, front), bounds.first,
                                       behind};
                shared.front = front;
                shared.back = back;
                shared.length = length;
            }
        }
        __syncthreads();
    }

    // Reduces segments by chunks, until there are none, or one has too many chunks. Tiles reduce the rest.
    __device__ __forceinline__ void reduce_by_chunks()
    {
        stretch &whole = shared.steps[WHOLE];
        chunks by_chunks = {in, shared.chunks, shared.front, shared.back};
        by_chunks.choose(whole.end - whole.begin, whole.behind - whole.first);
        while (whole.first < whole.behind) {
            unsigned count = by_chunks.reduce_batch(whole.first, whole.behind);
            if (threadIdx.x == 0) {
                whole.first += count;
                whole.begin = in.begin_step(whole.first, shared.front);
            }
            __syncthreads();
            if (count == 0)
                break;
        }
    }

    __device__ __forceinline__ void reduce()
    {
        const stretch &whole = shared.steps[WHOLE];
        if constexpr (is_commutative<Op>)
            if (!goes_by_tiles<Op>(whole.behind - whole.first, shared.length))
                reduce_by_chunks();
        tiles by_tiles = {in, shared.tiles, shared.front};
        for (int which = ENTERS; which < STRETCHES; which++) {
            if (which != WHOLE && !shared.spans[which].is_cut)
                continue;
            T open = by_tiles.reduce_steps(shared.steps[which]);
            if (threadIdx.x == 0)
                shared.result[which] = open;
        }
    }
};

template <class Op>
__global__ void __launch_bounds__(SEGMENTED_THREADS, SEGMENTED_BLOCKS)
    reduce_segments(const __grid_constant__ segmented_input<Op> in, segmented_state<typename Op::type> *state)
{
    using part = segmented_part<Op>;
    __shared__ typename part::shared_memory shared;
    wait_for_launches();
    segmented_search<Op> search;
    search.look(in.offsets, in.segments);
    size_t front = in.offsets[0], back = in.offsets[in.segments], path = back - front + in.segments;
    size_t length = part_length<Op>(in.segments, path), step = blockIdx.x * length;
    if (step >= path)
        return;
    part block = {in, shared};
    block.divide(search.find(in, front, step, step + length, shared.search), front, back, length);
    block.reduce();
    if (!shared.spans[part::ENTERS].is_cut && !shared.spans[part::LEAVES].is_cut)
        return;
    segmented_pieces<Op> pieces = {in, state, shared.totals};
    if (threadIdx.x == 0)
        for (int which : {part::ENTERS, part::LEAVES}) {
            const auto &span = shared.spans[which];
            shared.last[which] = span.is_cut && pieces.publish(span, shared.result[which]);
        }
    __syncthreads();
    for (int which : {part::ENTERS, part::LEAVES})
        if (shared.last[which])
            pieces.join(shared.spans[which], shared.steps[which].first);
}

#endif
