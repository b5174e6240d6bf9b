// compact_tiles.cuh - compaction in a single pass, one block per tile, with look-back over the counts of elements that
// match. The file is also compiled at run time, with the predicate.
//
// Phases of a tile: load the elements; evaluate and rank them; move those that match (and the others) together in
// shared memory; look back; store. It works in place because a tile's elements are all in shared memory before it
// publishes its count, and a tile stores only to places that it or tiles before it have read.
#ifndef SK_CUDA_COMPACT_TILES_CUH
#define SK_CUDA_COMPACT_TILES_CUH

#include "common/ballot_ranks.cuh"
#include "compact/compact_part.cuh"

using tile_totals = warp_totals<plain_sum<unsigned>, COMPACT_THREADS>;

// A thread's share of the counts of the tiles before this one: of every COMPACT_THREADS-th tile. It waits for some
// tiles at a time, whose loads are in flight together.
__device__ __forceinline__ unsigned sum_own_before(const compact_arguments &to, lookback_ticket ticket)
{
    constexpr int LOOKS = 4;
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
                    found[i] = descriptor<tile_count>::look(to.state.descriptors + at, ticket.epoch);
                    missing |= found[i].status == NOTHING;
                }
            }
        } while (missing);
#pragma unroll
        for (int i = 0; i < LOOKS; i++)
            own += unsigned(found[i].value.value);
    }
    return own;
}

// The count of all tiles before this one, by all threads of the block. If there are few tiles, this is faster than to
// look back by warps. There are less than 2^32 elements.
__device__ __forceinline__ unsigned long long sum_before(const compact_arguments &to, lookback_ticket ticket,
                                                         unsigned matching)
{
    __shared__ tile_totals totals;
    if (threadIdx.x == 0)
        descriptor<tile_count>::publish(to.state.descriptors + ticket.tile, ticket.epoch, {matching}, AGGREGATE);
    totals.publish(warp_sum(sum_own_before(to, ticket)));
    __syncthreads();
    return totals.fold().total;
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

// The elements that match before the tile, for every thread. It contains a barrier. The last tile stores the count of
// all.
__device__ __forceinline__ size_t matching_before(const compact_arguments &to, lookback_ticket ticket,
                                                  unsigned matching, bool last)
{
    bool few = gridDim.x > 1 && gridDim.x <= COMPACT_FEW_TILES;
    size_t before = few ? sum_before(to, ticket, matching) : look_back_alone(to, ticket, matching);
    if (last && threadIdx.x == 0)
        *to.state.result = before + matching;
    return before;
}

__device__ __forceinline__ bool only_counts(const compact_arguments &to)
{
    return to.matching == nullptr && to.others == nullptr && to.positions == nullptr;
}

__device__ __forceinline__ void add_count(const compact_arguments &to, unsigned matching)
{
    if (threadIdx.x == 0)
        atomicAdd(to.state.result, (unsigned long long)matching);
}

// ---- scalars: elements of 1, 2, 4 or 8 bytes, in registers ----

template <class U, int VECTORS = COMPACT_VECTORS<U>> using compact_tile = tile<U, COMPACT_THREADS, VECTORS>;

// Each kernel has an instance of its own, by its BLOCKS: a fast compilation does not inline what two kernels call, and
// then counts its shared memory in every kernel of the file.
template <class U, int VECTORS = COMPACT_VECTORS<U>, int BLOCKS = COMPACT_BLOCKS, class Match>
__device__ __forceinline__ void compact_scalars(const compact_arguments &to, const Match &match)
{
    using part = compact_part<U, COMPACT_THREADS, VECTORS>;
    __shared__ __align__(16) unsigned char staging[COMPACT_THREADS / WARP][part::BYTES]; // a part per warp
    __shared__ tile_totals totals;
    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned warp = threadIdx.x / WARP;
    tile_span span = span_of(to, size_t(ticket.tile) * part::elements::SIZE, part::elements::SIZE);

    // Load
    typename part::elements data;
    part::load(to, span, data);

    // Rank, and move together
    unsigned matching = part::gather(to, match, data, span, staging[warp]);
    totals.publish(matching);
    __syncthreads();
    warp_share<unsigned> share = totals.fold();
    if (only_counts(to)) {
        add_count(to, share.total);
        return;
    }

    // Look-back
    bool last = span.begin + part::elements::SIZE >= to.lead + to.n;
    size_t before = matching_before(to, ticket, share.total, last);

    // Store
    part::write(to, span, staging[warp], before + share.before, matching, others_begin(to));
}

// ---- records: elements of `units` units of type U, in shared memory ----

using record_ranks = ballot_ranks<COMPACT_THREADS, RECORD_ITEMS>;

// A block's tile.
template <class U> struct record_tile {
    struct shared_memory {
        alignas(16) unsigned char staging[RECORD_TILE_BYTES];
        record_ranks ranks; // of the elements that match
    };

    const compact_arguments &to;
    shared_memory &shared;
    size_t begin;
    unsigned valid; // elements

    __device__ __forceinline__ record_tile(const compact_arguments &to, shared_memory &shared, unsigned tile)
        : to(to), shared(shared), begin(size_t(tile) * to.tile_size),
          valid(to.n - begin < to.tile_size ? unsigned(to.n - begin) : to.tile_size)
    {
    }

    __device__ __forceinline__ U *staged() const
    {
        return reinterpret_cast<U *>(shared.staging);
    }

    __device__ __forceinline__ void load() const
    {
        const U *in = static_cast<const U *>(to.in) + begin * to.units;
        for (unsigned unit = threadIdx.x; unit < valid * to.units; unit += COMPACT_THREADS)
            staged()[unit] = in[unit];
    }

    // Evaluates and ranks. match.record(element, position, to) says if an element matches.
    template <class Match> __device__ __forceinline__ unsigned rank(const Match &match) const
    {
        return shared.ranks.rank_in_warp([&](unsigned at) {
            memory_element element = {shared.staging + size_t(at) * to.units * sizeof(U)};
            return unsigned(at < valid && match.record(element, begin + at, to) != to.invert);
        });
    }

    // `before`: elements that match before the tile.
    __device__ __forceinline__ void store_positions(size_t before) const
    {
        for (unsigned at = threadIdx.x; at < valid; at += COMPACT_THREADS)
            if (shared.ranks.is_chosen(at))
                to.positions[before + shared.ranks.rank(at)] = to.first + begin + at;
    }

    // Neighbouring threads store neighbouring units.
    __device__ __forceinline__ void store_elements(size_t before, size_t first_other) const
    {
        unsigned units = unsigned(to.units);
        size_t others = first_other + begin - before; // to the place of the first of the tile
        for (unsigned unit = threadIdx.x; unit < valid * to.units; unit += COMPACT_THREADS) {
            unsigned at = unit / units, rank = shared.ranks.rank(at);
            bool matches = shared.ranks.is_chosen(at);
            U *out = static_cast<U *>(matches ? to.matching : to.others);
            size_t place = matches ? before + rank : others + (at - rank);
            if (out != nullptr)
                out[place * to.units + unit % units] = staged()[unit];
        }
    }
};

template <class U, class Match>
__device__ __forceinline__ void compact_records(const compact_arguments &to, const Match &match)
{
    __shared__ typename record_tile<U>::shared_memory shared;
    lookback_ticket ticket = take_ticket(to.state.tickets);
    record_tile<U> tile(to, shared, ticket.tile);

    // Load
    tile.load();
    __syncthreads();

    // Rank
    unsigned matching = tile.rank(match);
    __syncthreads();
    warp_share<unsigned> share = shared.ranks.totals.fold();
    if (only_counts(to)) {
        add_count(to, share.total);
        return;
    }
    shared.ranks.rank_in_tile(matching, share.before);

    // Look-back
    size_t before = matching_before(to, ticket, share.total, tile.begin + to.tile_size >= to.n);

    // Store
    if (to.positions != nullptr)
        tile.store_positions(before);
    else
        tile.store_elements(before, others_begin(to));
}

// ---- larger records: flags, by which their positions are compacted ----

template <class Match>
__device__ __forceinline__ void flag_records(const compact_arguments &to, const Match &match, uint8_t *flags)
{
    size_t size = to.units; // in bytes
    for (size_t i = size_t(blockIdx.x) * COMPACT_THREADS + threadIdx.x; i < to.n;
         i += size_t(gridDim.x) * COMPACT_THREADS)
        flags[i] = match.record(memory_element{static_cast<const unsigned char *>(to.in) + i * size}, i, to);
}

#endif
