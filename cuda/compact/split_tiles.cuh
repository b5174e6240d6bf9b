// split_tiles.cuh - a stable split by flags in one launch. The others go behind all zeros, so a tile needs the counts
// of all tiles. Each block publishes the count of its tile. The first blocks also count the tiles that begin later. All
// threads of a block add up all counts.
//
// A tile waits for tiles that may not have begun. A thread that has waited long counts the missing tile itself, so no
// wait lasts for ever (Smith, Levien and Owens, Decoupled Fallback, 2025). Tickets are taken for the epoch only.
#ifndef SK_CUDA_SPLIT_TILES_CUH
#define SK_CUDA_SPLIT_TILES_CUH

#include "common/key_vectors.cuh"
#include "compact/compact_tiles.cuh"

struct split_arguments {
    compact_arguments to; // the zeros match; both outputs are the same array
    const uint8_t *flags;
    unsigned size;        // elements of a tile
    unsigned first_tiles; // tiles that run at once when the launch begins
};

// ---- counts ----

__device__ __forceinline__ unsigned count_nonzero(unsigned word)
{
    return unsigned(__popc((((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080));
}

__device__ __forceinline__ unsigned count_zeros_of(const uint4 &flags)
{
    return unsigned(sizeof flags) - count_nonzero(flags.x) - count_nonzero(flags.y) - count_nonzero(flags.z) -
           count_nonzero(flags.w);
}

// The flags of a tile that are 0: the share of one of `threads` threads.
__device__ __forceinline__ unsigned share_of_zeros(const split_arguments &split, unsigned tile, unsigned thread,
                                                   unsigned threads)
{
    constexpr unsigned VECTORS = 2;
    tile_span span = span_of(split.to, size_t(tile) * split.size, split.size);
    const key_vectors<uint8_t> all(split.flags + span.begin + span.low - split.to.lead, span.high - span.low);
    const unsigned whole = unsigned(all.whole), tail = unsigned(all.head + all.whole * sizeof(uint4));
    unsigned zeros = 0;
    for (unsigned at = thread; at < whole; at += VECTORS * threads) {
        uint4 found[VECTORS];
#pragma unroll
        for (unsigned i = 0; i < VECTORS; i++)
            found[i] = at + i * threads < whole ? all.first[at + i * threads] : uint4{};
#pragma unroll
        for (unsigned i = 0; i < VECTORS; i++)
            zeros += at + i * threads < whole ? count_zeros_of(found[i]) : 0;
    }
    for (unsigned at = thread; at < all.head; at += threads)
        zeros += all.keys[at] == 0;
    for (unsigned at = tail + thread; at < all.n; at += threads)
        zeros += all.keys[at] == 0;
    return zeros;
}

__device__ __forceinline__ void publish_zeros(const split_arguments &split, unsigned tile, unsigned epoch,
                                              unsigned zeros)
{
    descriptor<tile_count>::publish(split.to.state.descriptors + tile, epoch, {zeros}, AGGREGATE);
}

// Zeros before a tile, and all.
struct zeros_sum {
    unsigned before, all;
};

// The counts of a few tiles, from number `first` on in steps of COMPACT_THREADS.
struct few_counts {
    static constexpr unsigned TILES = 4;
    const split_arguments &split;
    unsigned epoch, first;
    described<tile_count> found[TILES];

    __device__ __forceinline__ bool is_missing(unsigned i) const
    {
        return first + i * COMPACT_THREADS < gridDim.x && found[i].status == NOTHING;
    }

    // Looks for the missing ones. True if all are there.
    __device__ __forceinline__ bool look()
    {
        bool complete = true;
#pragma unroll
        for (unsigned i = 0; i < TILES; i++)
            if (is_missing(i)) {
                found[i] =
                    descriptor<tile_count>::look(split.to.state.descriptors + first + i * COMPACT_THREADS, epoch);
                complete &= found[i].status != NOTHING;
            }
        return complete;
    }

    __device__ __forceinline__ void count_missing()
    {
#pragma unroll
        for (unsigned i = 0; i < TILES; i++)
            if (is_missing(i)) {
                unsigned tile = first + i * COMPACT_THREADS;
                found[i].value = {share_of_zeros(split, tile, 0, 1)};
                publish_zeros(split, tile, epoch, unsigned(found[i].value.value));
            }
    }

    __device__ __forceinline__ void add_to(zeros_sum &sum) const
    {
#pragma unroll
        for (unsigned i = 0; i < TILES; i++) {
            unsigned zeros = unsigned(found[i].value.value);
            sum.before += first + i * COMPACT_THREADS < blockIdx.x ? zeros : 0;
            sum.all += zeros;
        }
    }
};

// A thread's share.
__device__ __forceinline__ zeros_sum add_own_zeros(const split_arguments &split, unsigned epoch)
{
    zeros_sum own = {};
    for (unsigned first = threadIdx.x; first < gridDim.x; first += few_counts::TILES * COMPACT_THREADS) {
        few_counts counts = {split, epoch, first, {}};
        bool complete = false;
        for (int looks = 0; !complete && looks < SPLIT_PATIENCE; looks++)
            complete = counts.look();
        if (!complete)
            counts.count_missing();
        counts.add_to(own);
    }
    return own;
}

// ---- all counts, by the threads of a block ----

struct split_memory {
    tile_totals before, all;
    tile_totals later[2]; // of tiles that begin later, by turns
    unsigned epoch;
};

struct split_counter {
    const split_arguments &split;
    split_memory &shared;
    lookback_ticket ticket;

    // One thread asks for the epoch.
    __device__ __forceinline__ split_counter(const split_arguments &split, split_memory &shared)
        : split(split), shared(shared), ticket()
    {
        if (gridDim.x > 1 && threadIdx.x == 0)
            ticket = take_one_ticket(split.to.state.tickets);
    }

    // Gives it to all. It contains a barrier.
    __device__ __forceinline__ void share_epoch() const
    {
        if (gridDim.x > 1 && threadIdx.x == 0) {
            shared.epoch = ticket.epoch;
            end_with_ticket(split.to.state.tickets, ticket.tile, gridDim.x);
        }
        __syncthreads();
    }

    // Publishes the tile's zeros. Counts later tiles.
    __device__ __forceinline__ void publish(unsigned zeros) const
    {
        if (gridDim.x == 1)
            return;
        if (threadIdx.x == 0)
            publish_zeros(split, blockIdx.x, shared.epoch, zeros);
        if (blockIdx.x < split.first_tiles)
            count_later();
    }

    // Waits for all tiles. It contains a barrier. `zeros`: of the tile.
    __device__ __forceinline__ zeros_sum add_up(unsigned zeros) const
    {
        zeros_sum sum = {0, zeros};
        if (gridDim.x > 1) {
            zeros_sum own = add_own_zeros(split, shared.epoch);
            shared.before.publish(warp_sum(own.before));
            shared.all.publish(warp_sum(own.all));
        }
        __syncthreads();
        if (gridDim.x > 1)
            sum = {shared.before.fold().total, shared.all.fold().total};
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *split.to.state.result = sum.all;
        return sum;
    }

  private:
    __device__ __forceinline__ void count_later() const
    {
        unsigned turn = 0;
        for (unsigned tile = split.first_tiles + blockIdx.x; tile < gridDim.x; tile += split.first_tiles) {
            shared.later[turn].publish(warp_sum(share_of_zeros(split, tile, threadIdx.x, COMPACT_THREADS)));
            __syncthreads();
            if (threadIdx.x == 0)
                publish_zeros(split, tile, shared.epoch, shared.later[turn].fold().total);
            turn ^= 1;
        }
    }
};

// ---- scalars ----

template <class U, int VECTORS> __device__ __forceinline__ void split_scalars(const split_arguments &split)
{
    using part = compact_part<U, COMPACT_THREADS, VECTORS>;
    __shared__ __align__(16) unsigned char staging[COMPACT_THREADS / WARP][part::BYTES]; // a part per warp
    __shared__ tile_totals totals;
    __shared__ split_memory shared;
    const compact_arguments &to = split.to;
    split_counter counter(split, shared);
    unsigned char *own = staging[threadIdx.x / WARP];
    tile_span span = span_of(to, size_t(blockIdx.x) * part::elements::SIZE, part::elements::SIZE);

    // Load
    typename part::elements data;
    part::load(to, span, data);

    // Rank
    typename part::ranks found;
    unsigned zeros = part::rank(to, match_flags{split.flags}, data, span, found);
    totals.publish(zeros);
    counter.share_epoch();
    warp_share<unsigned> share = totals.fold();
    counter.publish(share.total);

    // Move together, while other tiles count
    part::stage(to, data, found, own, zeros);

    // Store
    zeros_sum sum = counter.add_up(share.total);
    part::write(to, span, own, sum.before + share.before, zeros, sum.all);
}

// ---- records ----

template <class U> __device__ __forceinline__ void split_records(const split_arguments &split)
{
    __shared__ typename record_tile<U>::shared_memory shared;
    __shared__ split_memory counts;
    split_counter counter(split, counts);
    record_tile<U> tile(split.to, shared, blockIdx.x);

    // Load
    tile.load();

    // Rank
    unsigned zeros = tile.rank(match_flags{split.flags});
    counter.share_epoch();
    warp_share<unsigned> share = shared.ranks.totals.fold();
    counter.publish(share.total);
    shared.ranks.rank_in_tile(zeros, share.before);

    // Store
    zeros_sum sum = counter.add_up(share.total);
    tile.store_elements(sum.before, sum.all);
}

#endif
