// merge_places.cuh - stable merges of the sorted runs of one array, with values or by a part of the key. The merge path
// cuts the output into tiles, and a tile into the outputs of each thread. The thread takes that many elements of either
// run from where its part begins, keeps the lesser half by the first step of a bitonic merge, and sorts that half by
// the other steps, in registers (Batcher 1968). Places are merged with the keys.
#ifndef SK_CUDA_MERGE_PLACES_CUH
#define SK_CUDA_MERGE_PLACES_CUH

#include "common/thread.cuh"
#include "device/tuning.cuh"
#include "sort/merge/merge_path.cuh"
#include "sort/network/placed_key.cuh"

constexpr int MERGE_PLACE_TILE = MERGE_THREADS * MERGE_PLACE_ITEMS;

// Neighbouring runs are merged two and two.
template <class K, class V> struct merge_pass {
    const K *keys;
    const V *values;
    K *keys_out;
    V *values_out;
    size_t n;
    size_t run;            // length of the runs; the last may be shorter, or without a partner
    size_t tiles_per_pair; // tiles of MERGE_PLACE_TILE outputs
    unsigned bit;          // keys compare by (key >> bit) & mask
    K mask;
    size_t *split; // per tile: elements of its pair's a before it
};

// The two runs of a tile, as places in the array.
struct run_pair {
    size_t a, na, b, nb; // begins and lengths of the runs; their merge begins at a
    size_t diagonal;     // outputs of the pair before the tile
};

template <class K, class V> __device__ __forceinline__ run_pair pair_of(const merge_pass<K, V> &pass, size_t tile)
{
    size_t begin = tile / pass.tiles_per_pair * 2 * pass.run, rest = pass.n - begin;
    size_t na = rest < pass.run ? rest : pass.run;
    size_t nb = rest - na < pass.run ? rest - na : pass.run;
    return {begin, na, begin + na, nb, tile % pass.tiles_per_pair * MERGE_PLACE_TILE};
}

template <class K, class V>
__global__ void __launch_bounds__(MAP_THREADS) split_merges(merge_pass<K, V> pass, size_t tiles)
{
    size_t tile = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x;
    if (tile >= tiles)
        return;
    run_pair pair = pair_of(pass, tile);
    if (pair.diagonal >= pair.na + pair.nb)
        return;
    const K *a = pass.keys + pair.a, *b = pass.keys + pair.b;
    pass.split[tile] = merge_path(pair.diagonal, pair.na, pair.nb, [&](size_t i, size_t j) {
        return ((b[j] >> pass.bit) & pass.mask) < ((a[i] >> pass.bit) & pass.mask);
    });
}

// Takes ITEMS elements from a, and ITEMS from b in reverse, and keeps the lesser of each pair: the ITEMS least of both,
// a bitonic sequence. at_a(i), at_b(i): element i of the thread's part.
template <int ITEMS, class E, class A, class B>
__device__ __forceinline__ void merge_in_registers(E (&element)[ITEMS], A at_a, B at_b)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        E a = at_a(i), b = at_b(ITEMS - 1 - i);
        element[i] = b < a ? b : a;
    }
    bitonic_merge(element);
}

// A thread's outputs lie side by side in shared memory. One word of padding every ITEMS avoids bank conflicts.
template <int ITEMS> __device__ __forceinline__ int padded(int place)
{
    return place + place / ITEMS;
}

// A tile's parts of its two runs.
struct merge_parts_of_tile {
    size_t a, b;       // where they begin in the array
    int na, nb, valid; // their lengths, and the sum
};

// False if the pair has no such tile.
template <class K, class V>
__device__ __forceinline__ bool find_parts(const merge_pass<K, V> &pass, const run_pair &pair,
                                           merge_parts_of_tile *parts)
{
    constexpr int TILE = MERGE_PLACE_TILE;
    size_t total = pair.na + pair.nb;
    if (pair.diagonal >= total)
        return false;
    bool is_last = total - pair.diagonal <= TILE;
    parts->valid = is_last ? int(total - pair.diagonal) : TILE;
    size_t a_begin = pass.split[blockIdx.x], a_end = is_last ? pair.na : pass.split[blockIdx.x + 1];
    parts->na = int(a_end - a_begin);
    parts->nb = parts->valid - parts->na;
    parts->a = pair.a + a_begin;
    parts->b = pair.b + (pair.diagonal - a_begin);
    return true;
}

// Merges the thread's ITEMS outputs of the tile, as places in the tile.
template <class K, class V>
__device__ __forceinline__ void merge_thread(const merge_pass<K, V> &pass, const merge_parts_of_tile &parts,
                                             const K *key, uint16_t *place)
{
    using with = placing<K>;
    constexpr int ITEMS = MERGE_PLACE_ITEMS;
    constexpr K LAST = K(~K(0));
    auto part = [&](K whole) { return K((whole >> pass.bit) & pass.mask); };
    auto at_place = [&](int at, int end) {
        return at < end ? with::make(part(key[at]), at) : with::make(LAST, 0xffffu);
    };
    int na = parts.na, valid = parts.valid;
    int diagonal = threadIdx.x * ITEMS < valid ? threadIdx.x * ITEMS : valid;
    int from_a = merge_path(diagonal, na, parts.nb, [&](int i, int j) { return part(key[na + j]) < part(key[i]); });
    int from_b = na + diagonal - from_a;
    typename with::element element[ITEMS];
    merge_in_registers(
        element, [&](int i) { return at_place(from_a + i, na); }, [&](int i) { return at_place(from_b + i, valid); });
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        place[padded<ITEMS>(threadIdx.x * ITEMS + i)] = uint16_t(with::place(element[i]));
}

// A block per tile.
template <class K, class V> __global__ void __launch_bounds__(MERGE_THREADS) merge_tiles(merge_pass<K, V> pass)
{
    constexpr int ITEMS = MERGE_PLACE_ITEMS, TILE = MERGE_PLACE_TILE;
    __shared__ K key[TILE];
    __shared__ uint16_t place[TILE + MERGE_THREADS];
    run_pair pair = pair_of(pass, blockIdx.x);
    merge_parts_of_tile parts;
    if (!find_parts(pass, pair, &parts))
        return;

        // Load: the tile's part of a, then its part of b.
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * MERGE_THREADS + threadIdx.x;
        if (at < parts.valid)
            key[at] = pass.keys[at < parts.na ? parts.a + at : parts.b + (at - parts.na)];
    }
    __syncthreads();

    // Merge.
    merge_thread(pass, parts, key, place);
    __syncthreads();

    // Store: whole keys and values follow their places.
    size_t out = pair.a + pair.diagonal;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * MERGE_THREADS + threadIdx.x;
        if (at < parts.valid) {
            int from = place[padded<ITEMS>(at)];
            pass.keys_out[out + at] = key[from];
            if constexpr (HAS_VALUE<V>)
                pass.values_out[out + at] = pass.values[from < parts.na ? parts.a + from : parts.b + (from - parts.na)];
        }
    }
}

#endif
