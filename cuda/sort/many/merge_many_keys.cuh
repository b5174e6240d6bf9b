// merge_many_keys.cuh - merges many sorted runs of keys alone: a block per tile of the output brings the tile's parts
// of all runs on chip and puts them in order, so that the data is read and written once. Keys alone need no stability:
// they are sorted by bins like a bucket, which takes fewer accesses to shared memory than rounds of merging. Tiles
// whose keys crowd in few bins are merged in rounds.
#ifndef SK_CUDA_MERGE_MANY_KEYS_CUH
#define SK_CUDA_MERGE_MANY_KEYS_CUH

#include "sort/bucket/bucket_sort.cuh"
#include "sort/many/tile_sources.cuh"

// Rounds for tiles that bins are bad for.
template <class K> using crowded_rounds = merge_rounds<many_key<K>, false, MANY_CROWDED_THREADS, MANY_CROWDED_ITEMS>;

template <class K> using many_bucket = any_bucket_tile<K, BUCKET_THREADS<K>, MANY_BUCKET_ITEMS<K>>;

// ---- by bins ----

// A tile's parts are loaded by warps, in rows of up to 32 keys of one part. Order does not matter.
template <class K> struct key_row {
    const K *keys;
    int count;
};

template <class K> struct row_memory {
    static constexpr int ROWS = many_bucket<K>::SIZE / WARP;
    key_row<K> row[ROWS];
    int first[MANY_RUNS]; // of each part
    int count;            // of rows, which may be more than there is room for
};

// One warp finds how many rows each part has.
template <class K>
__device__ __forceinline__ void count_rows(const tile_sources<K, no_value> &sources, row_memory<K> &rows)
{
    int r = int(lane_id()), own = 0;
    if (r < sources.tile.count)
        own = (sources.tile.begin[r + 1] - sources.tile.begin[r] + WARP - 1) / WARP;
    int inclusive = own;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        int left = __shfl_up_sync(FULL_WARP, inclusive, distance);
        inclusive += r >= distance ? left : 0;
    }
    rows.first[r] = inclusive - own;
    if (r == WARP - 1)
        rows.count = inclusive;
}

// Fills in a row of the tile. The parts behind the last begin at rows.count.
template <class K>
__device__ __forceinline__ void fill_row(const tile_sources<K, no_value> &sources, row_memory<K> &rows, int row)
{
    int low = 0, high = MANY_RUNS - 1;
    while (low < high) { // the last part that begins at the row or before
        int middle = (low + high + 1) / 2;
        if (rows.first[middle] <= row)
            low = middle;
        else
            high = middle - 1;
    }
    int place = 0, count = 0;
    if (row < rows.count) {
        place = sources.tile.begin[low] + (row - rows.first[low]) * WARP;
        count = min(WARP, sources.tile.begin[low + 1] - place);
    }
    rows.row[row] = {sources.keys[low] + place, count};
}

// A thread's keys of a tile: one of each of its warp's rows.
template <class tile> struct row_items {
    using K = typename tile::key_type;
    K key[tile::ITEMS];
    unsigned size;  // of the tile
    unsigned there; // a bit per item

    static __device__ __forceinline__ unsigned place(int i)
    {
        return i * tile::THREADS + threadIdx.x;
    }
    __device__ __forceinline__ bool is_there(int i) const
    {
        return there >> i & 1;
    }
    template <class Order> __device__ __forceinline__ void load(const row_memory<K> &rows, const Order &order)
    {
        there = 0;
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++) {
            key_row<K> row = rows.row[i * (tile::THREADS / WARP) + threadIdx.x / WARP];
            bool mine = int(lane_id()) < row.count;
            key[i] = mine ? __ldg(row.keys + lane_id()) : K(0);
            there |= unsigned(mine) << i;
        }
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            key[i] = order.key(key[i]);
    }
    template <class Do> __device__ __forceinline__ void for_each(Do act) const
    {
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            if (is_there(i))
                act(i);
    }
    template <class Do> __device__ __forceinline__ void for_each_place(Do act) const
    {
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            if (place(i) < size)
                act(i);
    }
};

template <class K> struct many_keys_memory {
    typename many_bucket<K>::shared_memory bucket;
    tile_sources<K, no_value> sources;
    row_memory<K> rows;
};

// A block per tile. Those that have crowded bins or too many rows are listed.
template <class K, class Order>
__global__ void __launch_bounds__(BUCKET_THREADS<K>, MANY_BUCKET_BLOCKS<K>)
    merge_many_keys(const __grid_constant__ many_pass<K, no_value, Order> pass)
{
    using tile = many_bucket<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &memory = *reinterpret_cast<many_keys_memory<K> *>(dynamic_memory);
    auto &shared = memory.bucket;
    auto &sources = memory.sources;
    auto &rows = memory.rows;
    wait_for_launches();
    if (threadIdx.x < WARP) {
        find_sources(pass, blockIdx.x, sources, crowded_rounds<K>::SIZE);
        count_rows(sources, rows);
    }
    __syncthreads();
    row_items<tile> mine;
    mine.size = sources.tile.begin[pass.runs];
    if (mine.size == 0)
        return;
    bool sorted = false;
    if (rows.count <= rows.ROWS) {
        if (threadIdx.x < rows.ROWS)
            fill_row(sources, rows, int(threadIdx.x));
        const many_key<K> *bounds = pass.bounds + 2 * size_t(blockIdx.x);
        even_bins<K> bins(bounds[0], bounds[1]);
        clear_bins<tile>(shared);
        __syncthreads();
        mine.load(rows, pass.order);
        sorted = sort_items<tile>(shared, mine, pass.keys_out + sources.out, 0, pass.order, bins,
                                  uneven_or_not<tile>{shared});
    }
    if (!sorted && threadIdx.x == 0)
        pass.crowded[atomicAdd(pass.crowded_count, 1)] = blockIdx.x;
}

// ---- in rounds ----

// Merges the crowded tiles in rounds, a block at a time.
template <class K, class Order>
__global__ void __launch_bounds__(MANY_CROWDED_THREADS, MANY_CROWDED_BLOCKS<K>)
    merge_crowded(const __grid_constant__ many_pass<K, no_value, Order> pass)
{
    using rounds = crowded_rounds<K>;
    __shared__ typename rounds::shared_memory shared;
    __shared__ tile_sources<K, no_value> sources;
    auto *element = shared.elements();
    wait_for_launches();
    for (unsigned i = blockIdx.x; i < *pass.crowded_count; i += gridDim.x) {
        if (threadIdx.x < WARP) {
            find_sources(pass, pass.crowded[i], sources, rounds::SIZE);
            rounds::plan(shared, sources.tile);
        }
        __syncthreads();
        int size = sources.tile.begin[pass.runs];
        for (int place = threadIdx.x, part = 0; place < size; place += rounds::THREADS) {
            part = part_of(sources.tile, place, part);
            element[rounds::first_slot(sources.tile, part, place)] = pass.order.key(__ldg(sources.keys[part] + place));
        }
        __syncthreads();
        rounds::merge(shared, sources.tile);
        for (int place = threadIdx.x; place < size; place += rounds::THREADS)
            pass.keys_out[sources.out + place] = pass.order.value(K(element[place]));
        __syncthreads();
    }
}

#endif
