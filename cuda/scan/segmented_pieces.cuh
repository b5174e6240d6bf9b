// segmented_pieces.cuh - cut segments. Each part of the work that meets one publishes a piece. The block that publishes
// the last piece combines all of them in their order. It waits for nothing but stores that are under way.
#ifndef SK_CUDA_SEGMENTED_PIECES_CUH
#define SK_CUDA_SEGMENTED_PIECES_CUH

#include "scan/segmented_input.cuh"

// Memory that is clear before each launch, and after it. Pieces of cut segments: in the part where the segment begins,
// and in later ones.
template <class T> struct segmented_state {
    descriptor<T> begun[SEGMENTED_PARTS], entered[SEGMENTED_PARTS];
    unsigned published[SEGMENTED_PARTS]; // pieces, in the part where the segment begins
};

// Where a cut segment has pieces: the part where it begins, and the last one.
struct segmented_span {
    size_t first, last;
    bool is_cut;
};

template <class Op> struct segmented_pieces {
    using T = typename Op::type;
    static constexpr int THREADS = SEGMENTED_THREADS;

    const segmented_input<Op> &in;
    segmented_state<T> *state;
    warp_totals<Op, THREADS> &totals; // in shared memory

    // Where the piece of a cut segment in a part is published. Another one may begin in its last part.
    __device__ __forceinline__ descriptor<T> *place(const segmented_span &p, size_t of_part) const
    {
        return of_part == p.first ? state->begun + of_part : state->entered + of_part;
    }

    // By one thread. True if the other pieces have been published.
    __device__ __forceinline__ bool publish(const segmented_span &p, T result)
    {
        descriptor<T>::publish(place(p, blockIdx.x), 0, result, AGGREGATE);
        return atomicAdd(state->published + p.first, 1u) == p.last - p.first;
    }

    // Combines all pieces, and clears their state. Contains barriers.
    __device__ __forceinline__ void join(const segmented_span &p, size_t segment)
    {
        size_t pieces = p.last - p.first + 1, each = (pieces - 1) / THREADS + 1;
        size_t first = p.first + threadIdx.x * each;
        T result = Op::identity();
        for (size_t at = first; at < first + each && at <= p.last; at++) {
            descriptor<T> *from = place(p, at);
            described<T> found;
            do // the store may be under way
                found = descriptor<T>::look(from, 0);
            while (found.status == NOTHING);
            *from = descriptor<T>();
            result = Op::combine(result, found.value);
        }
        result = reduce_lanes<Op, WARP>(result);
        if (lane_id() == 0)
            totals.of_warp[threadIdx.x / WARP] = result;
        __syncthreads();
        if (threadIdx.x == 0) {
            in.put(segment, totals.fold().total);
            state->published[p.first] = 0;
        }
        __syncthreads();
    }
};

#endif
