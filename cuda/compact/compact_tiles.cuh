// compact.cuh - compaction in a single pass with look-back over the counts of those that match, a block a tile.
//
// Phases of a tile: evaluate the elements, rank those that match (and so the others), move both together in shared
// memory, learn from the tiles before where they go, write them. In place works because a tile's elements are all in
// shared memory before it publishes its count, and a tile writes only where it and tiles before it have read.
#ifndef SK_CUDA_GRID_COMPACT_CUH
#define SK_CUDA_GRID_COMPACT_CUH

#include "compact/compact_part.cuh"

// What the counts of all tiles before this one come to, looked at all at once: while these are few, that takes less
// time than to go back by warps.
__device__ __forceinline__ unsigned long long sum_before(const compact_arguments &to, lookback_ticket ticket,
                                                         unsigned matching)
{
    constexpr int LOOKS = 4; // a thread's, on their way together
    using count = descriptor<tile_count>;
    __shared__ unsigned sum; // of less than 2^32 elements
    if (threadIdx.x == 0) {
        sum = 0;
        count::publish(to.state.descriptors + ticket.tile, ticket.epoch, {matching}, AGGREGATE);
    }
    unsigned own = 0;
    for (unsigned first = threadIdx.x; first < ticket.tile; first += LOOKS * COMPACT_THREADS) {
        described<tile_count> found[LOOKS] = {};
        bool missing;
        do {
            missing = false;
#pragma unroll
            for (int i = 0; i < LOOKS; i++) {
                unsigned at = first + i * COMPACT_THREADS;
                if (at < ticket.tile && found[i].status == NOTHING) {
                    found[i] = count::look(to.state.descriptors + at, ticket.epoch);
                    missing |= found[i].status == NOTHING;
                }
            }
        } while (missing);
#pragma unroll
        for (int i = 0; i < LOOKS; i++)
            own += unsigned(found[i].value.value);
    }
    own = warp_sum(own);
    __syncthreads();
    if (lane_id() == 0)
        atomicAdd(&sum, own);
    __syncthreads();
    return sum;
}

__device__ __forceinline__ unsigned long long look_back_alone(const compact_arguments &to, lookback_ticket ticket,
                                                              unsigned matching)
{
    __shared__ unsigned long long before_tile;
    if (threadIdx.x < WARP) {
        unsigned long long before = look_back<op_count>(to.state.descriptors, ticket, {matching}, {0}).value;
        if (threadIdx.x == 0)
            before_tile = before;
    }
    __syncthreads();
    return before_tile;
}

// Where the tile's matching elements go; every thread gets the same answer. Ends with the block in step. The last tile
// knows the count of all.
__device__ __forceinline__ size_t matching_before(const compact_arguments &to, lookback_ticket ticket,
                                                  unsigned matching, bool last)
{
    bool few = gridDim.x > 1 && gridDim.x <= COMPACT_FEW_TILES;
    size_t before = few ? sum_before(to, ticket, matching) : look_back_alone(to, ticket, matching);
    if (last && to.count != nullptr && threadIdx.x == 0)
        *to.count = before + matching;
    return before;
}

__device__ __forceinline__ bool only_counts(const compact_arguments &to)
{
    return to.matching == nullptr && to.others == nullptr && to.positions == nullptr;
}

// ---- scalars: elements of 1, 2, 4 or 8 bytes, in registers ----

template <class U> using compact_tile = tile<U, COMPACT_THREADS, COMPACT_VECTORS<U>>;

template <class U, class Match>
__device__ __forceinline__ void compact_scalars(const compact_arguments &to, const Match &match)
{
    constexpr int WARPS = COMPACT_THREADS / WARP;
    using part = compact_part<U, COMPACT_THREADS, COMPACT_VECTORS<U>>;
    __shared__ __align__(16) unsigned char staging[WARPS][part::BYTES];
    __shared__ unsigned warp_totals[WARPS];

    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned warp = threadIdx.x / WARP;
    tile_span span = span_of(to, size_t(ticket.tile) * part::elements::SIZE, part::elements::SIZE);
    typename part::elements data;
    data.load(static_cast<const U *>(to.in) - to.head + span.begin, span.low, span.high, U(0));

    // Evaluate, and move together: a warp has a part of its own.
    unsigned warp_total = part::gather(to, match, data, span, staging[warp]);
    if (lane_id() == 0)
        warp_totals[warp] = warp_total;
    __syncthreads();
    unsigned before_warp = 0, in_tile = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before_warp += w < warp ? warp_totals[w] : 0;
        in_tile += warp_totals[w];
    }
    if (only_counts(to)) {
        if (threadIdx.x == 0)
            atomicAdd(to.count, (unsigned long long)in_tile);
        return;
    }

    // Look back, and write.
    bool last = span.begin + part::elements::SIZE >= to.head + to.n;
    size_t before = matching_before(to, ticket, in_tile, last);
    part::write(to, span, staging[warp], before + before_warp, warp_total);
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
            atomicAdd(to.count, (unsigned long long)in_tile);
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

#endif
