// merge_many.cuh - merges many sorted runs: a block per tile of the output brings the tile's parts of all runs to
// shared memory and puts them in order, so that the data is read and written once. Keys alone need no stability: they
// are sorted by bins like a bucket, which takes fewer accesses to shared memory than rounds of merging. Tiles whose
// keys crowd in few bins, and keys with values, are merged in rounds.
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
__device__ __forceinline__ void find_sources(const many_pass<K, V, Order> &pass, unsigned tile,
                                             tile_sources<K, V> &sources, int room)
{
    int r = int(lane_id());
    size_t from = 0, to = 0;
    if (r < pass.runs) {
        const size_t *split = pass.split + size_t(tile) * pass.runs + r;
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

// Rounds for tiles that bins are bad for.
template <class K> using crowded_rounds = merge_rounds<many_key<K>, false, MANY_CROWDED_THREADS, MANY_CROWDED_ITEMS>;

template <class K> using many_bucket = any_bucket_tile<K, BUCKET_THREADS<K>, MANY_BUCKET_ITEMS<K>>;

// Elements of a tile.
template <class K>
constexpr int MANY_TILE =
    crowded_rounds<K>::SIZE < many_bucket<K>::SIZE ? crowded_rounds<K>::SIZE : many_bucket<K>::SIZE;

// The keys of a tile's parts, read place by place: places rise.
template <class K, class Order> struct gathered_keys {
    const tile_sources<K, no_value> &sources;
    const Order &order;
    int part;
    __device__ __forceinline__ K operator[](unsigned place)
    {
        part = part_of(sources.tile, int(place), part);
        return order.key(__ldg(sources.keys[part] + place));
    }
};

// A block per tile, by bins. Crowded tiles are listed.
template <class K, class Order>
__global__ void __launch_bounds__(BUCKET_THREADS<K>, BUCKET_BLOCKS<K>)
    merge_many_keys(const __grid_constant__ many_pass<K, no_value, Order> pass)
{
    using tile = many_bucket<K>;
    __shared__ typename tile::shared_memory shared;
    __shared__ tile_sources<K, no_value> sources;
    if (threadIdx.x < WARP)
        find_sources(pass, blockIdx.x, sources, MANY_TILE<K>);
    __syncthreads();
    int size = sources.tile.begin[pass.runs];
    gathered_keys<K, Order> keys = {sources, pass.order, 0};
    K *out = pass.keys_out + sources.out;
    if (size == 0 || sort_bucket<tile, 0, true>(shared, keys, out, 0, unsigned(size), pass.order, key_span<K>{}))
        return;
    if (threadIdx.x == 0)
        pass.crowded[atomicAdd(pass.crowded_count, 1)] = blockIdx.x;
}

// Merges the crowded tiles in rounds, a block at a time.
template <class K, class Order>
__global__ void __launch_bounds__(MANY_CROWDED_THREADS, MANY_CROWDED_BLOCKS<K>)
    merge_crowded(const __grid_constant__ many_pass<K, no_value, Order> pass)
{
    using rounds = crowded_rounds<K>;
    __shared__ typename rounds::shared_memory shared;
    __shared__ tile_sources<K, no_value> sources;
    auto *element = shared.elements();
    for (unsigned i = blockIdx.x; i < *pass.crowded_count; i += gridDim.x) {
        if (threadIdx.x < WARP) {
            find_sources(pass, pass.crowded[i], sources, MANY_TILE<K>);
            rounds::plan(shared, sources.tile);
        }
        __syncthreads();
        int size = sources.tile.begin[pass.runs];
        gathered_keys<K, Order> keys = {sources, pass.order, 0};
        for (int place = threadIdx.x; place < size; place += rounds::THREADS) {
            K key = keys[place];
            element[rounds::first_slot(sources.tile, keys.part, place)] = key;
        }
        __syncthreads();
        rounds::merge(shared, sources.tile);
        for (int place = threadIdx.x; place < size; place += rounds::THREADS)
            pass.keys_out[sources.out + place] = pass.order.value(K(element[place]));
        __syncthreads();
    }
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
        key[i] = __ldg(sources.keys[part] + place);
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
        find_sources(pass, blockIdx.x, shared.sources, pair_rounds<K>::SIZE);
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
        value[i] = __ldg(sources.values[part] + place);
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
