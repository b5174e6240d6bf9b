// ring_compact.cuh - compaction of scalars on the ring. A consumer evaluates its part of a tile and moves the elements
// together in the slot. When the tile's prefix is known, it copies them to their places.
//
// It works in place as without the ring (compact_tiles.cuh). A tile's count is published after the tile is in shared
// memory, and a tile's prefix is known after all earlier tiles have published. So everything that is overwritten has
// been read (lookback.cuh says why the order holds).
#ifndef SK_CUDA_RING_COMPACT_CUH
#define SK_CUDA_RING_COMPACT_CUH

#include "common/ring.cuh"
#include "compact/compact_part.cuh"

template <class U, class Match> struct ring_compact_work {
    using saved = unsigned; // the elements of the consumer's part that match
    using shape = compact_shape;
    using parts = compact_part<U, shape::CONSUMERS * WARP, shape::VECTORS>;
    static_assert(parts::SIZE * sizeof(U) == shape::PART_BYTES);

    const compact_arguments &to;
    const Match &match;

    __device__ __forceinline__ tile_span span_at(const ring_place &place) const
    {
        size_t begin = place.begin - threadIdx.x / WARP * shape::PART_BYTES;
        return span_of(to, begin / sizeof(U), parts::elements::SIZE);
    }

    // Loads the part, if the copier did not: at the array's ends.
    __device__ __forceinline__ void load(unsigned char *part, const ring_place &place) const
    {
        const unsigned char *in = static_cast<const unsigned char *>(to.in) - to.lead * sizeof(U) + place.begin;
        for (unsigned at = lane_id() * sizeof(U); at < shape::PART_BYTES; at += WARP * sizeof(U)) {
            bool inside = at >= place.low && at < place.high;
            *reinterpret_cast<U *>(part + at) = inside ? *reinterpret_cast<const U *>(in + at) : U(0);
        }
        __syncwarp();
    }

    __device__ __forceinline__ tile_count reduce(unsigned char *part, const ring_place &place, bool whole,
                                                 unsigned &matching) const
    {
        if (!whole)
            load(part, place);
        tile_span span = span_at(place);
        typename parts::elements data;
#pragma unroll
        for (int r = 0; r < shape::VECTORS; r++)
            data.row[r].raw = reinterpret_cast<const uint4 *>(part)[r * WARP + lane_id()];
        matching = parts::gather(to, match, data, span, part);
        return {matching};
    }

    __device__ __forceinline__ void complete(unsigned char *part, const ring_place &place, bool, tile_count before,
                                             unsigned matching) const
    {
        tile_span span = span_at(place);
        parts::write(to, span, part, before.value, matching, others_begin(to));
        bool last = span.begin + parts::elements::SIZE >= to.lead + to.n && threadIdx.x == shape::CONSUMERS * WARP - 1;
        if (last)
            *to.state.result = before.value + matching;
    }
};

template <class U, class Match>
__device__ __forceinline__ void compact_on_ring(const ring_arguments &over, const compact_arguments &to,
                                                const Match &match)
{
    ring_run<op_count, compact_shape>(over, to.state, {0}, ring_compact_work<U, Match>{to, match});
}

#endif
