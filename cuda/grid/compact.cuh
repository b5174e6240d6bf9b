// compact.cuh - compaction in a single pass with look-back over the counts of those that match. Whether an element
// matches is a functor's affair: by flags, by an interpreted program or by a compiled one. The file is also given to
// NVRTC, with the predicate that it compiles.
//
// Phases of a tile: evaluate the elements, rank those that match (and so the others), move both together in shared
// memory, learn from the tiles before where they go, write them. In place works because a tile's elements are all in
// shared memory before it publishes its count, and a tile writes only where it and tiles before it have read.
#ifndef SK_CUDA_GRID_COMPACT_CUH
#define SK_CUDA_GRID_COMPACT_CUH

#include "block/row_ranks.cuh"
#include "element.cuh"
#include "grid/lookback.cuh"
#include "tuning.cuh"

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
    lookback_state<tile_count> state; // its result is the count; cleared where nothing else is wanted
    const set_range *ranges;
};

// Where the tile's matching elements go; every thread gets the same answer. Ends with the block in step. The last tile
// knows the count of all.
__device__ __forceinline__ size_t matching_before(const compact_arguments &to, lookback_ticket ticket,
                                                  unsigned matching, bool last)
{
    __shared__ unsigned long long before_tile;
    if (threadIdx.x < WARP) {
        unsigned long long before = look_back<op_count>(to.state.descriptors, ticket, {matching}, {0}).value;
        if (threadIdx.x == 0) {
            before_tile = before;
            if (last)
                *to.state.result = before + matching;
        }
    }
    __syncthreads();
    return before_tile;
}

__device__ __forceinline__ bool only_counts(const compact_arguments &to)
{
    return to.matching == nullptr && to.others == nullptr && to.positions == nullptr;
}

// ---- scalars: elements of 1, 2, 4 or 8 bytes, in registers ----

template <class U> using compact_tile = tile<U, COMPACT_THREADS, COMPACT_VECTORS<U>>;

// match.scalars(data, begin, to, bits): the bits of each row's elements that match; begin is the tile's position in the
// array, of which what lies outside does not count.
template <class U, class Match>
__device__ __forceinline__ void compact_scalars(const compact_arguments &to, const Match &match)
{
    using elements = compact_tile<U>;
    constexpr int ROWS = COMPACT_VECTORS<U>, PER_ROW = elements::PER_VECTOR, WARPS = elements::WARPS;
    constexpr int WARP_SIZE = elements::SIZE / WARPS;
    using place_t = uint16_t; // within the tile: staged instead of elements where positions are wanted
    static_assert(elements::SIZE <= 1 << 16, "places in a tile are 16 bits");
    __shared__ __align__(16) unsigned char staging[elements::SIZE * (sizeof(U) < 2 ? 2 : sizeof(U))];
    __shared__ unsigned warp_totals[WARPS];

    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned tile = ticket.tile, warp = threadIdx.x / WARP;
    size_t begin = size_t(tile) * elements::SIZE;                              // counted from the head
    size_t low = begin < to.head ? to.head : 0, high = to.head + to.n - begin; // what is valid in the tile
    high = high < elements::SIZE ? high : elements::SIZE;
    elements data;
    data.load(static_cast<const U *>(to.in) - to.head + begin, low, high, U(0));

    // Evaluate.
    row_ranks<U, COMPACT_THREADS, ROWS> found;
    match.scalars(data, begin - to.head, to, found.bits);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        found.bits[r] ^= to.invert ? ~0u : 0u;
    found.limit(low, high);
    unsigned warp_total = found.rank();
    if (lane_id() == 0)
        warp_totals[warp] = warp_total;

    // Move together: a warp has a part of its own, those that match in front, the others behind them.
    U *part = reinterpret_cast<U *>(staging) + warp * WARP_SIZE;
    place_t *places = reinterpret_cast<place_t *>(staging) + warp * WARP_SIZE;
    unsigned warp_low = warp * WARP_SIZE < low ? unsigned(low) - warp * WARP_SIZE : 0; // invalid in front of the warp's
    bool with_places = to.positions != nullptr, with_others = to.others != nullptr;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        unsigned rank = found.before[r], bits = found.bits[r];
#pragma unroll
        for (int i = 0; i < PER_ROW; i++) {
            bool matches = bits >> i & 1;
            unsigned place = elements::place(r) + i;
            if (with_places) {
                if (matches)
                    places[rank] = place_t(place);
            } else if (matches) {
                part[rank] = data.row[r].item[i];
            } else if (with_others && place >= low && place < high) {
                part[warp_total + (place - warp * WARP_SIZE - warp_low) - rank] = data.row[r].item[i];
            }
            rank += matches;
        }
    }
    __syncthreads();
    unsigned before_warp = 0, in_tile = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before_warp += w < warp ? warp_totals[w] : 0;
        in_tile += warp_totals[w];
    }
    if (only_counts(to)) {
        if (threadIdx.x == 0)
            atomicAdd(to.state.result, (unsigned long long)in_tile);
        return;
    }

    // Look back, and write.
    bool last = begin + elements::SIZE >= to.head + to.n;
    size_t before = matching_before(to, ticket, in_tile, last) + before_warp;
    if (with_places) {
        for (unsigned k = lane_id(); k < warp_total; k += WARP)
            to.positions[before + k] = to.first + (begin - to.head) + places[k];
        return;
    }
    if (to.matching != nullptr)
        copy_run(static_cast<U *>(to.matching) + before, part, warp_total);
    if (with_others) {
        unsigned warp_begin = warp * WARP_SIZE + warp_low, warp_end = (warp + 1) * WARP_SIZE;
        warp_end = warp_end < high ? warp_end : unsigned(high);
        if (warp_begin < warp_end)
            copy_run(static_cast<U *>(to.others) + (begin + warp_begin - to.head - before), part + warp_total,
                     warp_end - warp_begin - warp_total);
    }
}

// ---- records: elements of `units` U, in shared memory ----

// match.record(element, position): whether it does.
template <class U, class Match>
__device__ __forceinline__ void compact_records(const compact_arguments &to, const Match &match)
{
    constexpr int WARPS = COMPACT_THREADS / WARP;
    constexpr uint16_t MATCHES = 1u << 15; // marks the ranks of those that match: ranks are smaller
    static_assert(COMPACT_THREADS * RECORD_ITEMS < MATCHES, "ranks have 15 bits");
    __shared__ __align__(16) unsigned char staging[RECORD_TILE_BYTES];
    __shared__ uint16_t ranks[COMPACT_THREADS * RECORD_ITEMS];
    __shared__ unsigned warp_totals[WARPS];

    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned tile = ticket.tile, warp = threadIdx.x / WARP;
    size_t begin = size_t(tile) * to.tile_size, units = to.units;
    unsigned valid = to.n - begin < to.tile_size ? unsigned(to.n - begin) : to.tile_size;
    const U *in = static_cast<const U *>(to.in) + begin * units;
    U *staged = reinterpret_cast<U *>(staging);
    for (unsigned unit = threadIdx.x; unit < valid * units; unit += COMPACT_THREADS)
        staged[unit] = in[unit];
    __syncthreads();

    // Evaluate and rank: a warp its part, 32 neighbours at a time.
    unsigned matching = 0, count = 0; // matching: a bit for each of this lane's elements
#pragma unroll
    for (int i = 0; i < RECORD_ITEMS; i++) {
        unsigned at = (warp * RECORD_ITEMS + i) * WARP + lane_id();
        bool matches = at < valid && match.record(memory_element{staging + size_t(at) * units * sizeof(U)}, begin + at,
                                                  to) != to.invert;
        unsigned votes = __ballot_sync(FULL_WARP, matches);
        matching |= unsigned(matches) << i;
        ranks[at] = uint16_t(count + __popc(votes & lanes_below()));
        count += __popc(votes);
    }
    if (lane_id() == 0)
        warp_totals[warp] = count;
    __syncthreads();
    unsigned before_warp = 0, in_tile = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before_warp += w < warp ? warp_totals[w] : 0;
        in_tile += warp_totals[w];
    }
    if (only_counts(to)) {
        if (threadIdx.x == 0)
            atomicAdd(to.state.result, (unsigned long long)in_tile);
        return;
    }
#pragma unroll
    for (int i = 0; i < RECORD_ITEMS; i++) {
        unsigned at = (warp * RECORD_ITEMS + i) * WARP + lane_id();
        ranks[at] = uint16_t((ranks[at] + before_warp) | (matching >> i & 1 ? MATCHES : 0));
    }

    // Look back, and write: neighbouring threads write neighbouring units.
    size_t before = matching_before(to, ticket, in_tile, begin + to.tile_size >= to.n);
    if (to.positions != nullptr) {
        for (unsigned at = threadIdx.x; at < valid; at += COMPACT_THREADS)
            if (ranks[at] & MATCHES)
                to.positions[before + (ranks[at] & (MATCHES - 1))] = to.first + begin + at;
        return;
    }
    for (unsigned unit = threadIdx.x; unit < valid * units; unit += COMPACT_THREADS) {
        unsigned at = unit / unsigned(units), rank = ranks[at] & (MATCHES - 1);
        bool matches = ranks[at] & MATCHES;
        U *out = static_cast<U *>(matches ? to.matching : to.others);
        size_t place = matches ? before + rank : begin - before + (at - rank);
        if (out != nullptr)
            out[place * units + unit % unsigned(units)] = staged[unit];
    }
}

// ---- records too large for that: flags, by which their positions are compacted ----

template <class Match>
__device__ __forceinline__ void flag_records(const compact_arguments &to, const Match &match, uint8_t *flags)
{
    size_t size = to.units; // in bytes
    for (size_t i = size_t(blockIdx.x) * COMPACT_THREADS + threadIdx.x; i < to.n;
         i += size_t(gridDim.x) * COMPACT_THREADS)
        flags[i] = match.record(memory_element{static_cast<const unsigned char *>(to.in) + i * size}, i, to);
}

// ---- what decides without a program ----

// Fills the bits from decide(element, position).
template <class U, class Decide>
__device__ __forceinline__ void decide_rows(const compact_tile<U> &data, size_t begin, Decide decide,
                                            unsigned (&bits)[COMPACT_VECTORS<U>])
{
#pragma unroll
    for (int r = 0; r < COMPACT_VECTORS<U>; r++) {
        bits[r] = 0;
#pragma unroll
        for (int i = 0; i < compact_tile<U>::PER_VECTOR; i++)
            bits[r] |= unsigned(decide(data.row[r].item[i], begin + compact_tile<U>::place(r) + i)) << i;
    }
}

struct match_flags {
    const uint8_t *flags;
    template <class U>
    __device__ __forceinline__ void scalars(const compact_tile<U> &data, size_t begin, const compact_arguments &to,
                                            unsigned (&bits)[COMPACT_VECTORS<U>]) const
    {
        decide_rows(
            data, begin, [&](U, size_t position) { return position < to.n && flags[position] != 0; }, bits);
    }
    __device__ __forceinline__ bool record(memory_element, size_t position, const compact_arguments &) const
    {
        return flags[position] != 0;
    }
};

// A predicate compiled in: Compiled::matches(element, position, ranges).
template <class Compiled> struct match_compiled {
    template <class U>
    __device__ __forceinline__ void scalars(const compact_tile<U> &data, size_t begin, const compact_arguments &to,
                                            unsigned (&bits)[COMPACT_VECTORS<U>]) const
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
