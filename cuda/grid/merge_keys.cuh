// merge_keys.cuh - merges of sorted runs of keys alone, two at a time or four: a block a tile of the output. The tile's
// parts of the runs come to shared memory; of four runs the first and second, and the third and fourth, are merged
// there, and then both, so that the data is read and written once.
#ifndef SK_CUDA_GRID_MERGE_KEYS_CUH
#define SK_CUDA_GRID_MERGE_KEYS_CUH

#include <cuda_pipeline.h>

#include "grid/warp_merge.cuh"
#include "tuning.cuh"

// Two arrays become one; or, with run > 0, of one array (in[0]) every RUNS neighbouring runs.
template <class K, class Order> struct key_merge {
    const K *in[2];
    size_t n[2];
    size_t run; // the last may be shorter; and its group may have fewer
    K *out;
    size_t tiles_per_group;
    Order order;
    // Of four runs, how much of each stands before each tile. Of two arrays, how much of the first stands before every
    // MERGE_COARSE-th tile, and all; or nullptr.
    size_t *split;
};

// What the network compares.
template <class K> using merge_element = typename word_of<(sizeof(K) < 4 ? 4 : sizeof(K))>::type;
template <class K> constexpr int MERGE_TILE = MERGE_THREADS / WARP *WINDOW<merge_element<K>>;

// Run r of the group that a tile belongs to.
template <class K> struct sorted_run {
    const K *keys;
    size_t n;
};

template <int RUNS, class K, class Order>
__device__ __forceinline__ sorted_run<K> run_of(const key_merge<K, Order> &pass, size_t tile, int r)
{
    if (RUNS == 2 && pass.run == 0)
        return {pass.in[r], pass.n[r]};
    size_t begin = (tile / pass.tiles_per_group * RUNS + r) * pass.run;
    begin = begin < pass.n[0] ? begin : pass.n[0];
    size_t rest = pass.n[0] - begin;
    return {pass.in[0] + begin, rest < pass.run ? rest : pass.run};
}

// ---- where tiles of two runs begin ----

constexpr int SPLIT_LANES = 8;

// Of two arrays, where every MERGE_COARSE-th tile begins. A search reads a sector of memory for every place it tries,
// so to find the beginnings of all tiles so would take a quarter of the time of the merge.
template <class K, class Order>
__global__ void __launch_bounds__(MAP_THREADS) split_coarsely(key_merge<K, Order> pass, size_t splits)
{
    size_t split = (size_t(blockIdx.x) * MAP_THREADS + threadIdx.x) / SPLIT_LANES, total = pass.n[0] + pass.n[1];
    size_t diagonal = split * MERGE_COARSE * MERGE_TILE<K>;
    size_t of_a = lanes_merge_path<SPLIT_LANES>(
        diagonal < total ? diagonal : total, pass.n[0], pass.n[1],
        [&](size_t i, size_t j) { return pass.order.key(pass.in[1][j]) < pass.order.key(pass.in[0][i]); });
    if (split < splits && threadIdx.x % SPLIT_LANES == 0)
        pass.split[split] = of_a;
}

// One warp: where a merge path crosses a diagonal between two known points of it. First near the straight line between
// them, to which the path is close where the arrays are alike.
struct path_point {
    size_t diagonal, of_a;
};

template <class F>
__device__ __forceinline__ size_t path_between(size_t diagonal, path_point from, path_point to, path_range<size_t> open,
                                               F before)
{
    auto is_first = [&](size_t i) { return !before(i, diagonal - 1 - i); };
    size_t low = open.low > from.of_a ? open.low : from.of_a, high = open.high < to.of_a ? open.high : to.of_a;
    high = high > low ? high : low;
    size_t line = from.of_a + size_t(double(to.of_a - from.of_a) * double(diagonal - from.diagonal) /
                                     double(to.diagonal - from.diagonal));
    line = line < low ? low : line < high ? line : high;
    size_t near_low = line - low > MERGE_NEAR ? line - MERGE_NEAR : low;
    size_t near_high = high - line > MERGE_NEAR ? line + MERGE_NEAR : high;
    size_t found = lanes_search<WARP>(near_low, near_high, is_first);
    if (found == near_low)
        return lanes_search<WARP>(low, near_low, is_first);
    return found == near_high ? lanes_search<WARP>(near_high, high, is_first) : found;
}

// ---- where tiles of four runs begin ----

// For one lane of a group of four: the sum of its number and those of the others.
template <class T> __device__ __forceinline__ T sum_of_four(T number)
{
    number += __shfl_xor_sync(FULL_WARP, number, 1);
    return number + __shfl_xor_sync(FULL_WARP, number, 2);
}

// Four lanes a tile, one a run: how many of its keys are among the first `diagonal` of all four. Each step looks at the
// middle keys of what is open of the runs. If they and all before them are too few, the least of them is among the
// first; else the greatest is not: so one run at least is halved. Of equals those of the lower run come first.
template <class K, class Order>
__global__ void __launch_bounds__(MAP_THREADS) split_four(key_merge<K, Order> pass, size_t tiles)
{
    size_t tile = (size_t(blockIdx.x) * MAP_THREADS + threadIdx.x) / 4;
    int r = threadIdx.x % 4;
    sorted_run<K> run = run_of<4>(pass, tile < tiles ? tile : tiles - 1, r);
    size_t total = sum_of_four(run.n), diagonal = tile % pass.tiles_per_group * MERGE_TILE<K>;
    diagonal = diagonal < total ? diagonal : total;
    size_t others = total - run.n, low = diagonal > others ? diagonal - others : 0;
    size_t high = run.n < diagonal ? run.n : diagonal, wanted = diagonal - sum_of_four(low);
    while (__any_sync(FULL_WARP, low < high)) {
        size_t half = (high - low) / 2, all = high - low, at_least = half, at_most = half;
        merge_element<K> key = all > 0 ? pass.order.key(run.keys[low + half]) : 0;
#pragma unroll
        for (int x = 1; x < 4; x++) {
            merge_element<K> other = __shfl_xor_sync(FULL_WARP, key, x);
            size_t other_half = __shfl_xor_sync(FULL_WARP, half, x), other_all = __shfl_xor_sync(FULL_WARP, all, x);
            bool before = other < key || (other == key && (r ^ x) < r);
            at_least += before && other_all > 0 ? other_half + 1 : 0;
            at_most += before ? other_all : other_half;
        }
        size_t taken = 0;
        if (all > 0 && at_least >= wanted)
            high = low + half;
        else if (all > 0 && at_most < wanted)
            taken = half + 1;
        low += taken;
        wanted -= sum_of_four(taken);
    }
    if (tile < tiles)
        pass.split[tile * 4 + r] = low;
}

// ---- tiles ----

// A tile's part of a run, as it comes to shared memory: whole vectors of 16 bytes, those of the part's ends included,
// so that they keep their alignment.
template <class K> struct run_part {
    static constexpr int VECTOR = 16 / sizeof(K);
    sorted_run<K> run;
    size_t from;
    int n, lead; // elements of the first vector that stand before the part
    int slot;    // where in shared memory the first vector goes

    __device__ __forceinline__ run_part(sorted_run<K> run, size_t from, size_t to, int slot)
        : run(run), from(from), n(int(to - from)), lead(int(uintptr_t(run.keys + from) / sizeof(K) % VECTOR)),
          slot(slot)
    {
    }
    __device__ __forceinline__ int end() const
    {
        return slot + (lead + n + VECTOR - 1) / VECTOR * VECTOR;
    }
    __device__ __forceinline__ int begin() const
    {
        return slot + lead;
    }
    // Loads of vectors are under way until __pipeline_wait_prior(0). What a vector would read beyond the run is not
    // read.
    __device__ __forceinline__ void load(K *shared) const
    {
        for (int at = slot + threadIdx.x * VECTOR; at < end(); at += MERGE_THREADS * VECTOR) {
            size_t i = from - lead + (at - slot);
            if (i < run.n && i + VECTOR <= run.n) {
                __pipeline_memcpy_async(shared + at, run.keys + i, 16);
                continue;
            }
#pragma unroll
            for (int e = 0; e < VECTOR; e++)
                if (i + e < run.n)
                    shared[at + e] = run.keys[i + e];
        }
    }
};

template <int RUNS, class K> struct merge_memory {
    using E = merge_element<K>;
    alignas(16) K part[MERGE_TILE<K> + 2 * RUNS * (16 / sizeof(K))];
    alignas(16) E half[RUNS == 4 ? MERGE_TILE<K> + WINDOW<E> : 1]; // the merges of two and two, each of whole windows
    size_t ends[2];
};

// A tile of the output: `valid` keys from the diagonal of its group on.
struct merge_tile {
    size_t diagonal;
    int valid;
    bool last;
};

// Of two runs, the first and the second warp look for where the tile begins and ends.
template <class K, class Order>
__device__ __forceinline__ void find_ends(const key_merge<K, Order> &pass, const merge_tile &tile, size_t *ends)
{
    int warp = threadIdx.x / WARP;
    if (warp < 2) {
        sorted_run<K> a = run_of<2>(pass, blockIdx.x, 0), b = run_of<2>(pass, blockIdx.x, 1);
        auto before = [&](size_t i, size_t j) { return pass.order.key(b.keys[j]) < pass.order.key(a.keys[i]); };
        size_t diagonal = tile.diagonal + (warp == 0 ? 0 : tile.valid), of_a;
        if (pass.split == nullptr) {
            of_a = lanes_merge_path<WARP>(diagonal, a.n, b.n, before);
        } else {
            constexpr size_t STRIDE = MERGE_COARSE * MERGE_TILE<K>;
            const size_t *split = pass.split + blockIdx.x / MERGE_COARSE;
            size_t total = a.n + b.n, from = blockIdx.x / MERGE_COARSE * STRIDE, to = total - from;
            to = from + (to < STRIDE ? to : STRIDE);
            of_a = path_between(diagonal, {from, split[0]}, {to, split[1]}, {diagonal, a.n, b.n}, before);
        }
        if (lane_id() == 0)
            ends[warp] = of_a;
    }
    __syncthreads();
}

// What the tile takes of run r: [begin, end).
struct run_range {
    size_t begin, end;
};

template <int RUNS, class K, class Order>
__device__ __forceinline__ run_range range_of(const key_merge<K, Order> &pass, const merge_tile &tile, int r,
                                              size_t run_length, const size_t *ends)
{
    if constexpr (RUNS == 4) {
        const size_t *split = pass.split + size_t(blockIdx.x) * RUNS + r;
        return {split[0], tile.last ? run_length : split[RUNS]};
    } else {
        // In what is not sorted the places may not rise. No tile takes more than its outputs even so.
        size_t from = ends[0], most = from + tile.valid;
        size_t to = ends[1] < from ? from : ends[1] < most ? ends[1] : most;
        return r == 0 ? run_range{from, to} : run_range{tile.diagonal - from, tile.diagonal + tile.valid - to};
    }
}

// What a tile has of its runs: places in shared memory, and how many keys.
template <int RUNS> struct tile_parts {
    int begin[RUNS], n[RUNS];
};

template <int RUNS, class K, class Order>
__device__ __forceinline__ tile_parts<RUNS> load_parts(const key_merge<K, Order> &pass, const merge_tile &tile,
                                                       merge_memory<RUNS, K> &shared)
{
    tile_parts<RUNS> parts;
    int slot = 0;
#pragma unroll
    for (int r = 0; r < RUNS; r++) {
        sorted_run<K> run = run_of<RUNS>(pass, blockIdx.x, r);
        run_range range = range_of<RUNS>(pass, tile, r, run.n, shared.ends);
        run_part<K> part(run, range.begin, range.end, slot);
        part.load(shared.part);
        parts.n[r] = part.n;
        parts.begin[r] = part.begin();
        slot = part.end();
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    return parts;
}

// Each warp its window of the tile's outputs, if there is one.
template <int RUNS, class K, class E, class F>
__device__ __forceinline__ void merge_parts(E (&item)[warp_network<E>::ITEMS], merge_memory<RUNS, K> &shared,
                                            const tile_parts<RUNS> &parts, int valid, F ordered)
{
    int window = int(threadIdx.x / WARP), at = window * WINDOW<E>;
    if constexpr (RUNS == 2) {
        if (at < valid)
            merge_window(item, shared.part + parts.begin[0], parts.n[0], shared.part + parts.begin[1], parts.n[1], at,
                         ordered);
    } else {
        auto same = [](E element) { return element; };
        int lower = parts.n[0] + parts.n[1], upper = parts.n[2] + parts.n[3];
        int windows = (lower + WINDOW<E> - 1) / WINDOW<E>, all = windows + (upper + WINDOW<E> - 1) / WINDOW<E>;
        for (int w = window; w < all; w += MERGE_THREADS / WARP) {
            bool is_lower = w < windows;
            merge_window(item, shared.part + (is_lower ? parts.begin[0] : parts.begin[2]),
                         is_lower ? parts.n[0] : parts.n[2], shared.part + (is_lower ? parts.begin[1] : parts.begin[3]),
                         is_lower ? parts.n[1] : parts.n[3], (is_lower ? w : w - windows) * WINDOW<E>, ordered);
            store_window(item, shared.half + w * WINDOW<E>, same);
        }
        __syncthreads();
        if (at < valid)
            merge_window(item, shared.half, lower, shared.half + windows * WINDOW<E>, upper, at, same);
    }
}

template <int RUNS, class K, class Order>
__global__ void __launch_bounds__(MERGE_THREADS, MERGE_BLOCKS<RUNS>) merge_keys(key_merge<K, Order> pass)
{
    using E = merge_element<K>;
    constexpr int TILE = MERGE_TILE<K>;
    __shared__ merge_memory<RUNS, K> shared;
    size_t begin = pass.run == 0 ? 0 : blockIdx.x / pass.tiles_per_group * RUNS * pass.run;
    size_t total = pass.n[0] + pass.n[1] - begin;
    total = pass.run == 0 || total < RUNS * pass.run ? total : RUNS * pass.run;
    merge_tile tile = {blockIdx.x % pass.tiles_per_group * TILE, TILE, false};
    if (tile.diagonal >= total)
        return;
    if (total - tile.diagonal <= TILE) {
        tile.valid = int(total - tile.diagonal);
        tile.last = true;
    }

    if constexpr (RUNS == 2)
        find_ends(pass, tile, shared.ends);
    tile_parts<RUNS> parts = load_parts(pass, tile, shared);
    E item[warp_network<E>::ITEMS];
    merge_parts(item, shared, parts, tile.valid, [&](K key) { return E(pass.order.key(key)); });

    int at = int(threadIdx.x / WARP) * WINDOW<E>;
    K *out = pass.out + begin + tile.diagonal + at;
    auto value = [&](E element) { return pass.order.value(K(element)); };
    if (at + WINDOW<E> <= tile.valid && uintptr_t(out) % (warp_network<E>::VECTOR * sizeof(K)) == 0)
        store_window(item, out, value);
    else if (at < tile.valid)
        store_window(item, out, tile.valid - at, value);
}

#endif
