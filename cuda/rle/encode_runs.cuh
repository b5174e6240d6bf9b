// encode_runs.cuh - run-length encoding of scalars in a single pass with look-back. A run begins at each element that
// differs from the one before it. Tiles pass on the number of runs and the length of the open run.
//
// It works in place as compaction does (compact_tiles.cuh). A tile also reads the last element of the tile before it,
// which may be writing already. That read is safe: values are written at their rank, which reaches the last place of a
// tile only if all runs up to there have length 1, and then the value written is the element itself.
#ifndef SK_CUDA_ENCODE_RUNS_CUH
#define SK_CUDA_ENCODE_RUNS_CUH

#include "common/block_sum.cuh"
#include "common/op.cuh"
#include "common/row_ranks.cuh"
#include "device/tuning.cuh"
#include "scan/segment.cuh"

using length_segment = segment<sk_u64>;

// Tiles begin at multiples of 16 bytes, so the first one begins `lead` elements before the array.
struct encode_arguments {
    const void *in;
    void *values;     // NULL if not wanted
    uint64_t *counts; // NULL if not wanted
    size_t n;
    unsigned lead;
    lookback_state<length_segment> state; // its result is the number of runs
};

template <class U, int VECTORS> using encode_tile = tile<U, ENCODE_THREADS, VECTORS>;
template <class U, int VECTORS> using encode_ranks = row_ranks<U, ENCODE_THREADS, VECTORS>;

// Sets the bits of the elements that begin a run. before: the element before the warp's first.
template <class U, int VECTORS>
__device__ __forceinline__ void find_heads(const encode_tile<U, VECTORS> &data, U before,
                                           encode_ranks<U, VECTORS> &heads)
{
    constexpr int PER_ROW = encode_tile<U, VECTORS>::PER_VECTOR;
#pragma unroll
    for (int r = 0; r < VECTORS; r++) {
        U last = data.row[r].item[PER_ROW - 1], left = warp_up(last, 1);
        left = lane_id() == 0 ? before : left;
        before = warp_from(last, WARP - 1);
        heads.bits[r] = 0;
#pragma unroll
        for (int i = 0; i < PER_ROW; i++) {
            heads.bits[r] |= unsigned(data.row[r].item[i] != left) << i;
            left = data.row[r].item[i];
        }
    }
}

// The place in the tile after the warp's last head; 0 if the warp has none.
template <class U, int VECTORS> __device__ __forceinline__ unsigned behind_last(const encode_ranks<U, VECTORS> &heads)
{
    unsigned behind = 0;
#pragma unroll
    for (int r = 0; r < VECTORS; r++)
        behind = heads.bits[r] != 0 ? encode_tile<U, VECTORS>::place(r) + WARP - __clz(heads.bits[r]) : behind;
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        behind = max(behind, __shfl_xor_sync(FULL_WARP, behind, distance));
    return behind;
}

// Writes the lengths of the runs that end at the warp's heads. previous: where the run that is open before the warp
// begins, counted from the tile's begin. rank: the runs before the warp's first.
__device__ __forceinline__ void write_lengths(uint64_t *counts, const uint16_t *places, unsigned count, size_t rank,
                                              long long previous)
{
    if (count == 0)
        return;
    unsigned first = rank == 0; // of the array, which ends no run
    store_run(counts + (rank + first - 1), count - first, [&](unsigned i) {
        unsigned k = i + first;
        return uint64_t(places[k] - (k > 0 ? (long long)places[k - 1] : previous));
    });
}

// The tile of a block.
template <class U, int VECTORS> struct run_encoder {
    using elements = encode_tile<U, VECTORS>;
    using op = op_segment<op_sum<sk_u64>>;
    static constexpr int WARP_SIZE = elements::SIZE / elements::WARPS;
    static constexpr int STAGED = sizeof(U) < sizeof(uint16_t) ? sizeof(uint16_t) : sizeof(U);
    static_assert(elements::SIZE <= 1 << 16, "places in a tile are 16 bits");

    struct shared_memory {
        alignas(16) unsigned char staging[elements::SIZE * STAGED]; // per warp: values of its runs, then their places
        warp_totals<plain_sum<unsigned>, ENCODE_THREADS> runs;
        warp_totals<plain_max<unsigned>, ENCODE_THREADS> behind;
        length_segment before_tile;
    };

    const encode_arguments &to;
    shared_memory &shared;
    unsigned warp_begin;
    unsigned char *staging;  // the warp's
    size_t begin, low, high; // the tile, counted from the first tile; elements [low, high) of it are the array's
    elements data;
    encode_ranks<U, VECTORS> heads;
    unsigned count, behind; // of the warp's heads; the place after the last one, or 0

    __device__ __forceinline__ run_encoder(const encode_arguments &to, shared_memory &shared, unsigned tile)
        : to(to), shared(shared), warp_begin(threadIdx.x / WARP * WARP_SIZE),
          staging(shared.staging + warp_begin * STAGED), begin(size_t(tile) * elements::SIZE),
          low(begin < to.lead ? to.lead : 0), high(to.lead + to.n - begin)
    {
        high = high < elements::SIZE ? high : elements::SIZE;
    }

    __device__ __forceinline__ const U *in() const
    {
        return static_cast<const U *>(to.in) - to.lead + begin;
    }

    // The array's first element is a head.
    __device__ __forceinline__ void rank_heads()
    {
        bool has_before = begin + warp_begin > to.lead && warp_begin < high;
        find_heads<U, VECTORS>(data, has_before ? in()[(long long)warp_begin - 1] : U(0), heads);
        if (begin == 0) {
#pragma unroll
            for (int r = 0; r < VECTORS; r++)
                if (low - elements::place(r) < elements::PER_VECTOR)
                    heads.bits[r] |= 1u << (low - elements::place(r));
        }
        heads.limit(low, high);
        count = heads.rank();
        behind = behind_last<U, VECTORS>(heads);
        shared.runs.publish(count);
        shared.behind.publish(behind);
    }

    __device__ __forceinline__ void stage_values() const
    {
        U *values = reinterpret_cast<U *>(staging);
        heads.each([&](unsigned rank, unsigned, int r, int i) { values[rank] = data.row[r].item[i]; });
    }

    // By the first warp. The last tile ends the last run.
    __device__ __forceinline__ void look_back_runs(lookback_ticket ticket, unsigned runs, unsigned last)
    {
        length_segment aggregate = {runs, high - (last > 0 ? last - 1 : low)};
        length_segment before = look_back<op>(to.state.descriptors, ticket, aggregate, op::identity());
        if (threadIdx.x > 0)
            return;
        shared.before_tile = before;
        if (begin + elements::SIZE >= to.lead + to.n) {
            length_segment all = op::combine(before, aggregate);
            *to.state.result = all.runs;
            if (to.counts != nullptr)
                to.counts[all.runs - 1] = all.open;
        }
    }

    // rank: the runs before the warp's first. last_before: the place after the last head of the warps before, or 0.
    __device__ __forceinline__ void store_lengths(size_t rank, unsigned last_before) const
    {
        uint16_t *places = reinterpret_cast<uint16_t *>(staging);
        __syncwarp();
        heads.each([&](unsigned rank, unsigned place, int, int) { places[rank] = uint16_t(place); });
        __syncwarp();
        write_lengths(to.counts, places, count, rank,
                      last_before > 0 ? (long long)last_before - 1 : (long long)(low - shared.before_tile.open));
    }
};

template <class U, int VECTORS>
static __global__ void __launch_bounds__(ENCODE_THREADS, ENCODE_BLOCKS<U>) encode_scalars(encode_arguments to)
{
    __shared__ typename run_encoder<U, VECTORS>::shared_memory shared;
    lookback_ticket ticket = take_ticket(to.state.tickets);
    run_encoder<U, VECTORS> tile(to, shared, ticket.tile);

    // Load
    tile.data.load(tile.in(), tile.low, tile.high, U(0));

    // Rank: the heads of runs, per warp
    tile.rank_heads();
    if (to.values != nullptr)
        tile.stage_values();
    __syncthreads();
    warp_share<unsigned> runs = shared.runs.fold(), behind = shared.behind.fold();

    // Look-back
    if (threadIdx.x < WARP)
        tile.look_back_runs(ticket, runs.total, behind.total);
    __syncthreads();

    // Store
    size_t rank = shared.before_tile.runs + runs.before;
    if (to.values != nullptr)
        copy_run(static_cast<U *>(to.values) + rank, reinterpret_cast<const U *>(tile.staging), tile.count);
    if (to.counts != nullptr)
        tile.store_lengths(rank, behind.before);
}

#endif
