// segmented_few.cuh - reductions of few segments in one launch, without a search. A block reduces some segments one by
// one, or each of its warps one if they are short on average. Long segments are cut into parts of one length, and each
// block also reduces what its part has of them. To find that, each thread of a block looks at the length of a few
// neighbouring segments together. In most cases this length shows that none of them is long. The operator must be
// commutative.
//
// Who reduces an element depends on the offsets alone, and so does the order of operations.
#ifndef SK_CUDA_SEGMENTED_FEW_CUH
#define SK_CUDA_SEGMENTED_FEW_CUH

#include "device/overlap.cuh"
#include "scan/segmented_pieces.cuh"

template <class Op> struct segmented_few {
    using T = typename Op::type;
    using E = typename Op::element;
    using vector = element_vector<E>;
    static constexpr unsigned THREADS = SEGMENTED_THREADS, WARPS = THREADS / WARP, EACH = vector::EACH;
    static constexpr unsigned LOADS = SEGMENTED_LOADS<E>;
    static constexpr unsigned ROUND = WARP * LOADS * EACH;                    // elements that a warp loads together
    static constexpr unsigned MOST = (SEGMENTED_FEW<E> - 1) / FEW_BLOCKS + 1; // segments of a block, at most

    // Elements [begin, end) of a segment.
    struct piece {
        size_t segment, begin, end;
        segmented_span parts; // where the segment has pieces
        bool last;            // this block published the last one
    };

    struct shared_memory {
        warp_totals<Op, THREADS> totals[MOST];
        bool is_long[MOST];
        unsigned pieces;
        piece piece_of[FEW_PIECES];
    };

    const segmented_input<Op> &in;
    shared_memory &shared;
    size_t front, n;        // elements before all segments, and in them
    size_t length, longest; // of a part; of a segment that is not cut
    size_t part, part_end;  // this block's, in elements
    bool by_warps;          // if segments are short on average

    __device__ __forceinline__ segmented_few(const segmented_input<Op> &from, shared_memory &memory, size_t before,
                                             size_t behind)
        : in(from), shared(memory), front(before), n(behind - before)
    {
        length = n / SEGMENTED_PARTS + 1;
        length = length < FEW_PART<E> ? FEW_PART<E> : length;
        by_warps = in.segments > gridDim.x && n <= in.segments * ROUND * FEW_MEAN_ROUNDS;
        longest = by_warps ? WARPS * ROUND : n < in.segments * FEW_CUT_MEAN ? FEW_LONGEST : FEW_LONGEST_CUT;
        longest = length / 8 < longest ? longest : length / 8;
        part = front + blockIdx.x * length;
        part_end = part + length < behind ? part + length : behind;
    }

    // ---- elements ----

    // The result of N elements. A loop over an array of results would put narrow ones into local memory.
    template <unsigned N> static __device__ __forceinline__ T total_of(const E *item)
    {
        if constexpr (N == 1)
            return load_as<Op>(item[0]);
        else
            return Op::combine(total_of<N / 2>(item), total_of<N / 2>(item + N / 2));
    }

    // The share of one of LANES lanes of elements [begin, end): vectors of the array, and single ones at both ends.
    template <unsigned LANES> __device__ __forceinline__ T share_of(size_t begin, size_t end, unsigned lane) const
    {
        const E *from = in.in + begin;
        unsigned n_ahead = unsigned(0 - begin) % EACH;
        n_ahead = n_ahead < end - begin ? n_ahead : unsigned(end - begin);
        unsigned count = unsigned((end - begin - n_ahead) / EACH), n_behind = unsigned(end - begin - n_ahead) % EACH;
        const E *at = from + n_ahead + lane * EACH; // the lane's next vector
        E ahead = E(), behind = E();
        if (lane < n_ahead)
            ahead = from[lane];
        if (lane < n_behind)
            behind = in.in[end - n_behind + lane];
        T own = Op::identity();
        if (uintptr_t(in.in) % 16 == 0) {
            for (unsigned v = lane; v < count; v += LOADS * LANES, at += LOADS * LANES * EACH) {
                vector several[LOADS];
#pragma unroll
                for (unsigned i = 0; i < LOADS; i++)
                    load_wanted(several[i], at + i * LANES * EACH, v + i * LANES < count);
#pragma unroll
                for (unsigned i = 0; i < LOADS; i++)
                    if (v + i * LANES < count)
                        own = Op::combine(own, total_of<EACH>(several[i].item));
            }
        } else {
#pragma unroll 1
            for (unsigned v = lane; v < count; v += LANES, at += LANES * EACH)
                own = Op::combine(own, total_of<EACH>(at));
        }
        own = lane < n_ahead ? Op::combine(own, load_as<Op>(ahead)) : own;
        return lane < n_behind ? Op::combine(own, load_as<Op>(behind)) : own;
    }

    // Stores the result of a warp's lanes for fold().
    static __device__ __forceinline__ void publish(warp_totals<Op, THREADS> &totals, T own)
    {
        own = reduce_lanes<Op, WARP>(own);
        if (lane_id() == 0)
            totals.of_warp[threadIdx.x / WARP] = own;
    }

    // ---- segments that are not cut ----

    // A warp each. Returns false if the segment is left to the block.
    __device__ __forceinline__ bool reduce_by_warp(size_t segment, size_t begin, size_t end)
    {
        if (end - begin > FEW_WARP_ROUNDS * ROUND)
            return end - begin > longest;
        T result = reduce_lanes<Op, WARP>(share_of<WARP>(begin, end, lane_id()));
        if (lane_id() == 0 && segment < in.segments)
            in.put(segment, result);
        return true;
    }

    // The block's segments, one after the other. Warps do not wait for each other. Returns their number.
    __device__ __forceinline__ unsigned reduce_by_block(size_t begin, size_t end)
    {
        for (unsigned k = 0;; k++) {
            size_t next = blockIdx.x + (k + 1) * gridDim.x, next_begin = 0, next_end = 0;
            if (next < in.segments) {
                next_begin = in.offsets[next];
                next_end = in.offsets[next + 1];
            }
            bool is_long = end - begin > longest;
            publish(shared.totals[k], is_long ? Op::identity() : share_of<THREADS>(begin, end, threadIdx.x));
            if (threadIdx.x == 0)
                shared.is_long[k] = is_long;
            if (next >= in.segments)
                return k + 1;
            begin = next_begin;
            end = next_end;
        }
    }

    // ---- pieces ----

    // True if one of some segments may be long and have elements in the part.
    __device__ __forceinline__ bool is_here(size_t begin, size_t end) const
    {
        return end - begin > longest && begin < part_end && end > part;
    }

    __device__ __forceinline__ size_t part_of(size_t element) const
    {
        return n >> 32 == 0 ? unsigned(element - front) / unsigned(length) : (element - front) / length;
    }

    __device__ __forceinline__ void list_piece(const piece &p)
    {
        shared.piece_of[atomicAdd(&shared.pieces, 1u)] = p;
    }

    // The pieces in the part of the long ones of some segments.
    __device__ __forceinline__ void list_pieces(size_t segment, size_t behind)
    {
#pragma unroll 4
        for (; segment < behind; segment++) {
            size_t begin = in.offsets[segment], end = in.offsets[segment + 1];
            if (is_here(begin, end)) {
                segmented_span parts = {part_of(begin), part_of(end - 1), false};
                parts.is_cut = parts.first < parts.last;
                list_piece({segment, begin < part ? part : begin, end < part_end ? end : part_end, parts, false});
            }
        }
    }

    // Contains barriers.
    __device__ __forceinline__ void reduce_pieces(segmented_state<T> *state)
    {
        segmented_pieces<Op> pieces = {in, state, shared.totals[0]};
        for (unsigned i = 0; i < shared.pieces; i++) {
            piece &p = shared.piece_of[i];
            publish(shared.totals[i % 2], share_of<THREADS>(p.begin, p.end, threadIdx.x));
            __syncthreads();
            if (threadIdx.x == 0) {
                T result = shared.totals[i % 2].fold().total;
                if (p.parts.is_cut)
                    p.last = pieces.publish(p.parts, result);
                else
                    in.put(p.segment, result);
            }
        }
        __syncthreads();
        for (unsigned i = 0; i < shared.pieces; i++)
            if (shared.piece_of[i].last)
                pieces.join(shared.piece_of[i].parts, shared.piece_of[i].segment);
    }
};

template <class Op>
__global__ void __launch_bounds__(SEGMENTED_THREADS, SEGMENTED_BLOCKS)
    reduce_few_segments(const __grid_constant__ segmented_input<Op> in, segmented_state<typename Op::type> *state)
{
    using few = segmented_few<Op>;
    __shared__ typename few::shared_memory shared;
    if (threadIdx.x == 0)
        shared.pieces = 0;
    wait_for_launches();
    const uint64_t *offsets = in.offsets;
    const unsigned segments = unsigned(in.segments), each = (segments - 1) / few::THREADS + 1;
    const unsigned warp_blocks = (segments - 1) / few::WARPS + 1; // if each warp reduces a segment
    const unsigned s = blockIdx.x, of_warp = blockIdx.x + threadIdx.x / WARP * warp_blocks;
    const unsigned first = threadIdx.x * each, behind = first + each < segments ? first + each : segments;
    bool warp_there = segments > gridDim.x && blockIdx.x < warp_blocks && of_warp < segments;
    bool looks = blockIdx.x < SEGMENTED_PARTS && first < segments;
    size_t front = offsets[0], back = offsets[segments];
    size_t begin = s < segments ? offsets[s] : 0, end = s < segments ? offsets[s + 1] : 0;
    size_t warp_begin = warp_there ? offsets[of_warp] : 0, warp_end = warp_there ? offsets[of_warp + 1] : 0;
    size_t look_begin = looks ? offsets[first] : 0, look_end = looks ? offsets[behind] : 0;

    few block(in, shared, front, back);
    bool may = block.is_here(look_begin, look_end), left = false;
    if (block.by_warps) {
        left = !block.reduce_by_warp(warp_there ? of_warp : segments, warp_begin, warp_end);
        if (!__syncthreads_or(left || may))
            return;
    } else {
        unsigned count = block.reduce_by_block(begin, end);
        bool any = __syncthreads_or(may);
        size_t own = blockIdx.x + size_t(threadIdx.x) * gridDim.x;
        if (threadIdx.x < count && own < segments && !shared.is_long[threadIdx.x])
            in.put(own, shared.totals[threadIdx.x].fold().total);
        if (!any)
            return;
    }
    few again(in, shared, offsets[0], offsets[segments]); // computed again, to save registers
    if (left && lane_id() == 0)
        again.list_piece({of_warp, warp_begin, warp_end, {0, 0, false}, false});
    if (may)
        again.list_pieces(first, behind);
    __syncthreads();
    again.reduce_pieces(state);
}

#endif
