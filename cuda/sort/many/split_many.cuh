// split_many.cuh - where the tiles of a merge of many runs begin in each run. Tiles have different sizes, since exact
// ones would cost a selection among all runs for each tile. Instead parts of the output are cut into pieces, these into
// smaller ones, and so on, from the whole output down to tiles (a sample sort's splitters, by regular sampling: Shi and
// Schaeffer 1992):
// - A block per part merges a sample of it, every step.each-th element of each run, and cuts it into pieces of as many
//   samples each, up to step.piece_samples.
// - Each sample before a cut is then searched in all runs.
// Elements are ordered by key, run and position, so that equal keys are cut like others. A piece has less than each *
// (piece_samples + runs) elements.
#ifndef SK_CUDA_SPLIT_MANY_CUH
#define SK_CUDA_SPLIT_MANY_CUH

#include <type_traits>

#include "common/thread.cuh"
#include "device/overlap.cuh"
#include "sort/many/merge_rounds.cuh"

// What keys are compared as.
template <class K> using many_key = typename word_of<(sizeof(K) < 4 ? 4 : sizeof(K))>::type;

template <class K, class V> struct many_runs {
    const K *keys[MANY_RUNS];
    const V *values[MANY_RUNS];
    size_t n[MANY_RUNS];
};

template <class K, class V, class Order> struct many_pass {
    many_runs<K, V> in;
    K *keys_out;
    V *values_out;
    size_t n;
    int runs; // 2 to MANY_RUNS
    Order order;
    unsigned tiles;
    const size_t *split;               // (tiles + 1) * runs: elements of each run before each tile
    many_key<K> *bounds;               // of keys alone: the least and the greatest key that each tile can have
    unsigned *crowded_count, *crowded; // tiles of keys alone that bins are bad for
};

// Cuts each part into `pieces` pieces, of which some may be empty.
struct cut_step {
    const size_t *from; // elements of each run before each part, and all; nullptr: there is one part
    size_t *to;         // the same of the pieces
    unsigned parts;
    int pieces;
    size_t each;       // elements per sample
    int piece_samples; // samples of a piece, at most
    bool is_last;
};
constexpr int CUT_STEPS_MOST = 8;

// Elements of a stable merge. Keys of up to 4 bytes and their places fit one integer.
template <class K> struct placed_rounds {
    static constexpr bool PACKED = sizeof(K) <= 4;
    using element = uint64_t;
    template <int THREADS, int ITEMS> using rounds = merge_rounds<element, !PACKED, THREADS, ITEMS>;

    template <class Memory>
    static __device__ __forceinline__ void store(Memory &shared, int slot, many_key<K> key, int place)
    {
        if constexpr (PACKED) {
            shared.elements()[slot] = uint64_t(key) << 32 | unsigned(place);
        } else {
            shared.elements()[slot] = key;
            shared.places()[slot] = uint16_t(place);
        }
    }
    template <class Memory> static __device__ __forceinline__ many_key<K> key(Memory &shared, int slot)
    {
        return many_key<K>(PACKED ? shared.elements()[slot] >> 32 : shared.elements()[slot]);
    }
    template <class Memory> static __device__ __forceinline__ int place(Memory &shared, int slot)
    {
        if constexpr (PACKED)
            return int(unsigned(shared.elements()[slot]));
        else
            return shared.places()[slot];
    }
};

// Samples of a piece for each run, at least. A piece has less than 4/3 of the elements behind its samples then.
constexpr int PIECE_SAMPLES_PER_RUN = 3;

template <class K> using sample_rounds = typename placed_rounds<K>::rounds<MANY_SAMPLE_THREADS, MANY_SAMPLE_ITEMS>;

// One warp lays `length` elements of each lane's run side by side, as far as there is room.
__device__ __forceinline__ void lay_out(tile_runs &tile, int runs, size_t length, int room)
{
    int r = int(lane_id()), size = length < size_t(room) ? int(length) : room, before = size;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        int left = __shfl_up_sync(FULL_WARP, before, distance);
        before += r >= distance ? left : 0;
    }
    if (r < runs)
        tile.begin[r + 1] = min(before, room);
    if (r == 0) {
        tile.begin[0] = 0;
        tile.count = runs;
    }
    __syncwarp();
}

// The part of the tile that a place is in, not before `part`.
__device__ __forceinline__ int part_of(const tile_runs &tile, int place, int part)
{
    while (place >= tile.begin[part + 1])
        part++;
    return part;
}

template <class K> struct sample_memory {
    typename sample_rounds<K>::shared_memory merge;
    tile_runs tile;
    size_t low[MANY_RUNS], high[MANY_RUNS]; // the part's elements of each run
    many_key<K> least, greatest;            // of the part
    int piece_samples;                      // of each of its pieces
};

// One warp finds the part's least and greatest key.
template <class K, class V, class Order>
__device__ __forceinline__ void find_bounds(const many_pass<K, V, Order> &pass, sample_memory<K> &shared, size_t low,
                                            size_t high)
{
    int r = int(lane_id());
    many_key<K> least = many_key<K>(~many_key<K>(0)), greatest = 0;
    if (low < high) {
        least = pass.order.key(pass.in.keys[r][low]);
        greatest = pass.order.key(pass.in.keys[r][high - 1]);
    }
    for (int x = 1; x < WARP; x *= 2) {
        least = min(least, __shfl_xor_sync(FULL_WARP, least, x));
        greatest = max(greatest, __shfl_xor_sync(FULL_WARP, greatest, x));
    }
    if (r == 0) {
        shared.least = least;
        shared.greatest = greatest;
    }
}

// The pieces of a part. What is behind the last sample of a run counts for half a sample.
__host__ __device__ inline int pieces_of(int samples, int runs, int piece_samples)
{
    return (samples + runs / 2) / piece_samples + 1;
}

// One warp: the part's elements of the runs, and the layout of its sample.
template <class K, class V, class Order>
__device__ __forceinline__ void plan_sample(const many_pass<K, V, Order> &pass, const cut_step &step,
                                            sample_memory<K> &shared)
{
    int r = int(lane_id());
    size_t low = 0, high = 0;
    if (r < pass.runs) {
        const size_t *from = step.from + size_t(blockIdx.x) * pass.runs + r;
        low = step.from == nullptr ? 0 : from[0];
        high = step.from == nullptr ? pass.in.n[r] : from[pass.runs];
        high = high > low ? high : low; // of unsorted input
        shared.low[r] = low;
        shared.high[r] = high;
    }
    lay_out(shared.tile, pass.runs, (high - low) / step.each, sample_rounds<K>::SIZE);
    sample_rounds<K>::plan(shared.merge, shared.tile);
    if (r == 0) {
        int samples = shared.tile.begin[pass.runs], pieces = pieces_of(samples, pass.runs, step.piece_samples);
        shared.piece_samples = (samples + pass.runs / 2) / pieces + 1;
    }
    if (!HAS_VALUE<V> && step.is_last)
        find_bounds(pass, shared, low, high);
}

// Loads the sample, run by run, and merges it.
template <class K, class V, class Order>
__device__ __forceinline__ void merge_sample(const many_pass<K, V, Order> &pass, const cut_step &step,
                                             sample_memory<K> &shared)
{
    using rounds = sample_rounds<K>;
    int samples = shared.tile.begin[pass.runs], run[rounds::ITEMS], r = 0;
    many_key<K> key[rounds::ITEMS];
#pragma unroll
    for (int i = 0; i < rounds::ITEMS; i++) {
        int place = i * rounds::THREADS + int(threadIdx.x);
        if (place < samples) {
            run[i] = r = part_of(shared.tile, place, r);
            size_t at = shared.low[r] + size_t(place - shared.tile.begin[r] + 1) * step.each - 1;
            key[i] = many_key<K>(pass.order.key(pass.in.keys[r][at]));
        }
    }
#pragma unroll
    for (int i = 0; i < rounds::ITEMS; i++) {
        int place = i * rounds::THREADS + int(threadIdx.x);
        if (place < samples)
            placed_rounds<K>::store(shared.merge, rounds::first_slot(shared.tile, run[i], place), key[i], place);
    }
    __syncthreads();
    rounds::merge(shared.merge, shared.tile);
}

// Elements of run r before the cut behind sample `sample` of the part.
template <class K, class V, class Order>
__device__ __forceinline__ size_t rank_of_sample(const many_pass<K, V, Order> &pass, const cut_step &step,
                                                 sample_memory<K> &shared, int sample, int r)
{
    size_t low = shared.low[r];
    int place = placed_rounds<K>::place(shared.merge, sample), of = part_of(shared.tile, place, 0);
    if (r == of)
        return low + size_t(place - shared.tile.begin[r] + 1) * step.each;
    many_key<K> key = placed_rounds<K>::key(shared.merge, sample);
    const K *keys = pass.in.keys[r];
    return search_by_four(low, shared.high[r], [&](size_t i) {
        many_key<K> other = many_key<K>(pass.order.key(keys[i]));
        return other < key || (r < of && other == key);
    });
}

// Stores the least and the greatest key that each piece can have.
template <class K>
__device__ __forceinline__ void store_bounds(many_key<K> *bounds, sample_memory<K> &shared, const cut_step &step,
                                             int samples)
{
    for (int piece = threadIdx.x; piece <= step.pieces; piece += MANY_SAMPLE_THREADS) {
        int sample = piece * shared.piece_samples - 1;
        many_key<K> key = piece == 0                                ? shared.least
                          : piece < step.pieces && sample < samples ? placed_rounds<K>::key(shared.merge, sample)
                                                                    : shared.greatest;
        if (piece < step.pieces)
            bounds[2 * piece] = key;
        if (piece > 0)
            bounds[2 * piece - 1] = key;
    }
}

// A block per part.
template <class K, class V, class Order>
__global__ void __launch_bounds__(MANY_SAMPLE_THREADS)
    cut_parts(const __grid_constant__ many_pass<K, V, Order> pass, const __grid_constant__ cut_step step)
{
    __shared__ sample_memory<K> shared;
    wait_for_launches();
    if (!HAS_VALUE<V> && step.is_last && blockIdx.x == 0 && threadIdx.x == 0)
        *pass.crowded_count = 0;
    if (threadIdx.x < WARP)
        plan_sample(pass, step, shared);
    __syncthreads();
    merge_sample(pass, step, shared);

    // A thread per piece and run.
    int samples = shared.tile.begin[pass.runs];
    size_t first = size_t(blockIdx.x) * step.pieces;
    for (int i = threadIdx.x; i < step.pieces * pass.runs; i += MANY_SAMPLE_THREADS) {
        int piece = i / pass.runs, r = i % pass.runs, sample = piece * shared.piece_samples - 1;
        step.to[first * pass.runs + i] = piece == 0         ? shared.low[r]
                                         : sample < samples ? rank_of_sample(pass, step, shared, sample, r)
                                                            : shared.high[r];
    }
    if (blockIdx.x == step.parts - 1 && threadIdx.x < pass.runs)
        step.to[(first + step.pieces) * pass.runs + threadIdx.x] = shared.high[threadIdx.x];
    if (!HAS_VALUE<V> && step.is_last)
        store_bounds(pass.bounds + 2 * first, shared, step, samples);
}

#endif
