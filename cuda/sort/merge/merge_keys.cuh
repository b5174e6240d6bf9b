// merge_keys.cuh - merges sorted runs of keys alone, two or four at a time: a block per tile of the output. The tile's
// parts of the runs come to shared memory. Of four runs, the first two and the last two are merged there, and then both
// results, so that the data is read and written once for two levels.
#ifndef SK_CUDA_MERGE_KEYS_CUH
#define SK_CUDA_MERGE_KEYS_CUH

#include <cuda_pipeline.h>
#include <type_traits>

#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/merge/warp_merge.cuh"
#include "sort/survey/key_order.cuh"

// Merges two arrays; or, with run > 0, every RUNS neighbouring runs of one array (in[0]).
template <class K, class Order> struct key_merge {
    const K *in[2];
    size_t n[2];
    size_t run; // the last may be shorter, and its group may have fewer runs
    K *out;
    unsigned tiles_per_group;
    Order order;
    size_t *split; // elements before each tile, of each of four runs or of the first of two arrays; or nullptr
};

// What the network compares.
template <class K> using merge_element = typename word_of<(sizeof(K) < 4 ? 4 : sizeof(K))>::type;
// A tile has EACH windows for each warp of a block.
template <class K, int EACH = 1> constexpr int MERGE_TILE = MERGE_THREADS / WARP *EACH *WINDOW<merge_element<K>>;

// Run r of a group.
template <class K> struct sorted_run {
    const K *keys;
    size_t n;
};

template <int RUNS, class K, class Order>
__device__ __forceinline__ sorted_run<K> run_of(const key_merge<K, Order> &pass, unsigned group, int r)
{
    if (RUNS == 2 && pass.run == 0)
        return {pass.in[r], pass.n[r]};
    size_t begin = (size_t(group) * RUNS + r) * pass.run;
    begin = begin < pass.n[0] ? begin : pass.n[0];
    size_t rest = pass.n[0] - begin;
    return {pass.in[0] + begin, rest < pass.run ? rest : pass.run};
}

// ---- where tiles of two arrays begin ----

constexpr int SPLIT_THREADS = 128;

struct path_point {
    size_t diagonal, of_a;
};

// Where a merge path crosses a diagonal between two known points of it. A search costs the memory that it touches, so
// it begins with a guess: the straight line between the points, corrected by the distance of the keys there, as if they
// were spread evenly. gap(i): a[i] minus b[diagonal - 1 - i]; range: of the keys from point to point.
template <class F, class G>
__device__ __forceinline__ size_t path_between(size_t diagonal, path_point from, path_point to, path_range<size_t> open,
                                               double range, G gap, F before)
{
    auto is_first = [&](size_t i) { return !before(i, diagonal - 1 - i); };
    size_t low = open.low > from.of_a ? open.low : from.of_a, high = open.high < to.of_a ? open.high : to.of_a;
    if (low >= high)
        return low;
    double all = double(to.diagonal - from.diagonal), of_a = double(to.of_a - from.of_a);
    double line = double(from.of_a) + of_a * (double(diagonal - from.diagonal) / all);
    line = fmin(fmax(line, double(low)), double(high - 1));
    if (range > 0)
        line -= gap(size_t(line)) / range * of_a * (1 - of_a / all);
    size_t guess = size_t(fmin(fmax(line, double(low)), double(high)));
    for (size_t near = MERGE_NEAR;; near *= 8) {
        size_t near_low = guess - low > near ? guess - near : low;
        size_t near_high = high - guess > near ? guess + near : high;
        size_t found = search(near_low, near_high, is_first);
        if ((found > near_low || near_low == low) && (found < near_high || near_high == high))
            return found;
    }
}

// By a warp: the path at a diagonal, first near the straight line over both arrays.
template <class F> __device__ __forceinline__ size_t warp_path_by_line(size_t diagonal, size_t na, size_t nb, F before)
{
    path_range<size_t> open(diagonal, na, nb);
    auto is_first = [&](size_t i) { return !before(i, diagonal - 1 - i); };
    size_t line = size_t(double(na) / double(na + nb) * double(diagonal));
    line = line < open.low ? open.low : line < open.high ? line : open.high;
    size_t low = line - open.low > MERGE_NEAR_LINE ? line - MERGE_NEAR_LINE : open.low;
    size_t high = open.high - line > MERGE_NEAR_LINE ? line + MERGE_NEAR_LINE : open.high;
    size_t found = warp_search(low, high, is_first);
    if (found == low && low > open.low)
        return warp_search(open.low, low, is_first);
    return found == high && high < open.high ? warp_search(high, open.high, is_first) : found;
}

// A thread per tile of tile_size keys. Two warps first find the ends of the block's part of the path.
template <class K, class Order>
__global__ void __launch_bounds__(SPLIT_THREADS) split_two(key_merge<K, Order> pass, size_t tiles, size_t tile_size)
{
    __shared__ size_t ends[2];
    wait_for_launches();
    size_t na = pass.n[0], nb = pass.n[1], first = size_t(blockIdx.x) * SPLIT_THREADS, tile = first + threadIdx.x;
    path_point from = {first * tile_size, 0}, to = {from.diagonal + SPLIT_THREADS * tile_size, 0};
    to.diagonal = to.diagonal < na + nb ? to.diagonal : na + nb;
    auto before = [&](size_t i, size_t j) { return pass.order.key(pass.in[1][j]) < pass.order.key(pass.in[0][i]); };
    int warp = threadIdx.x / WARP;
    if (warp < 2) {
        size_t of_a = warp_path_by_line(warp == 0 ? from.diagonal : to.diagonal, na, nb, before);
        if (lane_id() == 0)
            ends[warp] = of_a;
    }
    __syncthreads();
    from.of_a = ends[0];
    to.of_a = ends[1];
    size_t diagonal = tile * tile_size;
    auto key_a = [&](size_t i) { return double(pass.order.key(pass.in[0][i])); };
    double range = to.of_a > from.of_a ? key_a(to.of_a - 1) - key_a(from.of_a) : 0;
    auto gap = [&](size_t i) { return key_a(i) - double(pass.order.key(pass.in[1][diagonal - 1 - i])); };
    if (tile < tiles)
        pass.split[tile] = path_between(diagonal, from, to, {diagonal, na, nb}, range, gap, before);
}

// ---- where tiles of four runs begin ----

// The sum of the numbers of a group of four lanes, for each of them.
template <class T> __device__ __forceinline__ T sum_of_four(T number)
{
    number += __shfl_xor_sync(FULL_WARP, number, 1);
    return number + __shfl_xor_sync(FULL_WARP, number, 2);
}

// Four lanes per tile, one per run: its keys among the first `diagonal` of all four runs. Each step looks at the middle
// keys of the open ranges. If these and all keys before them are too few, the least of them is among the first; else
// the greatest is not. So each step halves at least one range. Of equal keys, the lower run's comes first.
template <class K, class Order>
__global__ void __launch_bounds__(MAP_THREADS) split_four(key_merge<K, Order> pass, size_t tiles)
{
    wait_for_launches();
    size_t tile = (size_t(blockIdx.x) * MAP_THREADS + threadIdx.x) / 4;
    int r = threadIdx.x % 4;
    unsigned number = unsigned(tile < tiles ? tile : tiles - 1);
    sorted_run<K> run = run_of<4>(pass, number / pass.tiles_per_group, r);
    size_t total = sum_of_four(run.n), diagonal = size_t(number % pass.tiles_per_group) * MERGE_TILE<K>;
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

// A tile's part of a run, as whole vectors of 16 bytes, including those at its ends: so shared memory has the alignment
// of global memory.
template <class K> struct run_part {
    static constexpr int VECTOR = 16 / sizeof(K);
    const K *source; // of the first vector
    int n, lead;     // lead: elements of the first vector before the part
    bool is_inside;  // no vector reaches out of the run

    run_part() = default;
    __device__ __forceinline__ run_part(sorted_run<K> run, size_t from, size_t to)
        : n(int(to - from)), lead(int(uintptr_t(run.keys + from) / sizeof(K) % VECTOR))
    {
        source = run.keys + from - lead;
        is_inside = from >= size_t(lead) && run.n - (from - lead) >= size_t(length());
    }
    __device__ __forceinline__ int length() const
    {
        return (lead + n + VECTOR - 1) / VECTOR * VECTOR;
    }
    // Asynchronous until __pipeline_wait_prior(0). Reads nothing outside the run.
    __device__ __forceinline__ void load(K *shared) const
    {
        for (int at = threadIdx.x * VECTOR; at < length(); at += MERGE_THREADS * VECTOR) {
            if (is_inside || (at >= lead && at + VECTOR <= lead + n)) {
                __pipeline_memcpy_async(shared + at, source + at, 16);
                continue;
            }
            for (int e = at; e < at + VECTOR; e++)
                if (e >= lead && e < lead + n)
                    shared[e] = source[e];
        }
    }
};

// The tile's parts of its runs in shared memory: where they begin, and their keys.
template <int RUNS> struct tile_parts {
    int begin[RUNS], n[RUNS];
};

template <int RUNS, int EACH, class K> struct merge_memory {
    using E = merge_element<K>;
    alignas(16) K part[MERGE_TILE<K, EACH> + 2 * RUNS * (16 / sizeof(K))];
    alignas(16) E half[RUNS == 4 ? MERGE_TILE<K> + WINDOW<E> : 1]; // merges of two runs each, in whole windows
    tile_parts<RUNS> parts;
    size_t ends[2];
};

// A tile of the output: `valid` keys of its group's merge, from the diagonal on.
struct merge_tile {
    unsigned group;
    size_t diagonal;
    int valid;
    bool last;
};

// Two runs without splits: one warp finds where the tile begins on the path, another where it ends.
template <class K, class Order>
__device__ __forceinline__ void find_ends(const key_merge<K, Order> &pass, const merge_tile &tile, size_t *ends)
{
    int warp = threadIdx.x / WARP;
    if (warp < 2) {
        sorted_run<K> a = run_of<2>(pass, tile.group, 0), b = run_of<2>(pass, tile.group, 1);
        auto before = [&](size_t i, size_t j) { return pass.order.key(b.keys[j]) < pass.order.key(a.keys[i]); };
        size_t of_a = warp_merge_path(tile.diagonal + (warp == 0 ? 0 : tile.valid), a.n, b.n, before);
        if (lane_id() == 0)
            ends[warp] = of_a;
    }
    __syncthreads();
}

// The tile's part of a run: [begin, end).
struct run_range {
    size_t begin, end;
};

template <int RUNS, class K, class Order>
__device__ __forceinline__ run_range range_of(const key_merge<K, Order> &pass, const merge_tile &tile, int r,
                                              size_t run_length, const size_t *ends)
{
    const size_t *split = pass.split + size_t(blockIdx.x) * (RUNS == 4 ? RUNS : 1);
    if constexpr (RUNS == 4) {
        return {split[r], tile.last ? run_length : split[RUNS + r]};
    } else {
        bool is_known = pass.split != nullptr;
        size_t from = is_known ? split[0] : ends[0];
        size_t to = !is_known ? ends[1] : tile.last ? pass.n[0] : split[1];
        // Unsorted input may give a path that falls. Even then no tile takes more than its outputs.
        to = to < from ? from : to < from + tile.valid ? to : from + tile.valid;
        return r == 0 ? run_range{from, to} : run_range{tile.diagonal - from, tile.diagonal + tile.valid - to};
    }
}

// Values in shared memory become keys in their order.
template <class K, class Order> __device__ __forceinline__ void map_to_keys(K *part, int length, const Order &order)
{
    constexpr int VECTOR = 16 / sizeof(K);
    struct alignas(16) vector {
        K key[VECTOR];
    };
    for (int i = threadIdx.x; i < length / VECTOR; i += MERGE_THREADS) {
        vector keys = reinterpret_cast<vector *>(part)[i];
        for (K &key : keys.key)
            key = order.key(key);
        reinterpret_cast<vector *>(part)[i] = keys;
    }
    __syncthreads();
}

// Brings the tile's parts of all runs to shared memory: a merge_memory or a pair_memory.
template <int RUNS, class K, class Order, class Memory>
__device__ __forceinline__ void load_parts(const key_merge<K, Order> &pass, const merge_tile &tile, Memory &shared)
{
    run_part<K> part[RUNS];
#pragma unroll
    for (int r = 0; r < RUNS; r++) {
        sorted_run<K> run = run_of<RUNS>(pass, tile.group, r);
        run_range range = range_of<RUNS>(pass, tile, r, run.n, shared.ends);
        part[r] = run_part<K>(run, range.begin, range.end);
    }
    int slot = 0;
#pragma unroll
    for (int r = 0; r < RUNS; r++) {
        part[r].load(shared.part + slot);
        if (threadIdx.x == 0) {
            shared.parts.n[r] = part[r].n;
            shared.parts.begin[r] = slot + part[r].lead;
        }
        slot += part[r].length();
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if constexpr (!std::is_same_v<Order, same_order<K>>)
        map_to_keys(shared.part, slot, pass.order);
}

// Four runs: merges the first two, and the last two. Returns the windows of the first two.
template <int RUNS, int EACH, class K> __device__ __forceinline__ int merge_halves(merge_memory<RUNS, EACH, K> &shared)
{
    using E = merge_element<K>;
    const tile_parts<RUNS> &parts = shared.parts;
    auto same = [](auto key) { return E(key); };
    int lower = parts.n[0] + parts.n[1], upper = parts.n[2] + parts.n[3];
    int windows = (lower + WINDOW<E> - 1) / WINDOW<E>, all = windows + (upper + WINDOW<E> - 1) / WINDOW<E>;
    for (int w = int(threadIdx.x / WARP); w < all; w += MERGE_THREADS / WARP) {
        E item[warp_network<E>::ITEMS];
        bool is_lower = w < windows;
        merge_window(item, shared.part + (is_lower ? parts.begin[0] : parts.begin[2]),
                     is_lower ? parts.n[0] : parts.n[2], shared.part + (is_lower ? parts.begin[1] : parts.begin[3]),
                     is_lower ? parts.n[1] : parts.n[3], (is_lower ? w : w - windows) * WINDOW<E>, same);
        store_window(item, shared.half + w * WINDOW<E>, same);
    }
    __syncthreads();
    return windows;
}

// A block per tile. Each warp merges EACH of its windows.
template <int RUNS, int EACH, class K, class Order>
__global__ void __launch_bounds__(MERGE_THREADS, MERGE_BLOCKS<RUNS, EACH>) merge_keys(key_merge<K, Order> pass)
{
    using E = merge_element<K>;
    constexpr int TILE = MERGE_TILE<K, EACH>;
    __shared__ merge_memory<RUNS, EACH, K> shared;
    wait_for_launches();
    unsigned group = blockIdx.x / pass.tiles_per_group;
    size_t begin = pass.run == 0 ? 0 : size_t(group) * RUNS * pass.run;
    size_t total = pass.n[0] + pass.n[1] - begin;
    total = pass.run == 0 || total < RUNS * pass.run ? total : RUNS * pass.run;
    merge_tile tile = {group, size_t(blockIdx.x - group * pass.tiles_per_group) * TILE, TILE, false};
    if (tile.diagonal >= total)
        return;
    if (total - tile.diagonal <= TILE) {
        tile.valid = int(total - tile.diagonal);
        tile.last = true;
    }

    // Load
    if (RUNS == 2 && pass.split == nullptr)
        find_ends(pass, tile, shared.ends);
    load_parts<RUNS>(pass, tile, shared);

    // Merge and store
    const tile_parts<RUNS> &parts = shared.parts;
    auto same = [](auto key) { return E(key); };
    auto value = [&](E element) { return pass.order.value(K(element)); };
    [[maybe_unused]] int lower_windows = 0;
    if constexpr (RUNS == 4)
        lower_windows = merge_halves(shared);
#pragma unroll 1
    for (int i = 0; i < EACH; i++) {
        int at = (i * (MERGE_THREADS / WARP) + int(threadIdx.x / WARP)) * WINDOW<E>;
        if (at >= tile.valid)
            return;
        E item[warp_network<E>::ITEMS];
        if constexpr (RUNS == 4)
            merge_window(item, shared.half, parts.n[0] + parts.n[1], shared.half + lower_windows * WINDOW<E>,
                         parts.n[2] + parts.n[3], at, same);
        else
            merge_window(item, shared.part + parts.begin[0], parts.n[0], shared.part + parts.begin[1], parts.n[1], at,
                         same);
        store_window(item, pass.out + begin + tile.diagonal + at, tile.valid - at, value);
    }
}

#endif
