// compact_part.cuh - compaction of scalars, as far as a warp does it alone: with its part of a tile in registers it
// evaluates and ranks the elements, moves them together in shared memory, and later copies them to where they go.
// Whether an element matches is a functor's affair: by flags, by an interpreted program or by a compiled one. The file
// is also given to NVRTC, with the predicate that it compiles.
#ifndef SK_CUDA_GRID_COMPACT_PART_CUH
#define SK_CUDA_GRID_COMPACT_PART_CUH

#include "common/lookback.cuh"
#include "common/row_ranks.cuh"
#include "compact/element.cuh"
#include "device/tuning.cuh"

// What every kernel is given. A tile of scalars begins at a multiple of 16 bytes, so the first one begins `head`
// elements before the array.
struct compact_arguments {
    const void *in;
    void *matching, *others;  // NULL where not wanted
    uint64_t *positions;      // wanted alone
    size_t n, units;          // units of an element, of records
    unsigned head, tile_size; // tile_size: elements, of records
    uint64_t first;
    bool invert;
    lookback_state<tile_count> state; // its result is the count; 0 before the launch if nothing else is wanted
    const set_range *ranges;
};

// ---- the part of a warp ----

// Elements [low, high) of a tile are the array's; it begins at `begin`, counted from the head.
struct tile_span {
    size_t begin;
    unsigned low, high;
};

__device__ __forceinline__ tile_span span_of(const compact_arguments &to, size_t begin, unsigned size)
{
    size_t rest = to.head + to.n - begin;
    return {begin, begin < to.head ? to.head : 0, rest < size ? unsigned(rest) : size};
}

template <class U, int THREADS, int VECTORS> struct compact_part {
    using elements = tile<U, THREADS, VECTORS>;
    using place_t = uint16_t; // within the tile: staged instead of elements where positions are wanted
    static constexpr int SIZE = elements::SIZE / elements::WARPS;
    static constexpr int BYTES = SIZE * (sizeof(U) < sizeof(place_t) ? sizeof(place_t) : sizeof(U));
    static_assert(elements::SIZE <= 1 << 16, "places in a tile are 16 bits");

    // Elements of the part in front of the tile's first valid one.
    static __device__ __forceinline__ unsigned skipped(const tile_span &span)
    {
        unsigned begin = threadIdx.x / WARP * SIZE;
        return begin < span.low ? span.low - begin : 0;
    }

    // Those that match in front, and behind them the others, where they are wanted. Returns how many match.
    // match.scalars(data, begin, to, bits) fills in the bits of each row's elements that do; begin is the tile's
    // position in the array, of which what lies outside does not count.
    template <class Match>
    static __device__ __forceinline__ unsigned gather(const compact_arguments &to, const Match &match,
                                                      const elements &data, const tile_span &span, unsigned char *part)
    {
        row_ranks<U, THREADS, VECTORS> found;
        match.scalars(data, span.begin - to.head, to, found.bits);
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            found.bits[r] ^= to.invert ? ~0u : 0u;
        found.limit(span.low, span.high);
        unsigned matching = found.rank();
        __syncwarp(); // the part may be where the elements came from
        U *run = reinterpret_cast<U *>(part);
        place_t *places = reinterpret_cast<place_t *>(part);
        unsigned begin = threadIdx.x / WARP * SIZE + skipped(span); // of what is valid
        bool with_places = to.positions != nullptr, with_others = to.others != nullptr;
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            unsigned rank = found.before[r];
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++) {
                bool matches = found.bits[r] >> i & 1;
                unsigned place = elements::place(r) + i;
                if (with_places) {
                    if (matches)
                        places[rank] = place_t(place);
                } else if (matches) {
                    run[rank] = data.row[r].item[i];
                } else if (with_others && place >= span.low && place < span.high) {
                    run[matching + (place - begin) - rank] = data.row[r].item[i];
                }
                rank += matches;
            }
        }
        return matching;
    }

    // Copies them to where they go: `before` match in front of the part.
    static __device__ __forceinline__ void write(const compact_arguments &to, const tile_span &span,
                                                 const unsigned char *part, size_t before, unsigned matching)
    {
        __syncwarp();
        if (to.positions != nullptr) {
            auto *places = reinterpret_cast<const place_t *>(part);
            uint64_t first = to.first + (span.begin - to.head);
            store_run(to.positions + before, matching, [&](unsigned k) { return first + places[k]; });
            return;
        }
        auto *run = reinterpret_cast<const U *>(part);
        if (to.matching != nullptr)
            copy_run(static_cast<U *>(to.matching) + before, run, matching);
        unsigned begin = threadIdx.x / WARP * SIZE + skipped(span), end = (threadIdx.x / WARP + 1) * SIZE;
        end = end < span.high ? end : span.high;
        if (to.others != nullptr && begin < end)
            copy_run(static_cast<U *>(to.others) + (span.begin + begin - to.head - before), run + matching,
                     end - begin - matching);
    }
};

// ---- what decides without a program ----

// Fills the bits from decide(element, position).
template <class U, int THREADS, int VECTORS, class Decide>
__device__ __forceinline__ void decide_rows(const tile<U, THREADS, VECTORS> &data, size_t begin, Decide decide,
                                            unsigned (&bits)[VECTORS])
{
    using elements = tile<U, THREADS, VECTORS>;
#pragma unroll
    for (int r = 0; r < VECTORS; r++) {
        bits[r] = 0;
#pragma unroll
        for (int i = 0; i < elements::PER_VECTOR; i++)
            bits[r] |= unsigned(decide(data.row[r].item[i], begin + elements::place(r) + i)) << i;
    }
}

// A bit for each byte that is not 0, of words of 4.
__device__ __forceinline__ unsigned nonzero_bytes(unsigned word)
{
    unsigned high = (((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080;
    return (high >> 7) * 0x01020408 >> 24; // no two of the products' bits meet
}

// The bits of COUNT flags, 2 or 4 of them, that lie at a multiple of as many bytes.
template <int COUNT> __device__ __forceinline__ unsigned load_flags(const uint8_t *flags)
{
    if constexpr (COUNT == 4)
        return nonzero_bytes(*reinterpret_cast<const uint32_t *>(flags));
    else
        return nonzero_bytes(*reinterpret_cast<const uint16_t *>(flags));
}

struct match_flags {
    const uint8_t *flags;

    // A vector's flags are loaded together where they lie so.
    template <class U, int THREADS, int VECTORS>
    __device__ __forceinline__ void scalars(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                            const compact_arguments &to, unsigned (&bits)[VECTORS]) const
    {
        using elements = tile<U, THREADS, VECTORS>;
        constexpr int TOGETHER = elements::PER_VECTOR < 4 ? elements::PER_VECTOR : 4;
        bool whole = begin < to.n && to.n - begin >= elements::SIZE; // in front of the array begin wraps around
        if (!whole || reinterpret_cast<uintptr_t>(flags + begin) % TOGETHER != 0) {
            decide_rows(
                data, begin, [&](U, size_t position) { return position < to.n && flags[position] != 0; }, bits);
            return;
        }
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            bits[r] = 0;
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i += TOGETHER)
                bits[r] |= load_flags<TOGETHER>(flags + begin + elements::place(r) + i) << i;
        }
    }
    __device__ __forceinline__ bool record(memory_element, size_t position, const compact_arguments &) const
    {
        return flags[position] != 0;
    }
};

// A predicate compiled in: Compiled::matches(element, position, ranges).
template <class Compiled> struct match_compiled {
    template <class U, int THREADS, int VECTORS>
    __device__ __forceinline__ void scalars(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                            const compact_arguments &to, unsigned (&bits)[VECTORS]) const
    {
        decide_rows(
            data, begin,
            [&](U item, size_t position) {
                return Compiled::matches(word_element<U>{item}, int64_t(to.first + position), to.ranges);
            },
            bits);
    }
    __device__ __forceinline__ bool record(memory_element element, size_t position, const compact_arguments &to) const
    {
        return Compiled::matches(element, int64_t(to.first + position), to.ranges);
    }
};

#endif
