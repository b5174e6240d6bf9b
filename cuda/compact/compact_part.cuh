// compact_part.cuh - compaction of scalars: the work of one warp. It has its part of a tile in registers, evaluates and
// ranks the elements, moves them together in shared memory, and later copies them to their places. A functor says if an
// element matches: by flags, by an interpreted program or by a compiled one. The file is also compiled at run time.
#ifndef SK_CUDA_COMPACT_PART_CUH
#define SK_CUDA_COMPACT_PART_CUH

#include "common/lookback.cuh"
#include "common/row_ranks.cuh"
#include "compact/element.cuh"
#include "device/tuning.cuh"

// The arguments of all kernels. Tiles of scalars begin at multiples of 16 bytes, so the first one begins `lead`
// elements before the array.
struct compact_arguments {
    const void *in;
    void *matching, *others;                // NULL if not wanted
    const unsigned long long *others_begin; // NULL: 0; elements of `others` before the first
    uint64_t *positions;                    // if set, nothing else is wanted
    size_t n, units;                        // units: of an element; records only
    unsigned lead, tile_size;               // tile_size: elements; records only
    uint64_t first;
    bool invert;
    lookback_state<tile_count> state; // its result is the count; 0 before the launch if nothing else is wanted
    const set_range *ranges;
};

__device__ __forceinline__ size_t others_begin(const compact_arguments &to)
{
    return to.others_begin != nullptr ? size_t(*to.others_begin) : 0;
}

// ---- the part of a warp ----

// A tile: it begins at `begin`, counted from the first tile, and its elements [low, high) belong to the array.
struct tile_span {
    size_t begin;
    unsigned low, high;
};

__device__ __forceinline__ tile_span span_of(const compact_arguments &to, size_t begin, unsigned size)
{
    size_t rest = to.lead + to.n - begin;
    return {begin, begin < to.lead ? to.lead : 0, rest < size ? unsigned(rest) : size};
}

template <class U, int THREADS, int VECTORS> struct compact_part {
    using elements = tile<U, THREADS, VECTORS>;
    using ranks = row_ranks<U, THREADS, VECTORS>;
    using place_t = uint16_t; // a place in the tile; if positions are wanted, places are staged instead of elements
    static constexpr int SIZE = elements::SIZE / elements::WARPS;
    static constexpr int BYTES = SIZE * (sizeof(U) < sizeof(place_t) ? sizeof(place_t) : sizeof(U));
    static_assert(elements::SIZE <= 1 << 16, "places in a tile are 16 bits");

    // Loads the tile's elements that belong to the array. Vectors within it are loaded whole.
    static __device__ __forceinline__ void load(const compact_arguments &to, const tile_span &span, elements &data)
    {
        const U *in = static_cast<const U *>(to.in) - to.lead + span.begin;
        if (span.low == 0 && span.high >= elements::SIZE) {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
                data.row[r].raw = *reinterpret_cast<const uint4 *>(in + elements::place(r));
            return;
        }
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            unsigned place = elements::place(r);
            data.row[r].raw = {};
            if (place >= span.low && place + elements::PER_VECTOR <= span.high)
                data.row[r].raw = *reinterpret_cast<const uint4 *>(in + place);
            else
#pragma unroll
                for (int i = 0; i < elements::PER_VECTOR; i++)
                    if (place + i >= span.low && place + i < span.high)
                        data.row[r].item[i] = in[place + i];
        }
    }

    // Finds the elements that match, and their ranks in the part. Returns how many match. match.scalars(data, begin,
    // to, bits) sets the bits of the elements that match; begin is the tile's position in the array, and bits of places
    // outside the array do not count.
    template <class Match>
    static __device__ __forceinline__ unsigned rank(const compact_arguments &to, const Match &match,
                                                    const elements &data, const tile_span &span, ranks &found)
    {
        match.scalars(data, span.begin - to.lead, to, found.bits);
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            found.bits[r] ^= to.invert ? (1u << elements::PER_VECTOR) - 1 : 0;
        found.limit(span.low, span.high);
        return found.rank();
    }

    // Moves the elements that match to the begin of the part, and the others behind them, if they are wanted.
    static __device__ __forceinline__ void stage(const compact_arguments &to, const elements &data, const ranks &found,
                                                 unsigned char *part, unsigned matching)
    {
        __syncwarp(); // the elements may come from this part
        U *run = reinterpret_cast<U *>(part);
        if (to.positions == nullptr && to.others == nullptr)
            stage_matching(data, found, run);
        else if (to.positions != nullptr)
            stage_places(found, reinterpret_cast<place_t *>(part));
        else
            stage_both(data, found, run, matching);
    }

    template <class Match>
    static __device__ __forceinline__ unsigned gather(const compact_arguments &to, const Match &match,
                                                      const elements &data, const tile_span &span, unsigned char *part)
    {
        ranks found;
        unsigned matching = rank(to, match, data, span, found);
        stage(to, data, found, part, matching);
        return matching;
    }

    // Copies them to their places. `before`: elements that match before the part. `first_other`: the place of the first
    // of all others.
    static __device__ __forceinline__ void write(const compact_arguments &to, const tile_span &span,
                                                 const unsigned char *part, size_t before, unsigned matching,
                                                 size_t first_other)
    {
        __syncwarp();
        if (to.positions != nullptr) {
            auto *places = reinterpret_cast<const place_t *>(part);
            uint64_t first = to.first + (span.begin - to.lead);
            store_run(to.positions + before, matching, [&](unsigned k) { return first + places[k]; });
            return;
        }
        auto *run = reinterpret_cast<const U *>(part);
        if (to.matching != nullptr)
            copy_run(static_cast<U *>(to.matching) + before, run, matching);
        unsigned part_begin = threadIdx.x / WARP * SIZE, part_end = part_begin + SIZE;
        unsigned skipped = part_begin < span.low ? span.low - part_begin : 0, begin = part_begin + skipped;
        unsigned end = part_end < span.high ? part_end : span.high;
        if (to.others != nullptr && begin < end)
            copy_run(static_cast<U *>(to.others) + first_other + (span.begin + begin - to.lead - before),
                     run + matching + skipped, end - begin - matching);
    }

  private:
    static __device__ __forceinline__ void stage_matching(const elements &data, const ranks &found, U *run)
    {
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            U *to = run + found.before[r];
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++)
                if (found.bits[r] & 1u << i)
                    *to++ = data.row[r].item[i];
        }
    }

    static __device__ __forceinline__ void stage_places(const ranks &found, place_t *places)
    {
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            place_t *to = places + found.before[r];
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++)
                if (found.bits[r] & 1u << i)
                    *to++ = place_t(elements::place(r) + i);
        }
    }

    // Every element is stored, without a branch: what is outside the array counts as one of the others.
    static __device__ __forceinline__ void stage_both(const elements &data, const ranks &found, U *run,
                                                      unsigned matching)
    {
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            unsigned rank = found.before[r], place = r * elements::ROW + lane_id() * elements::PER_VECTOR;
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++) {
                bool matches = found.bits[r] >> i & 1;
                run[matches ? rank : matching + place + i - rank] = data.row[r].item[i];
                rank += matches;
            }
        }
    }
};

// ---- flags, and compiled predicates ----

// Sets each bit to decide(element, position).
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
            bits[r] |= decide(data.row[r].item[i], begin + elements::place(r) + i) ? 1u << i : 0u;
    }
}

// A bit for each of the four bytes that is not 0.
__device__ __forceinline__ unsigned nonzero_bytes(unsigned word)
{
    unsigned high = (((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080;
    return (high >> 7) * 0x01020408 >> 24; // no two bits of the product overlap
}

// The bits of COUNT flags, 2 or 4, at an address that is a multiple of COUNT.
template <int COUNT> __device__ __forceinline__ unsigned load_flags(const uint8_t *flags)
{
    if constexpr (COUNT == 4)
        return nonzero_bytes(*reinterpret_cast<const uint32_t *>(flags));
    else
        return nonzero_bytes(*reinterpret_cast<const uint16_t *>(flags));
}

struct match_flags {
    const uint8_t *flags;

    // If their alignment allows it, a vector's flags are loaded together. For elements of 8 bytes, of which a vector
    // has two, tiles at the ends of the array do not: with code for them all other tiles were 6% slower.
    template <class U, int THREADS, int VECTORS>
    __device__ __forceinline__ void scalars(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                            const compact_arguments &to, unsigned (&bits)[VECTORS]) const
    {
        using elements = tile<U, THREADS, VECTORS>;
        constexpr int EACH = elements::PER_VECTOR, TOGETHER = EACH < 4 ? EACH : 4;
        bool whole = begin < to.n && to.n - begin >= elements::SIZE; // before the array, begin wraps around
        bool aligned = reinterpret_cast<uintptr_t>(flags + begin) % TOGETHER == 0;
        if (!aligned || (EACH == 2 && !whole)) {
            decide_rows(
                data, begin, [&](U, size_t position) { return position < to.n && flags[position] != 0; }, bits);
        } else if (whole) {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
                bits[r] = of_vector<EACH, TOGETHER>(begin + elements::place(r));
        } else if constexpr (EACH > 2) {
#pragma unroll
            for (int r = 0; r < VECTORS; r++) {
                size_t place = begin + elements::place(r);
                bool inside = place < to.n && to.n - place >= EACH;
                bits[r] = inside ? of_vector<EACH, TOGETHER>(place) : one_by_one<EACH>(place, to.n);
            }
        }
    }
    __device__ __forceinline__ bool record(memory_element, size_t position, const compact_arguments &) const
    {
        return flags[position] != 0;
    }

  private:
    template <int COUNT, int TOGETHER> __device__ __forceinline__ unsigned of_vector(size_t place) const
    {
        unsigned bits = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i += TOGETHER)
            bits |= load_flags<TOGETHER>(flags + place + i) << i;
        return bits;
    }

    template <int COUNT> __device__ __forceinline__ unsigned one_by_one(size_t place, size_t n) const
    {
        unsigned bits = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            if (place + i < n && flags[place + i] != 0) // before the array, place wraps around
                bits |= 1u << i;
        return bits;
    }
};

// A compiled predicate: Compiled::matches(element, position, ranges).
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
