// ring_encode.cuh - run-length encoding of scalars on the ring, and unique. A consumer finds the heads of runs in its
// part of a tile, one bit per element. The prefix tells how many runs begin before the part, and where the last of them
// begins. Then the consumer stages the places of its heads, and derives values and lengths from them: a length is a
// difference of places. It works in place as without the ring (encode_runs.cuh): of the bytes that are copied with a
// tile from before it, only the last element is used.
#ifndef SK_CUDA_RING_ENCODE_CUH
#define SK_CUDA_RING_ENCODE_CUH

#include "common/op.cuh"
#include "common/ring.cuh"
#include "common/row_ranks.cuh"

// The runs of a part of an array: their number, and the place after the last head, or 0. Parts combine in any order.
// Places are counted from the begin of the first tile.
struct ring_runs {
    unsigned long long begun, behind;
};

// The runs of a tile fit one word: their number, and the low bits of the place; the reader knows the tile.
constexpr int RING_RUNS_BITS = MARKED_BITS / 2;
constexpr unsigned RING_RUNS_MASK = (1u << RING_RUNS_BITS) - 1;
static_assert(encode_shape::TILE_BYTES <= RING_RUNS_MASK);

template <> struct descriptor<ring_runs, true> {
    static constexpr bool MARKED_THROUGHOUT = true;
    unsigned long long word;

    static __device__ __forceinline__ void publish(descriptor *at, unsigned epoch, ring_runs runs,
                                                   lookback_status status)
    {
        unsigned long long bits = runs.begun << RING_RUNS_BITS | (runs.behind & RING_RUNS_MASK);
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(marked(epoch, status, bits)) : "memory");
    }

    static __device__ __forceinline__ described<ring_runs> look(const descriptor *at, unsigned epoch)
    {
        unsigned long long word;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
        return {{(word & MARKED) >> RING_RUNS_BITS, word & RING_RUNS_MASK}, status_of(word, epoch)};
    }
};

// U: the elements' type.
template <class U> struct op_ring_runs {
    using type = ring_runs;
    static constexpr unsigned TILE = encode_shape::TILE_BYTES / sizeof(U);

    static __device__ __forceinline__ type identity()
    {
        return {0, 0};
    }
    static __device__ __forceinline__ type combine(type a, type b)
    {
        return {a.begun + b.begun, a.behind > b.behind ? a.behind : b.behind};
    }

    // Of the parts of a tile, the last one with a head tells where the last run begins.
    template <int PARTS>
    static __device__ __forceinline__ type before_part(type before, const type (&totals)[PARTS], unsigned part)
    {
        unsigned begun = lane_id() < part ? unsigned(totals[lane_id()].begun) : 0;
        unsigned with_heads = __ballot_sync(FULL_WARP, begun > 0);
        unsigned long long behind = with_heads != 0 ? totals[31 - __clz(int(with_heads))].behind : before.behind;
        return {before.begun + warp_sum(begun), behind};
    }

    // The sum of a group of tiles, in 32 bits.
    static __device__ __forceinline__ type sum_group(const described<type> (&found)[RING_LOOKS], unsigned group,
                                                     unsigned end)
    {
        static_assert(RING_GROUP * encode_shape::TILE_BYTES < 1u << 31);
        size_t begin = size_t(group) * RING_GROUP * TILE;
        unsigned begun = 0, behind = 0; // behind: counted from the group's begin
#pragma unroll
        for (int i = 0; i < RING_LOOKS; i++) {
            unsigned tile = i * WARP + lane_id(), first = tile * TILE;
            unsigned in_tile = unsigned(found[i].value.behind - begin - first - 1) & RING_RUNS_MASK;
            if (group * RING_GROUP + tile < end && found[i].value.begun > 0) {
                begun += unsigned(found[i].value.begun);
                behind = first + in_tile + 1;
            }
        }
        begun = warp_sum(begun);
        behind = warp_max(behind);
        return {begun, behind > 0 ? begin + behind : 0};
    }
};

struct ring_encode_outputs {
    void *values;     // NULL if not wanted
    uint64_t *counts; // NULL if not wanted
};

// Stores the values of `count` heads, and the lengths of the runs that end at them. place(k): of a head in the part.
// rank: of the first head, among all. open: the begin of the run that is open before them, counted from the part's
// begin.
template <class U, class Place> struct encoded_rows {
    ring_encode_outputs to;
    const unsigned char *part;
    Place place;
    unsigned count;
    size_t rank;
    long long open;

    template <int ROWS, bool INSIDE> __device__ __forceinline__ void at(int k) const
    {
        U *values = static_cast<U *>(to.values) + rank, value[ROWS];
        uint64_t *counts = to.counts + rank - 1;
        unsigned here[ROWS], left[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int head = k + r * WARP;
            here[r] = INSIDE || unsigned(head) < count ? place(head) : 0;
            left[r] = INSIDE || unsigned(head - 1) < count ? place(head - 1) : 0;
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            value[r] = reinterpret_cast<const U *>(part)[here[r]];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int head = k + r * WARP;
            if (!INSIDE && unsigned(head) >= count)
                continue;
            if (to.values != nullptr)
                values[head] = value[r];
            if (to.counts != nullptr && (INSIDE || rank + head > 0))
                counts[head] = INSIDE || head > 0 ? here[r] - left[r] : uint64_t((long long)here[r] - open);
        }
    }
};

// The same where each element of the part is a head. A row has the values of some heads and the lengths of the runs
// that begin at them, not of those that end there. So if one array's lines are stored whole, the other's are too. Item
// -1 is the open run, and has no value here; the last item has no length. All lengths but the open run's are 1.
template <class U> struct distinct_rows {
    ring_encode_outputs to;
    const U *part;
    unsigned count;
    size_t rank;
    uint64_t open; // the length of the open run

    template <int ROWS, bool INSIDE> __device__ __forceinline__ void at(int k) const
    {
        U *values = static_cast<U *>(to.values) + rank, value[ROWS];
        uint64_t *counts = to.counts + rank;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            value[r] = part[INSIDE || unsigned(k + r * WARP) < count ? k + r * WARP : 0];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int head = k + r * WARP;
            if (to.values != nullptr && (INSIDE || unsigned(head) < count))
                values[head] = value[r];
            if (to.counts != nullptr && (INSIDE || (unsigned(head + 1) < count && (head >= 0 || rank > 0))))
                counts[head] = INSIDE || head >= 0 ? 1 : open;
        }
    }
};

template <class U> struct ring_encode_work {
    using shape = encode_shape;
    static constexpr int PER_VECTOR = 16 / sizeof(U), ITEMS = shape::VECTORS * PER_VECTOR; // a lane's elements
    static constexpr int WORDS = (ITEMS + 31) / 32, FEW_HEADS = ITEMS / 3;
    struct saved {
        unsigned heads[WORDS]; // a bit per element
        unsigned count;        // of the part's heads
    };
    union vector {
        uint4 raw;
        U item[PER_VECTOR];
        __device__ vector()
        {
        }
    };

    ring_arguments over;
    ring_encode_outputs to;
    unsigned long long *runs; // gets the number of all runs
    uint16_t *places;         // of heads: RING_ENCODE_PLACES per consumer

    // Loads the part, if the copier did not: at the array's ends.
    __device__ __forceinline__ void load(unsigned char *part, const ring_place &place) const
    {
        for (unsigned at = lane_id() * sizeof(U); at < shape::PART_BYTES; at += WARP * sizeof(U))
            *reinterpret_cast<U *>(part + at) =
                at >= place.low && at < place.high ? *reinterpret_cast<const U *>(over.in + place.begin + at) : U(0);
        __syncwarp();
    }

    // The element before the part.
    __device__ __forceinline__ U before(const unsigned char *part, const ring_place &place, bool whole) const
    {
        if (whole)
            return *reinterpret_cast<const U *>(part - sizeof(U));
        return place.begin > over.low && place.high > 0
                   ? *reinterpret_cast<const U *>(over.in + place.begin - sizeof(U))
                   : U(0);
    }

    __device__ __forceinline__ void find(const unsigned char *part, U left, unsigned (&heads)[WORDS]) const
    {
        const uint4 *mine = reinterpret_cast<const uint4 *>(part) + lane_id() * shape::VECTORS;
        vector v[shape::VECTORS];
#pragma unroll
        for (int r = 0; r < shape::VECTORS; r++)
            v[r].raw = mine[r];
        U last = warp_up(v[shape::VECTORS - 1].item[PER_VECTOR - 1], 1);
        left = lane_id() == 0 ? left : last;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            heads[w] = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            U item = v[i / PER_VECTOR].item[i % PER_VECTOR];
            heads[i / 32] |= item != left ? 1u << i % 32 : 0u;
            left = item;
        }
    }

    // Only elements of the array can be heads, and its first element is one.
    __device__ __forceinline__ void limit(const ring_place &place, unsigned (&heads)[WORDS]) const
    {
        unsigned first = lane_id() * shape::VECTORS * 16;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            unsigned at = first + i * sizeof(U), bit = 1u << i % 32;
            if (at < place.low || at >= place.high)
                heads[i / 32] &= ~bit;
            else if (place.begin + at == over.low)
                heads[i / 32] |= bit;
        }
    }

    __device__ __forceinline__ ring_runs reduce(unsigned char *part, const ring_place &place, bool whole,
                                                saved &found) const
    {
        if (!whole)
            load(part, place);
        find(part, before(part, place, whole), found.heads);
        if (!whole || place.begin == 0)
            limit(place, found.heads);
        unsigned behind = 0; // the last head
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            behind = found.heads[w] != 0 ? lane_id() * ITEMS + 32 * w + 32 - __clz(found.heads[w]) : behind;
        found.count = warp_sum(heads_of_lane(found));
        behind = warp_max(behind);
        __syncwarp(); // all lanes have read their elements, and the one before, which is another consumer's
        return {found.count, behind > 0 ? place.begin / sizeof(U) + behind : 0};
    }

    static __device__ __forceinline__ unsigned heads_of_lane(const saved &found)
    {
        unsigned own = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            own += __popc(found.heads[w]);
        return own;
    }

    __device__ __forceinline__ void complete(unsigned char *part, const ring_place &place, bool, ring_runs before,
                                             const saved &found) const
    {
        size_t begin = place.begin / sizeof(U);
        long long open = (long long)(before.behind - 1 - begin);
        if (found.count == ITEMS * WARP) {
            distinct_rows<U> rows = {to, reinterpret_cast<const U *>(part), found.count, before.begun, uint64_t(-open)};
            each_line((before.begun + WARP - 1) % WARP + 1, found.count - 1, rows); // the last item is never inside
            open = ITEMS * WARP - 1;
        } else if (found.count > 0) {
            open = write_staged(part, found, before.begun, open);
        }
        if (place.begin < over.high && place.begin + shape::PART_BYTES >= over.high && lane_id() == 0) {
            size_t all = before.begun + found.count;
            *runs = all;
            if (to.counts != nullptr)
                to.counts[all - 1] = over.high / sizeof(U) - (begin + size_t(open));
        }
    }

    // Stages the places of the heads, and writes them. Returns the last one's.
    __device__ __forceinline__ unsigned write_staged(const unsigned char *part, const saved &found, size_t begun,
                                                     long long open) const
    {
        uint16_t *staged = places + threadIdx.x / WARP * RING_ENCODE_PLACES;
        unsigned own = heads_of_lane(found), rank = warp_scan<op_sum<sk_u32>>(own) - own;
        bool few = warp_max(own) <= FEW_HEADS;
        for (unsigned first = 0; first < found.count; first += RING_ENCODE_PLACES) {
            unsigned count = found.count - first < RING_ENCODE_PLACES ? found.count - first : RING_ENCODE_PLACES;
            few ? stage_few(found, rank - first, staged) : stage(found, rank - first, staged);
            __syncwarp();
            write(
                part, [=](int k) { return unsigned(staged[k]); }, count, begun + first, open);
            open = (long long)staged[count - 1];
            __syncwarp();
        }
        return unsigned(open);
    }

    // Stages the places of the lane's heads, from its rank on, those that fit. The rank of a head before the staged
    // ones wraps around, and so does not fit. With few heads a loop over them is shorter than one over all places.
    static __device__ __forceinline__ void stage_few(const saved &found, unsigned rank, uint16_t *staged)
    {
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            for (unsigned rest = found.heads[w]; rest != 0; rest &= rest - 1, rank++)
                if (ITEMS * WARP <= RING_ENCODE_PLACES || rank < RING_ENCODE_PLACES)
                    staged[rank] = uint16_t(lane_id() * ITEMS + 32 * w + __ffs(int(rest)) - 1);
    }

    __device__ __forceinline__ void stage(const saved &found, unsigned rank, uint16_t *staged) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            unsigned head = found.heads[i / 32] >> i % 32 & 1;
            if (head && (ITEMS * WARP <= RING_ENCODE_PLACES || rank < RING_ENCODE_PLACES))
                staged[rank] = uint16_t(lane_id() * ITEMS + i);
            rank += head;
        }
    }

    template <class Place>
    __device__ __forceinline__ void write(const unsigned char *part, Place place, unsigned count, size_t rank,
                                          long long open) const
    {
        encoded_rows<U, Place> rows = {to, part, place, count, rank, open};
        each_line(count <= WARP ? 0 : rank % WARP, count, rows);
    }
};

using ring_encode_places = uint16_t[encode_shape::CONSUMERS * RING_ENCODE_PLACES];

// The shared memory of a block.
constexpr size_t RING_ENCODE_BYTES = sizeof(ring_memory<ring_runs, encode_shape>) + sizeof(ring_encode_places);

template <class U>
__global__ void __launch_bounds__(encode_shape::THREADS, 1)
    encode_ring(ring_arguments over, lookback_state<ring_runs> state, ring_encode_outputs to)
{
    __shared__ ring_encode_places places;
    ring_run<op_ring_runs<U>, encode_shape>(over, state, op_ring_runs<U>::identity(),
                                            ring_encode_work<U>{over, to, state.result, places});
}

#endif
