// merge_pairs.cuh - merges two sorted arrays of keys with values, stably: a block per tile of the output. The tile's
// parts of the keys come to shared memory. Each thread finds by merge path where its outputs begin, merges them one by
// one, and leaves their places. By these, keys and values move in rows of a warp.
#ifndef SK_CUDA_MERGE_PAIRS_CUH
#define SK_CUDA_MERGE_PAIRS_CUH

#include "common/thread.cuh"
#include "sort/merge/merge_keys.cuh"

// With V = no_value: keys alone.
template <class K, class V, class Order> struct pair_merge {
    key_merge<K, Order> keys; // run is 0
    const V *values[2];
    V *values_out;
};

template <class K, class V> constexpr int PAIR_ITEMS = MERGE_PAIR_ITEMS<sizeof(K), VALUE_SIZE<V>>;
template <class K, class V> constexpr int PAIR_TILE = MERGE_THREADS *PAIR_ITEMS<K, V>;

template <class K, class V> struct pair_memory {
    alignas(16) K part[PAIR_TILE<K, V> + 4 * (16 / sizeof(K))];
    uint16_t place[PAIR_TILE<K, V>];
    tile_parts<2> parts;
    size_t ends[2];
};

// The next key of either part, and its place.
template <class K> struct merge_heads {
    const K *part;
    int a, b;
    K key_a, key_b;

    __device__ __forceinline__ merge_heads(const K *part, int a, int b)
        : part(part), a(a), b(b), key_a(part[a]), key_b(part[b])
    {
    }
    // Takes one of them. The key after the end of a part is read, but never taken.
    __device__ __forceinline__ uint16_t take(bool takes_b)
    {
        int from = takes_b ? b : a;
        K next = part[from + 1];
        a += !takes_b;
        b += takes_b;
        key_a = takes_b ? key_a : next;
        key_b = takes_b ? next : key_b;
        return uint16_t(from);
    }
};

// Merges the thread's outputs of the tile: place[i] = where output i of the tile is in the parts.
template <int ITEMS, class K>
__device__ __forceinline__ void merge_one_by_one(const K *part, const tile_parts<2> &parts, uint16_t *place)
{
    int na = parts.n[0], nb = parts.n[1], diagonal = int(threadIdx.x) * ITEMS;
    if (diagonal >= na + nb)
        return;
    const K *a = part + parts.begin[0], *b = part + parts.begin[1];
    int from_a = merge_path(diagonal, na, nb, [&](int i, int j) { return b[j] < a[i]; });
    merge_heads<K> head(part, parts.begin[0] + from_a, parts.begin[1] + diagonal - from_a);
    int end_a = parts.begin[0] + na, end_b = parts.begin[1] + nb;
    place += diagonal;
    if (head.a + ITEMS <= end_a && head.b + ITEMS <= end_b) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            place[i] = head.take(head.key_b < head.key_a);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            place[i] = head.take(head.a >= end_a || (head.b < end_b && head.key_b < head.key_a));
    }
}

// Where the values of a tile's places are.
template <class V> struct tile_values {
    const V *a, *b; // of place 0, if the part began there
    int begin_b;    // places from here on are b's

    __device__ __forceinline__ V operator[](int place) const
    {
        return __ldg((place < begin_b ? a : b) + place);
    }
};

template <class K, class V, class Order>
__device__ __forceinline__ tile_values<V> values_of(const pair_merge<K, V, Order> &pairs, const merge_tile &tile,
                                                    const tile_parts<2> &parts, const size_t *ends)
{
    const key_merge<K, Order> &pass = pairs.keys;
    run_range a = range_of<2>(pass, tile, 0, pass.n[0], ends), b = range_of<2>(pass, tile, 1, pass.n[1], ends);
    return {pairs.values[0] + (ptrdiff_t(a.begin) - parts.begin[0]),
            pairs.values[1] + (ptrdiff_t(b.begin) - parts.begin[1]), parts.begin[1]};
}

// Calls move(i) for the thread's elements of a tile, i of which `valid` are there. A whole tile has no conditions, so
// that loads do not wait for each other.
template <int TILE, class Move> __device__ __forceinline__ void for_rows(int valid, Move move)
{
    if (valid == TILE) {
#pragma unroll
        for (int i = 0; i < TILE; i += MERGE_THREADS)
            move(i + int(threadIdx.x));
    } else {
        for (int i = int(threadIdx.x); i < valid; i += MERGE_THREADS)
            move(i);
    }
}

// A block per tile.
template <class K, class V, class Order>
__global__ void __launch_bounds__(MERGE_THREADS, MERGE_PAIR_BLOCKS<VALUE_SIZE<V>>)
    merge_pairs(pair_merge<K, V, Order> pairs)
{
    constexpr int TILE = PAIR_TILE<K, V>;
    __shared__ pair_memory<K, V> shared;
    wait_for_launches();
    const key_merge<K, Order> &pass = pairs.keys;
    size_t diagonal = size_t(blockIdx.x) * TILE, rest = pass.n[0] + pass.n[1] - diagonal;
    merge_tile tile = {0, diagonal, rest < TILE ? int(rest) : TILE, rest <= TILE};

    // Load
    if (pass.split == nullptr)
        find_ends(pass, tile, shared.ends);
    load_parts<2>(pass, tile, shared);

    // Merge
    [[maybe_unused]] tile_values<V> values = {};
    if constexpr (HAS_VALUE<V>)
        values = values_of(pairs, tile, shared.parts, shared.ends);
    merge_one_by_one<PAIR_ITEMS<K, V>>(shared.part, shared.parts, shared.place);
    __syncthreads();

    // Store
    for_rows<TILE>(tile.valid, [&](int at) {
        int place = shared.place[at];
        if constexpr (HAS_VALUE<V>)
            pairs.values_out[tile.diagonal + at] = values[place];
        pass.out[tile.diagonal + at] = pass.order.value(shared.part[place]);
    });
}

#endif
