// segmented_few.cuh - reductions of few segments in one launch, without a search. Each block has some segments, far
// from one another, and shares out their vectors among its warps. Long segments are cut into parts of one length, and
// each block also reduces what its part has of them. To find that, threads look at the length of some neighbouring
// segments together. Only where this is long do they look at each. The operator must be commutative.
//
// Who reduces an element depends on the offsets alone, and so does the order of operations.
#ifndef SK_CUDA_SEGMENTED_FEW_CUH
#define SK_CUDA_SEGMENTED_FEW_CUH

#include "device/overlap.cuh"
#include "scan/lane_sum.cuh"
#include "scan/segmented_pieces.cuh"

template <class Op> struct segmented_few {
    using T = typename Op::type;
    using E = typename Op::element;
    using vector = element_vector<E>;
    using extreme = lane_extreme<Op>;
    static constexpr unsigned THREADS = SEGMENTED_THREADS, WARPS = THREADS / WARP, EACH = vector::EACH;
    static constexpr unsigned LOADS = FEW_LOADS<E>;                        // a power of two
    static constexpr unsigned MOST = (SEGMENTED_FEW - 1) / FEW_BLOCKS + 1; // segments of a block, at most
    static constexpr unsigned RANGES = MOST + FEW_PIECES;
    static_assert(RANGES <= WARP, "a lane each");

    // Elements [begin, end) of a segment.
    struct range {
        size_t begin, end;
    };

    struct piece {
        size_t segment;
        segmented_span parts; // where the segment has pieces
        bool last;            // this block published the last one
    };

    struct shared_memory {
        warp_totals<Op, THREADS> totals[RANGES];
        range ranges[RANGES]; // the block's segments, and behind them the pieces in its part
        piece piece_of[FEW_PIECES];
        unsigned pieces;
        size_t front, back; // elements before all segments, and before their end
    };

    const segmented_input<Op> &in;
    shared_memory &shared;
    unsigned count;         // of the block's segments
    size_t front, n;        // elements before all segments, and in them
    size_t length, longest; // of a part; of a segment that is not cut
    size_t part, part_end;  // this block's, in elements

    __device__ __forceinline__ segmented_few(const segmented_input<Op> &from, shared_memory &memory, unsigned segments,
                                             size_t before, size_t behind)
        : in(from), shared(memory), count(segments), front(before), n(behind - before)
    {
        length = n / SEGMENTED_PARTS + 1;
        length = length < FEW_PART<E> ? FEW_PART<E> : length;
        longest = FEW_PARTS_UNCUT * length + FEW_BYTES_UNCUT / sizeof(E);
        part = front + blockIdx.x * length;
        part_end = part + length < behind ? part + length : behind;
    }

    // The block's segment in a round of FEW_BLOCKS segments. Fewer blocks have one round.
    static __device__ __forceinline__ unsigned dealt(unsigned round)
    {
        unsigned turned = (round & 2 ? FEW_TURN_2 : 0) + (round & 4 ? FEW_TURN_4 : 0) + (round & 8 ? FEW_TURN_8 : 0);
        return round * FEW_BLOCKS + (blockIdx.x + turned) % FEW_BLOCKS;
    }

    // ---- elements ----

    static __device__ __forceinline__ unsigned ahead_of(const range &r)
    {
        unsigned ahead = unsigned(0 - r.begin) % EACH;
        return ahead < r.end - r.begin ? ahead : unsigned(r.end - r.begin);
    }

    static __device__ __forceinline__ unsigned vectors_of(const range &r)
    {
        return unsigned((r.end - r.begin - ahead_of(r)) / EACH);
    }

    // Adds the lane's vectors of a round, which it has loaded.
    static __device__ __forceinline__ void add_all(lane_sum<Op> &own, const vector (&several)[LOADS], unsigned begin,
                                                   unsigned end)
    {
        if constexpr (extreme::IS_FAST) {
            bool has_nan = false;
#pragma unroll
            for (unsigned i = 0; i < LOADS && begin + i * WARP < end; i++)
                has_nan |= extreme::has_nan(several[i]);
            bool is_slow = __any_sync(FULL_WARP, has_nan), has_any = begin + lane_id() < end;
            if (!is_slow) {
                extreme found(several[0]);
#pragma unroll
                for (unsigned i = 1; i < LOADS && begin + i * WARP < end; i++)
                    found.add(extreme(several[i]));
                if (has_any)
                    own.sum = Op::combine(own.sum, load_as<Op>(found.total()));
                return;
            }
            begin += lane_id(); // what the lane has not loaded is not the identity
        }
#pragma unroll
        for (unsigned i = 0; i < LOADS && begin + i * WARP < end; i++)
            own.add(several[i]);
    }

    // The lane's share of every WARPS-th round of a range. A round has 2^bits vectors. The first one includes the
    // elements before and behind the vectors.
    __device__ __forceinline__ T share_of(const range &r, unsigned first_round, unsigned bits) const
    {
        unsigned lane = lane_id(), ahead = ahead_of(r), vectors = vectors_of(r);
        unsigned behind = unsigned(r.end - r.begin - ahead) % EACH, edge_lane = lane % (WARP / 2);
        bool has_edge = first_round == 0 && edge_lane < (lane < WARP / 2 ? ahead : behind);
        E edge = E();
        if (has_edge)
            edge = in.in[(lane < WARP / 2 ? r.begin : r.end - behind) + edge_lane];
        const E *from = in.in + r.begin + ahead;
        lane_sum<Op> own;
        for (unsigned begin = first_round << bits; begin < vectors; begin += WARPS << bits) {
            unsigned end = begin + (1u << bits) < vectors ? begin + (1u << bits) : vectors, v = begin + lane;
            if (uintptr_t(in.in) % 16 == 0) {
                vector several[LOADS];
#pragma unroll
                for (vector &one : several)
                    for (E &item : one.item)
                        item = extreme::nothing();
#pragma unroll
                for (unsigned i = 0; i < LOADS; i++)
                    load_below(several[i], from + size_t(v) * EACH + i * WARP * EACH, v + i * WARP, end);
                add_all(own, several, begin, end);
            } else {
#pragma unroll 1
                for (; v < end; v += WARP)
                    own.add(load_vector<E>(from + size_t(v) * EACH, false));
            }
        }
        T sum = own.total();
        return has_edge ? Op::combine(sum, load_as<Op>(edge)) : sum;
    }

    // The results of ranges [first, behind), for result_of(). Rounds are so small that all warps have one, if there are
    // enough vectors. Each segment begins with the warp behind the last one of the segment before it. Pieces are listed
    // in any order, so all begin with the first warp.
    __device__ __forceinline__ void reduce_ranges(unsigned first, unsigned behind)
    {
        unsigned lane = lane_id(), warp = threadIdx.x / WARP, at = first + lane, bits = 5;
        bool there = at < behind;
        range own = {0, 0};
        if (there)
            own = shared.ranges[at];
        unsigned vectors = vectors_of(own), all = warp_sum(vectors);
#pragma unroll
        for (unsigned loads = 1; loads < LOADS; loads *= 2)
            bits += all > WARPS * WARP * loads ? 1 : 0;
        unsigned rounds = max((vectors + (1u << bits) - 1) >> bits, own.begin < own.end ? 1 : 0);
        unsigned to_here = at < count ? rounds : 0; // rounds of segments up to this one
        for (unsigned distance = 1; distance < count; distance *= 2) {
            unsigned left = warp_up(to_here, distance);
            to_here += lane >= distance ? left : 0;
        }
        unsigned round = (warp - (at < count ? to_here - rounds : 0)) % WARPS;
        bool has = round < rounds;
        if (there && !has)
            shared.totals[at].of_warp[warp] = Op::identity();
        for (unsigned left = __ballot_sync(FULL_WARP, has); left != 0; left &= left - 1) {
            int which = __ffs(left) - 1;
            T result = warp_result<Op>(share_of(shared.ranges[first + which], warp_from(round, which), bits));
            if (lane == 0)
                shared.totals[first + which].of_warp[warp] = result;
        }
    }

    // The result of a range, by one thread.
    static __device__ __forceinline__ T result_of(const warp_totals<Op, THREADS> &totals)
    {
        T part[WARPS];
#pragma unroll
        for (unsigned w = 0; w < WARPS; w++)
            part[w] = totals.of_warp[w];
#pragma unroll
        for (unsigned apart = 1; apart < WARPS; apart *= 2)
#pragma unroll
            for (unsigned w = 0; w + apart < WARPS; w += 2 * apart)
                part[w] = Op::combine(part[w], part[w + apart]);
        return part[0];
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

    // A long segment that is here. It is longer than a part.
    __device__ __forceinline__ void list_piece(size_t segment, const range &r)
    {
        unsigned at = atomicAdd(&shared.pieces, 1u);
        shared.ranges[count + at] = {r.begin < part ? part : r.begin, r.end < part_end ? r.end : part_end};
        shared.piece_of[at] = {segment, {part_of(r.begin), part_of(r.end - 1), true}, false};
    }

    // Of stretches of `each` segments, the lane has the one that begins at `first`, and it `may` have a long segment
    // here. Loads segments of the first such stretch, the lane's own.
    __device__ __forceinline__ range look_closer(bool may, unsigned first, unsigned each) const
    {
        range r = {0, 0};
        unsigned left = __ballot_sync(FULL_WARP, may);
        unsigned segment = warp_from(first, __ffs(left) - 1) + lane_id();
        if (left != 0 && lane_id() < each && segment < in.segments) {
            load_now(r.begin, in.offsets + segment);
            load_now(r.end, in.offsets + segment + 1);
        }
        return r;
    }

    // Lists the pieces of all such stretches. `closer` is what look_closer() has loaded.
    __device__ __forceinline__ void list_pieces(bool may, unsigned first, unsigned each, range closer)
    {
        bool loaded = true;
        for (unsigned left = __ballot_sync(FULL_WARP, may); left != 0; left &= left - 1) {
            unsigned from = warp_from(first, __ffs(left) - 1);
            for (unsigned i = lane_id(); i < each && from + i < in.segments; i += WARP) {
                if (!loaded || i >= WARP)
                    closer = {in.offsets[from + i], in.offsets[from + i + 1]};
                if (is_here(closer.begin, closer.end))
                    list_piece(from + i, closer);
            }
            loaded = false;
        }
    }

    // Joins the segments of which this block has published the last piece. Contains barriers.
    __device__ __forceinline__ void join(segmented_pieces<Op> pieces)
    {
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
    __syncthreads();
    const uint64_t *offsets = in.offsets;
    const unsigned segments = unsigned(in.segments);
    // The first threads load the block's segments. Others look for long ones: few, if each reads another cache line.
    const bool most_look = segments <= 4 * (few::THREADS - WARP);
    const unsigned looks_from = most_look ? WARP : few::THREADS / 2;
    const unsigned each =
        1 + (most_look ? (segments - 1) / (few::THREADS - WARP) : (segments - 1) / (few::THREADS / 2));
    const unsigned rounds = segments / FEW_BLOCKS;
    const unsigned count = rounds + (few::dealt(rounds) < segments ? 1 : 0), own = few::dealt(threadIdx.x);
    const unsigned first = min((threadIdx.x - looks_from) * each, segments);
    const bool looks = threadIdx.x >= looks_from && blockIdx.x < SEGMENTED_PARTS;
    wait_for_launches();
    size_t front = offsets[0], back = offsets[segments], begin = 0, end = 0;
    if (threadIdx.x < count) {
        begin = offsets[own];
        end = offsets[own + 1];
    } else if (looks) {
        begin = offsets[first];
        if (lane_id() == WARP - 1)
            end = offsets[min(first + each, segments)];
        size_t next = warp_down(begin, 1);
        end = lane_id() == WARP - 1 ? end : next;
    }
    few block(in, shared, count, front, back);
    segmented_pieces<Op> pieces = {in, state, shared.totals[0]};
    const bool is_long = end - begin > block.longest, may = looks && block.is_here(begin, end);
    if (threadIdx.x < count)
        shared.ranges[threadIdx.x] = {begin, is_long ? begin : end};
    if (threadIdx.x == 0) {
        shared.front = front;
        shared.back = back;
    }
    if (may && each == 1)
        block.list_piece(first, {begin, end});
    __syncthreads();
    // The block's segments, and pieces if they are known. Then other pieces.
    bool listed = each == 1;
    for (unsigned from = 0, to = count + (listed ? shared.pieces : 0);; from = count, to = count + shared.pieces) {
        typename few::range closer = {0, 0};
        if (!listed)
            closer = block.look_closer(may, first, each);
        block.reduce_ranges(from, to);
        if (!listed)
            few(in, shared, count, shared.front, shared.back).list_pieces(may, first, each, closer);
        __syncthreads();
        const unsigned at = from + threadIdx.x;
        if (at < to) {
            typename Op::type result = few::result_of(shared.totals[at]);
            if (at >= count)
                shared.piece_of[at - count].last = pieces.publish(shared.piece_of[at - count].parts, result);
            else if (!is_long)
                in.put(own, result);
        }
        if (listed || shared.pieces == 0)
            break;
        listed = true;
    }
    if (shared.pieces > 0)
        block.join(pieces);
}

#endif
