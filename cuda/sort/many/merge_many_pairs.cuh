// merge_many_pairs.cuh - merges many sorted runs of keys with values, stably: a block per tile of the output merges the
// tile's parts of all runs in rounds, so that the data is read and written once.
#ifndef SK_CUDA_MERGE_MANY_PAIRS_CUH
#define SK_CUDA_MERGE_MANY_PAIRS_CUH

#include "sort/many/tile_sources.cuh"
#include "sort/survey/key_order.cuh"

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
    wait_for_launches();
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
