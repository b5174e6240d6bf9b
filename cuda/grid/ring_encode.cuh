// ring_encode.cuh - run-length encoding of scalars on the ring, and unique. What crosses tiles is the number of runs
// and where the open one begins; lengths are differences of places.
#ifndef SK_CUDA_GRID_RING_ENCODE_CUH
#define SK_CUDA_GRID_RING_ENCODE_CUH

#include "grid/ring.cuh"
#include "grid/segment.cuh"

// Runs, and the place behind the first element of the last one, 0 where there is none: of the parts of an array, put
// together in any order.
using ring_runs = segment<sk_u64>;

struct op_run_begins {
    using type = ring_runs;
    static __device__ __forceinline__ type identity()
    {
        return {0, 0};
    }
    static __device__ __forceinline__ type combine(type a, type b)
    {
        return {a.runs + b.runs, a.open > b.open ? a.open : b.open};
    }
};

struct ring_encode_outputs {
    void *values;     // NULL where not wanted
    uint64_t *counts; // NULL where not wanted
};

template <class U> struct ring_encode_work {
    static constexpr int PER_VECTOR = 16 / sizeof(U), ITEMS = RING_VECTORS * PER_VECTOR; // a lane's elements
    static constexpr int LAG = RING_ENCODE_LAG, WORDS = (ITEMS + 31) / 32;
    struct saved {
        unsigned heads[WORDS]; // a bit an element
        unsigned rank;         // of the lane's first head, in the part
        unsigned count;        // of the part
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
    unsigned long long *runs; // of all
    uint16_t *places;         // of heads: RING_ENCODE_PLACES for each consumer

    // The part's first element, counted from the array's.
    __device__ __forceinline__ long long begin_of(const ring_place &place) const
    {
        return ((long long)place.begin - (long long)over.low) / int(sizeof(U));
    }

    // What the copier left: of the array's ends.
    __device__ __forceinline__ void load(unsigned char *part, const ring_place &place) const
    {
        for (unsigned at = lane_id() * sizeof(U); at < RING_PART_BYTES; at += WARP * sizeof(U))
            *reinterpret_cast<U *>(part + at) =
                at >= place.low && at < place.high ? *reinterpret_cast<const U *>(over.in + place.begin + at) : U(0);
        __syncwarp();
    }

    // The element in front of the part.
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
        const uint4 *mine = reinterpret_cast<const uint4 *>(part) + lane_id() * RING_VECTORS;
        vector v[RING_VECTORS];
#pragma unroll
        for (int r = 0; r < RING_VECTORS; r++)
            v[r].raw = mine[r];
        U last = warp_up(v[RING_VECTORS - 1].item[PER_VECTOR - 1], 1);
        left = lane_id() == 0 ? left : last;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            heads[w] = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            U item = v[i / PER_VECTOR].item[i % PER_VECTOR];
            heads[i / 32] |= unsigned(item != left) << i % 32;
            left = item;
        }
    }

    // Only what lies in the array can be a head, and its first element is one.
    __device__ __forceinline__ void limit(const ring_place &place, unsigned (&heads)[WORDS]) const
    {
        unsigned first = lane_id() * RING_VECTORS * 16;
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
        unsigned own = 0, behind = 0; // behind: the last head
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            own += __popc(found.heads[w]);
            behind = found.heads[w] != 0 ? lane_id() * ITEMS + 32 * w + 32 - __clz(found.heads[w]) : behind;
        }
        unsigned inclusive = warp_scan<op_sum<sk_u32>>(own);
        found.rank = inclusive - own;
        found.count = warp_from(inclusive, WARP - 1);
        behind = warp_max(behind);
        return {found.count, behind > 0 ? sk_u64(begin_of(place) + behind) : 0};
    }

    __device__ __forceinline__ void complete(unsigned char *part, const ring_place &place, bool, ring_runs before,
                                             const saved &found) const
    {
        uint16_t *staged = places + threadIdx.x / WARP * RING_ENCODE_PLACES;
        long long begin = begin_of(place), open = (long long)before.open - 1 - begin;
        for (unsigned first = 0; first < found.count; first += RING_ENCODE_PLACES) {
            unsigned count = found.count - first < RING_ENCODE_PLACES ? found.count - first : RING_ENCODE_PLACES;
            stage(found, first, staged);
            __syncwarp();
            write(part, staged, count, before.runs + first, open);
            open = (long long)staged[count - 1];
            __syncwarp();
        }
        if (place.begin < over.high && place.begin + RING_PART_BYTES >= over.high && lane_id() == 0) {
            size_t all = before.runs + found.count;
            *runs = all;
            if (to.counts != nullptr)
                to.counts[all - 1] = (over.high - over.low) / sizeof(U) - size_t(begin + open);
        }
    }

    // The places of the heads with the ranks [first, first + RING_ENCODE_PLACES).
    __device__ __forceinline__ void stage(const saved &found, unsigned first, uint16_t *staged) const
    {
        unsigned rank = found.rank - first; // wraps around below
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            for (unsigned heads = found.heads[w]; heads != 0; heads &= heads - 1, rank++)
                if (rank < RING_ENCODE_PLACES)
                    staged[rank] = uint16_t(lane_id() * ITEMS + 32 * w + __ffs(heads) - 1);
    }

    // open: where the run begins that is open before the part, counted from the part's begin.
    __device__ __forceinline__ void write(const unsigned char *part, const uint16_t *staged, unsigned count,
                                          size_t rank, long long open) const
    {
        U *values = static_cast<U *>(to.values) + rank;
        uint64_t *counts = to.counts + rank - 1; // a run is complete where the next one begins
        int skip = int(rank % WARP);             // whole lines
        for (int k = int(lane_id()) - skip; k < int(count); k += WARP)
            if (k >= 0) {
                unsigned at = staged[k];
                if (to.values != nullptr)
                    values[k] = reinterpret_cast<const U *>(part)[at];
                if (to.counts != nullptr && rank + k > 0)
                    counts[k] = uint64_t((long long)at - (k > 0 ? (long long)staged[k - 1] : open));
            }
    }
};

template <class U>
__global__ void __launch_bounds__(RING_THREADS, 1)
    encode_ring(ring_arguments over, lookback_state<ring_runs> state, ring_encode_outputs to)
{
    __shared__ uint16_t places[RING_CONSUMERS * RING_ENCODE_PLACES];
    ring_run<op_run_begins>(over, state, op_run_begins::identity(),
                            ring_encode_work<U>{over, to, state.result, places});
}

#endif
