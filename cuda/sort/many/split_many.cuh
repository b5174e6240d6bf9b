// split_many.cuh - where the tiles of a merge of many runs begin in each run. Tiles have different sizes, since exact
// ones would cost a selection among all runs for each tile:
// - The output is cut into chunks of equal size by such a selection: a few thousand.
// - A block per chunk merges a sample of it, every pass.each-th key of each run, and cuts it after every
//   pass.tile_samples-th one. Each such key is then searched in all runs.
// Elements are ordered by key, run and position, so that equal keys are cut like others. A tile has at most each *
// (tile_samples + runs) elements.
#ifndef SK_CUDA_SPLIT_MANY_CUH
#define SK_CUDA_SPLIT_MANY_CUH

#include <type_traits>

#include "common/thread.cuh"
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
    int runs;         // 2 to MANY_RUNS
    int lanes;        // the next power of two
    int each;         // elements per sample
    int tile_samples; // samples per tile
    int chunk_tiles;  // tiles per chunk
    size_t chunk;     // elements
    unsigned chunks;
    Order order;
    size_t *split;                     // (chunks * chunk_tiles + 1) * runs: elements of each run before each tile
    many_key<K> *bounds;               // of keys alone: the least and the greatest key that each tile can have
    unsigned *crowded_count, *crowded; // tiles of keys alone that bins are bad for

    __host__ __device__ size_t tiles() const
    {
        return size_t(chunks) * chunk_tiles;
    }
};

// The sum over a group of `lanes` lanes, for each of them.
template <class T> __device__ __forceinline__ T sum_of_lanes(T number, int lanes)
{
    for (int x = 1; x < lanes; x *= 2)
        number += __shfl_xor_sync(FULL_WARP, number, x);
    return number;
}

// ---- chunks ----

// A lane's run in a selection: what may still be among the first `wanted` of all open ranges.
struct open_range {
    size_t low, high;
};

// One step of a selection among the runs of a group of lanes. It looks at the middle keys of the open ranges: if these
// and all keys before them are too few, the least of them is among the first; else the greatest is not. So each step
// halves at least one range. key_at(i): of the lane's run.
template <class KeyAt>
__device__ __forceinline__ void narrow(open_range *range, size_t *wanted, int r, int lanes, KeyAt key_at)
{
    size_t all = range->high - range->low, half = all / 2, at_least = half, at_most = half;
    decltype(key_at(0)) key = all > 0 ? key_at(range->low + half) : 0;
    for (int x = 1; x < lanes; x++) {
        auto other = __shfl_xor_sync(FULL_WARP, key, x);
        size_t other_half = __shfl_xor_sync(FULL_WARP, half, x), other_all = __shfl_xor_sync(FULL_WARP, all, x);
        bool before = other < key || (other == key && (r ^ x) < r);
        at_least += before && other_all > 0 ? other_half + 1 : 0;
        at_most += before ? other_all : other_half;
    }
    size_t taken = 0;
    if (all > 0 && at_least >= *wanted)
        range->high = range->low + half;
    else if (all > 0 && at_most < *wanted)
        taken = half + 1;
    range->low += taken;
    *wanted -= sum_of_lanes(taken, lanes);
}

// A group of lanes per chunk, and one for the end: a lane per run.
template <class K, class V, class Order>
__global__ void __launch_bounds__(MAP_THREADS) split_chunks(const __grid_constant__ many_pass<K, V, Order> pass)
{
    size_t thread = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x, chunk = thread / pass.lanes;
    int r = int(thread % pass.lanes);
    if (thread == 0 && pass.crowded_count != nullptr)
        *pass.crowded_count = 0;
    size_t diagonal = chunk < pass.chunks ? chunk * pass.chunk : pass.n, n = r < pass.runs ? pass.in.n[r] : 0;
    const K *keys = pass.in.keys[r];
    size_t others = pass.n - n;
    open_range range = {diagonal > others ? diagonal - others : 0, n < diagonal ? n : diagonal};
    size_t wanted = diagonal - sum_of_lanes(range.low, pass.lanes);
    while (__any_sync(FULL_WARP, range.low < range.high))
        narrow(&range, &wanted, r, pass.lanes, [&](size_t i) { return many_key<K>(pass.order.key(keys[i])); });
    if (chunk <= pass.chunks && r < pass.runs)
        pass.split[chunk * pass.chunk_tiles * pass.runs + r] = range.low;
}

// ---- tiles ----

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
    size_t low[MANY_RUNS], high[MANY_RUNS]; // the chunk's part of each run
    many_key<K> least, greatest;            // of the chunk
};

// One warp finds the chunk's least and greatest key.
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

// One warp: the chunk's parts of the runs, and the layout of its sample.
template <class K, class V, class Order>
__device__ __forceinline__ void plan_sample(const many_pass<K, V, Order> &pass, sample_memory<K> &shared)
{
    int r = int(lane_id());
    size_t low = 0, high = 0;
    if (r < pass.runs) {
        const size_t *split = pass.split + size_t(blockIdx.x) * pass.chunk_tiles * pass.runs + r;
        low = split[0];
        high = split[pass.chunk_tiles * pass.runs];
        high = high > low ? high : low; // of unsorted input
        shared.low[r] = low;
        shared.high[r] = high;
    }
    lay_out(shared.tile, pass.runs, (high - low) / pass.each, sample_rounds<K>::SIZE);
    sample_rounds<K>::plan(shared.merge, shared.tile);
    if (!HAS_VALUE<V>)
        find_bounds(pass, shared, low, high);
}

// Elements of run r that are before the element behind sample `place`, among the chunk's.
template <class K, class V, class Order>
__device__ __forceinline__ size_t rank_of_sample(const many_pass<K, V, Order> &pass, const sample_memory<K> &shared,
                                                 many_key<K> key, int place, int r)
{
    size_t low = shared.low[r], high = shared.high[r];
    int of = part_of(shared.tile, place, 0);
    if (r == of)
        return low + size_t(place - shared.tile.begin[r] + 1) * pass.each;
    const K *keys = pass.in.keys[r];
    return search(low, high, [&](size_t i) {
        many_key<K> other = many_key<K>(pass.order.key(keys[i]));
        return other < key || (r < of && other == key);
    });
}

// A block per chunk.
template <class K, class V, class Order>
__global__ void __launch_bounds__(MANY_SAMPLE_THREADS) split_tiles(const __grid_constant__ many_pass<K, V, Order> pass)
{
    using rounds = sample_rounds<K>;
    using elements = placed_rounds<K>;
    __shared__ sample_memory<K> shared;

    // Load: the sample, part by part.
    if (threadIdx.x < WARP)
        plan_sample(pass, shared);
    __syncthreads();
    int samples = shared.tile.begin[pass.runs];
    for (int place = threadIdx.x, r = 0; place < samples; place += rounds::THREADS) {
        r = part_of(shared.tile, place, r);
        size_t at = shared.low[r] + size_t(place - shared.tile.begin[r] + 1) * pass.each - 1;
        elements::store(shared.merge, rounds::first_slot(shared.tile, r, place),
                        many_key<K>(pass.order.key(pass.in.keys[r][at])), place);
    }
    __syncthreads();

    // Merge.
    rounds::merge(shared.merge, shared.tile);

    // Search: a group of lanes per tile.
    int r = int(threadIdx.x) % pass.lanes, groups = rounds::THREADS / pass.lanes;
    size_t first = size_t(blockIdx.x) * pass.chunk_tiles;
    if (r >= pass.runs)
        return;
    for (int tile = int(threadIdx.x) / pass.lanes; tile < pass.chunk_tiles; tile += groups) {
        int sample = tile * pass.tile_samples - 1;
        many_key<K> key = tile == 0          ? shared.least
                          : sample < samples ? elements::key(shared.merge, sample)
                                             : shared.greatest;
        if (tile > 0)
            pass.split[(first + tile) * pass.runs + r] =
                sample < samples ? rank_of_sample(pass, shared, key, elements::place(shared.merge, sample), r)
                                 : shared.high[r];
        if (!HAS_VALUE<V> && r == 0) {
            pass.bounds[2 * (first + tile)] = key;
            pass.bounds[2 * (first + (tile > 0 ? tile : pass.chunk_tiles)) - 1] = tile > 0 ? key : shared.greatest;
        }
    }
}

#endif
