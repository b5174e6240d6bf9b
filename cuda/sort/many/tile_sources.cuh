// tile_sources.cuh - what a tile of a merge of many runs is made of.
#ifndef SK_CUDA_TILE_SOURCES_CUH
#define SK_CUDA_TILE_SOURCES_CUH

#include "sort/many/split_many.cuh"

// A tile's parts of the runs, and where its output begins.
template <class K, class V> struct tile_sources {
    tile_runs tile;
    const K *keys[MANY_RUNS]; // of the element at place 0, if the part began there
    const V *values[MANY_RUNS];
    size_t out;
};

// The sum over the lanes of a warp, for each of them.
__device__ __forceinline__ size_t sum_of_lanes(size_t number)
{
    for (int x = 1; x < WARP; x *= 2)
        number += __shfl_xor_sync(FULL_WARP, number, x);
    return number;
}

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
    size_t out = sum_of_lanes(from);
    if (r == 0)
        sources.out = out;
    if (r < pass.runs) {
        ptrdiff_t first = ptrdiff_t(from) - sources.tile.begin[r];
        sources.keys[r] = pass.in.keys[r] + first;
        if constexpr (HAS_VALUE<V>)
            sources.values[r] = pass.in.values[r] + first;
    }
}

#endif
