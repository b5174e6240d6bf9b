// ring_encode.cuh - run-length encoding of scalars on the ring, and unique. A consumer finds the heads of runs in its
// part of a tile, one bit per element. The prefix tells how many runs begin before the part, and where the last of them
// begins. Then the consumer stages the places of its heads, and derives values and lengths from them: a length is a
// difference of places. Few heads need no staging, and of a tile of heads only the lengths are stored at the end. It
// works in place as without the ring (encode_runs.cuh): of the bytes that are copied with a tile from before it, only
// the last element is used.
#ifndef SK_CUDA_RING_ENCODE_CUH
#define SK_CUDA_RING_ENCODE_CUH

#include "common/op.cuh"
#include "common/ring.cuh"
#include "common/row_ranks.cuh"

// The runs of a part of an array: their number, and the place after the last head, or 0. Parts combine in any order.
// Places are counted from the begin of the first tile.
struct ring_runs {
    unsigned long long begun, behind;
    bool distinct; // before a part: each element of its tile is a head
};

// The runs of a tile fit one word: their number, and the low bits of the place; the reader knows the tile.
constexpr int RING_RUNS_BITS = MARKED_BITS / 2;
constexpr unsigned RING_RUNS_MASK = (1u << RING_RUNS_BITS) - 1;

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
        return {{(word & MARKED) >> RING_RUNS_BITS, word & RING_RUNS_MASK, false}, status_of(word, epoch)};
    }
};

// U: the elements' type.
template <class U> struct op_ring_runs {
    using type = ring_runs;
    using shape = encode_shape<U>;
    static constexpr unsigned TILE = shape::TILE_BYTES / sizeof(U);
    static_assert(shape::TILE_BYTES <= RING_RUNS_MASK && RING_GROUP * shape::TILE_BYTES < 1u << 31);

    static __device__ __forceinline__ type identity()
    {
        return {0, 0, false};
    }
    static __device__ __forceinline__ type combine(type a, type b)
    {
        return {a.begun + b.begun, a.behind > b.behind ? a.behind : b.behind, a.distinct || b.distinct};
    }

    // A lane has the runs of a part of a tile, or none. The last part with a head tells where the last run begins.
    static __device__ __forceinline__ type sum_lanes(type own)
    {
        unsigned with_heads = __ballot_sync(FULL_WARP, own.begun > 0);
        return {warp_sum(unsigned(own.begun)), behind_of(own, with_heads), false};
    }
    static __device__ __forceinline__ type before_lane(type own)
    {
        unsigned begun = unsigned(own.begun), through = warp_scan<op_sum<sk_u32>>(begun);
        unsigned with_heads = __ballot_sync(FULL_WARP, begun > 0);
        return {through - begun, behind_of(own, with_heads & lanes_below()), warp_from(through, WARP - 1) == TILE};
    }
    static __device__ __forceinline__ unsigned long long behind_of(type own, unsigned lanes)
    {
        unsigned long long behind = warp_from(own.behind, lanes != 0 ? 31 - __clz(int(lanes)) : 0);
        return lanes != 0 ? behind : 0;
    }

    // The sum of a group of tiles, in 32 bits.
    static __device__ __forceinline__ type sum_group(const described<type> (&found)[RING_LOOKS], unsigned group,
                                                     unsigned end)
    {
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
        return {begun, behind > 0 ? begin + behind : 0, false};
    }
};

// A tile whose elements are all heads. Its lengths are 1, and the block stores them when no tiles are left: a stream of
// stores alone is faster than one between loads and other stores.
struct late_tile {
    unsigned long long rank; // of its first element, among all heads
    unsigned before;         // the team's late tile before it, or NO_TILE
};

struct ring_encode_outputs {
    void *values;     // NULL if not wanted
    uint64_t *counts; // NULL if not wanted
    late_tile *late;  // room for one per tile, if counts are wanted
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
    using shape = encode_shape<U>;
    static constexpr bool CONSUMERS_STORE = true;
    static constexpr int PER_VECTOR = 16 / sizeof(U), ITEMS = shape::VECTORS * PER_VECTOR; // a lane's elements
    static constexpr int WORDS = (ITEMS + 31) / 32, FEW_HEADS = ITEMS / 3;
    static constexpr unsigned ALL = ITEMS * WARP; // of the part's elements
    static constexpr unsigned PLACES = RING_ENCODE_PLACES<U>;
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
    uint16_t *places;         // of heads: PLACES per consumer
    unsigned *last_late;      // of each team, or NO_TILE

    // Loads the part, if the copier did not: at the array's ends.
    __device__ __forceinline__ void load(unsigned char *part, const ring_place &place) const
    {
        for (unsigned at = lane_id() * sizeof(U); at < shape::PART_BYTES; at += WARP * sizeof(U))
            *reinterpret_cast<U *>(part + at) =
                at >= place.low && at < place.high ? *reinterpret_cast<const U *>(over.in + place.begin + at) : U(0);
        bulk_fence();
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
        return {found.count, behind > 0 ? place.begin / sizeof(U) + behind : 0, false};
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
        if (found.count == ALL) {
            write_distinct(reinterpret_cast<const U *>(part), place, before, uint64_t(-open));
            open = ALL - 1;
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

    // Writes a part whose elements are all heads. open: the length of the run before it.
    __device__ __forceinline__ void write_distinct(const U *part, const ring_place &place, ring_runs before,
                                                   uint64_t open) const
    {
        size_t rank = before.begun;
        if (to.counts != nullptr && !before.distinct) {
            distinct_rows<U> rows = {to, part, ALL, rank, open};
            each_line((rank + WARP - 1) % WARP + 1, ALL - 1, rows); // the last item is never inside
            return;
        }
        if (to.values != nullptr)
            copy_run(static_cast<U *>(to.values) + rank, part, ALL);
        if (to.counts != nullptr && threadIdx.x % (shape::CONSUMERS * WARP) == 0) { // it has the tile's first part
            unsigned tile = unsigned(place.begin / shape::TILE_BYTES);
            unsigned &last = last_late[threadIdx.x / (shape::CONSUMERS * WARP)];
            if (rank > 0)
                to.counts[rank - 1] = open;
            to.late[tile] = {rank, last};
            last = tile;
        }
    }

    // All threads of the block. Stores the lengths of its late tiles.
    __device__ __forceinline__ void write_late() const
    {
        for (int team = 0; team < shape::TEAMS; team++) {
            unsigned tile = last_late[team];
            late_tile next = tile != NO_TILE ? to.late[tile] : late_tile();
            while (tile != NO_TILE) {
                uint64_t *ones = to.counts + next.rank;
                tile = next.before;
                if (tile != NO_TILE)
                    next = to.late[tile]; // in flight with the stores
                write_ones(ones);
            }
        }
    }

    // The lengths of a tile's runs, but for the last run, which may go on in the next tile.
    static __device__ __forceinline__ void write_ones(uint64_t *ones)
    {
        constexpr int COUNT = shape::CONSUMERS * ALL - 1;
        uintptr_t address = reinterpret_cast<uintptr_t>(ones);
        int lead = int(address / 8 % 2), pairs = (COUNT - lead) / 2; // pairs begin at a multiple of 16 bytes
        int in_line = int((address + 8) / 16 % 8);                   // pairs of the first line that are before them
        if (threadIdx.x == 0)
            ones[0] = ones[COUNT - 1] = 1;
        for (int k = int(threadIdx.x) - in_line; k < pairs; k += shape::THREADS)
            if (k >= 0)
                reinterpret_cast<ulonglong2 *>(ones + lead)[k] = make_ulonglong2(1, 1);
    }

    // Writes the heads of lanes that have at most two, without staging them. Returns the last one's place.
    __device__ __forceinline__ unsigned write_direct(const unsigned char *part, const saved &found, unsigned own,
                                                     size_t begun, long long open) const
    {
        unsigned first = 0, last = 0, base = lane_id() * ITEMS;
#pragma unroll
        for (int w = WORDS - 1; w >= 0; w--)
            first = found.heads[w] != 0 ? base + 32 * w + __ffs(int(found.heads[w])) - 1 : first;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            last = found.heads[w] != 0 ? base + 32 * w + 31 - __clz(int(found.heads[w])) : last;
        unsigned some = __ballot_sync(FULL_WARP, own > 0), two = __ballot_sync(FULL_WARP, own > 1);
        unsigned below = some & lanes_below();
        unsigned left = warp_from(last, below != 0 ? 31 - __clz(int(below)) : 0);
        size_t rank = begun + __popc(below) + __popc(two & lanes_below());
        U *values = static_cast<U *>(to.values) + rank;
        uint64_t *counts = to.counts + rank;
        if (own > 0) {
            if (to.values != nullptr)
                values[0] = reinterpret_cast<const U *>(part)[first];
            if (to.counts != nullptr && rank > 0)
                counts[-1] = below != 0 ? first - left : uint64_t((long long)first - open);
        }
        if (own > 1) {
            if (to.values != nullptr)
                values[1] = reinterpret_cast<const U *>(part)[last];
            if (to.counts != nullptr)
                counts[0] = last - first;
        }
        return warp_from(last, 31 - __clz(int(some)));
    }

    // Stages the places of the heads, and writes them. Returns the last one's.
    __device__ __forceinline__ unsigned write_staged(const unsigned char *part, const saved &found, size_t begun,
                                                     long long open) const
    {
        uint16_t *staged = places + threadIdx.x / WARP * PLACES;
        unsigned own = heads_of_lane(found), most = warp_max(own);
        if (sizeof(U) >= 4 && most <= 2)
            return write_direct(part, found, own, begun, open);
        bool few = most <= FEW_HEADS;
        unsigned rank = warp_scan<op_sum<sk_u32>>(own) - own;
        for (unsigned first = 0; first < found.count; first += PLACES) {
            unsigned count = found.count - first < PLACES ? found.count - first : PLACES;
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
                if (ITEMS * WARP <= PLACES || rank < PLACES)
                    staged[rank] = uint16_t(lane_id() * ITEMS + 32 * w + __ffs(int(rest)) - 1);
    }

    __device__ __forceinline__ void stage(const saved &found, unsigned rank, uint16_t *staged) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            unsigned head = found.heads[i / 32] >> i % 32 & 1;
            if (head && (ITEMS * WARP <= PLACES || rank < PLACES))
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

template <class U> using ring_encode_places = uint16_t[encode_shape<U>::CONSUMING_WARPS * RING_ENCODE_PLACES<U>];

// The shared memory of a block.
template <class U>
constexpr size_t RING_ENCODE_BYTES = sizeof(ring_memory<ring_runs, encode_shape<U>>) +
                                     sizeof(ring_encode_places<U>) + encode_shape<U>::TEAMS * sizeof(unsigned);

template <class U>
__global__ void __launch_bounds__(encode_shape<U>::THREADS, 1)
    encode_ring(ring_arguments over, lookback_state<ring_runs> state, ring_encode_outputs to)
{
    using shape = encode_shape<U>;
    using op = op_ring_runs<U>;
    __shared__ ring_encode_places<U> places;
    __shared__ unsigned last_late[shape::TEAMS];
    if (threadIdx.x < shape::TEAMS)
        last_late[threadIdx.x] = NO_TILE;
    ring_encode_work<U> work = {over, to, state.result, places, last_late};
    ring_run<op, shape>(over, state, op::identity(), work);
    __syncthreads();
    if (to.counts != nullptr)
        work.write_late();
}

#endif
