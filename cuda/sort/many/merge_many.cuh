// merge_many.cuh - merges many sorted runs: a block per tile of the output brings the tile's parts of all runs to shared
// memory and puts them in order, so that the data is read and written once. Keys alone need no stability: they are
// sorted by bins like a bucket, which takes fewer accesses to shared memory than rounds of merging. Tiles whose keys
// crowd in few bins, and keys with values, are merged in rounds.
#ifndef SK_CUDA_MERGE_MANY_CUH
#define SK_CUDA_MERGE_MANY_CUH

#include "sort/bucket/bucket_sort.cuh"
#include "sort/many/split_many.cuh"

// A tile's parts of the runs, and where its output begins.
template <class K, class V> struct tile_sources {
    tile_runs tile;
    const K *keys[MANY_RUNS]; // of the element at place 0, if the part began there
    const V *values[MANY_RUNS];
    size_t out;
};

// One warp finds them, as far as there is room.
template <class K, class V, class Order>
__device__ __forceinline__ void find_sources(const many_pass<K, V, Order> &pass, tile_sources<K, V> &sources, int room)
{
    int r = int(lane_id());
    size_t from = 0, to = 0;
    if (r < pass.runs) {
        const size_t *split = pass.split + size_t(blockIdx.x) * pass.runs + r;
        from = split[0];
        to = split[pass.runs];
        to = to > from ? to : from; // of unsorted input
    }
    lay_out(sources.tile, pass.runs, to - from, room);
    size_t out = sum_of_lanes(from, WARP);
    if (r == 0)
        sources.out = out;
    if (r < pass.runs) {
        ptrdiff_t first = ptrdiff_t(from) - sources.tile.begin[r];
        sources.keys[r] = pass.in.keys[r] + first;
        if constexpr (HAS_VALUE<V>)
            sources.values[r] = pass.in.values[r] + first;
    }
}

// ---- keys alone ----

// Rounds for the tiles that bins are bad for.
template <class K>
using crowded_rounds =
    merge_rounds<many_key<K>, false, BUCKET_THREADS<K>, (sizeof(K) == 8 ? MANY_ITEMS_WIDE : MANY_ITEMS)>;

// Elements of a tile.
template <class K>
constexpr int MANY_TILE = crowded_rounds<K>::SIZE < bucket_tile<K>::SIZE ? crowded_rounds<K>::SIZE
                                                                           : bucket_tile<K>::SIZE;

template <class K> struct many_keys_memory {
    union {
        typename bucket_tile<K>::shared_memory bucket;
        typename crowded_rounds<K>::shared_memory merge;
    };
    tile_sources<K, no_value> sources;
    __device__ many_keys_memory()
    {
    }
};

// The keys of a tile's parts, read place by place: places rise.
template <class K, class Order> struct gathered_keys {
    const tile_sources<K, no_value> &sources;
    const Order &order;
    int part;
    __device__ __forceinline__ K operator[](unsigned place)
    {
        part = part_of(sources.tile, int(place), part);
        return order.key(sources.keys[part][place]);
    }
};

// Not inline: its registers would spill with the bins'.
template <class K, class Order>
__device__ __noinline__ void merge_crowded(many_keys_memory<K> &shared, gathered_keys<K, Order> keys, K *out, int size)
{
    using rounds = crowded_rounds<K>;
    const tile_runs &tile = shared.sources.tile;
    if (threadIdx.x < WARP)
        rounds::plan(shared.merge, tile);
    auto *element = shared.merge.elements();
    for (int place = threadIdx.x; place < size; place += rounds::THREADS) {
        K key = keys[place];
        element[rounds::first_slot(tile, keys.part, place)] = key;
    }
    __syncthreads();
    rounds::merge(shared.merge, tile);
    for (int place = threadIdx.x; place < size; place += rounds::THREADS)
        out[place] = keys.order.value(element[place]);
}

// A block per tile.
template <class K, class Order>
__global__ void __launch_bounds__(BUCKET_THREADS<K>, BUCKET_BLOCKS<K>)
    merge_many_keys(const __grid_constant__ many_pass<K, no_value, Order> pass)
{
    using tile = bucket_tile<K>;
    __shared__ many_keys_memory<K> shared;
    if (threadIdx.x < WARP)
        find_sources(pass, shared.sources, MANY_TILE<K>);
    __syncthreads();
    int size = shared.sources.tile.begin[pass.runs];
    if (size == 0)
        return;
    K *out = pass.keys_out + shared.sources.out;
    gathered_keys<K, Order> keys = {shared.sources, pass.order, 0};
    if (sort_bucket<tile, 0, true>(shared.bucket, keys, out, 0, unsigned(size), pass.order, key_span<K>{}))
        return;
    __syncthreads();
    merge_crowded(shared, keys, out, size);
}

// ---- with values ----

template <class K> using pair_rounds = typename placed_rounds<K>::rounds<MANY_PAIR_THREADS, MANY_PAIR_ITEMS>;

template <class K, class V> struct many_pairs_memory {
    union {
        typename pair_rounds<K>::shared_memory merge;
        V value[pair_rounds<K>::SIZE];
    };
    tile_sources<K, V> sources;
    __device__ many_pairs_memory()
    {
    }
};

// A thread's elements of a tile: ROWS, THREADS apart.
template <class K> struct pair_rows {
    static constexpr int THREADS = MANY_PAIR_THREADS, ROWS = (pair_rounds<K>::SIZE - 1) / THREADS + 1;
    int size;
    // act(row, place) for those that are there.
    template <class Do> __device__ __forceinline__ void for_each(Do act) const
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            int place = i * THREADS + int(threadIdx.x);
            if (place < size)
                act(i, place);
        }
    }
};

// Loads the keys of the tile and their places.
template <class K, class V>
__device__ __forceinline__ void load_pairs(many_pairs_memory<K, V> &shared, const pair_rows<K> &rows)
{
    const tile_sources<K, V> &sources = shared.sources;
    K key[pair_rows<K>::ROWS];
    int part = 0;
    rows.for_each([&](int i, int place) {
        part = part_of(sources.tile, place, part);
        key[i] = sources.keys[part][place];
    });
    part = 0;
    rows.for_each([&](int i, int place) {
        part = part_of(sources.tile, place, part);
        placed_rounds<K>::store(shared.merge, pair_rounds<K>::first_slot(sources.tile, part, place), key[i], place);
    });
}

// A block per tile.
template <class K, class V>
__global__ void __launch_bounds__(MANY_PAIR_THREADS, MANY_PAIR_BLOCKS)
    merge_many_pairs(const __grid_constant__ many_pass<K, V, same_order<K>> pass)
{
    using elements = placed_rounds<K>;
    __shared__ many_pairs_memory<K, V> shared;
    const tile_sources<K, V> &sources = shared.sources;
    if (threadIdx.x < WARP) {
        find_sources(pass, shared.sources, pair_rounds<K>::SIZE);
        pair_rounds<K>::plan(shared.merge, sources.tile);
    }
    __syncthreads();
    pair_rows<K> rows = {sources.tile.begin[pass.runs]};

    // Load, merge.
    load_pairs(shared, rows);
    __syncthreads();
    pair_rounds<K>::merge(shared.merge, sources.tile);

    // Store: the keys. Then the values come to shared memory in their place.
    V value[pair_rows<K>::ROWS];
    uint16_t from[pair_rows<K>::ROWS];
    int part = 0;
    rows.for_each([&](int i, int place) {
        part = part_of(sources.tile, place, part);
        value[i] = sources.values[part][place];
    });
    rows.for_each([&](int i, int place) {
        pass.keys_out[sources.out + place] = elements::key(shared.merge, place);
        from[i] = uint16_t(elements::place(shared.merge, place));
    });
    __syncthreads();
    rows.for_each([&](int i, int place) { shared.value[place] = value[i]; });
    __syncthreads();
    rows.for_each([&](int i, int place) { pass.values_out[sources.out + place] = shared.value[from[i]]; });
}

#endif
