// merge_places.cuh - stable merges of sorted runs, with values or by a part of the key. The merge path cuts the output
// into tiles and a tile into what each thread puts out; the thread then takes that many elements of either run from
// where its part begins, keeps the lesser half by the first step of a bitonic merge, and sorts that half by the others,
// in registers (Batcher 1968). Places are merged with the keys.
#ifndef SK_CUDA_GRID_MERGE_PLACES_CUH
#define SK_CUDA_GRID_MERGE_PLACES_CUH

#include "sort/merge/merge_path.cuh"
#include "common/thread.cuh"
#include "device/tuning.cuh"

constexpr int MERGE_PLACE_TILE = MERGE_THREADS * MERGE_PLACE_ITEMS;

// Neighbouring runs of one array, two and two; or, with run = 0, one pair: array a and array b.
template <class K, class V> struct merge_pass {
    const K *keys_a, *keys_b;
    const V *values_a, *values_b;
    K *keys_out;
    V *values_out;
    size_t na, nb;         // elements of each array; of runs, na is all of them
    size_t run;            // length of the runs; the last may be shorter, or without a partner
    size_t tiles_per_pair; // tiles of MERGE_PLACE_TILE outputs
    unsigned bit;          // keys compare by (key >> bit) & mask
    K mask;
    size_t *split; // for each tile, how much of its pair's a stands before it
};

// What a tile merges: places in the arrays.
struct merge_pair {
    size_t a, na, b, nb; // where the runs begin, and their lengths
    size_t out;          // where their merge begins
    size_t diagonal;     // outputs of the pair before the tile
};

template <class K, class V> __device__ __forceinline__ merge_pair pair_of(const merge_pass<K, V> &pass, size_t tile)
{
    if (pass.run == 0)
        return {0, pass.na, 0, pass.nb, 0, tile * MERGE_PLACE_TILE};
    size_t begin = tile / pass.tiles_per_pair * 2 * pass.run, rest = pass.na - begin;
    size_t na = rest < pass.run ? rest : pass.run;
    size_t nb = rest - na < pass.run ? rest - na : pass.run;
    return {begin, na, begin + na, nb, begin, tile % pass.tiles_per_pair * MERGE_PLACE_TILE};
}

template <class K, class V>
__global__ void __launch_bounds__(MAP_THREADS) split_merges(merge_pass<K, V> pass, size_t tiles)
{
    size_t tile = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x;
    if (tile >= tiles)
        return;
    merge_pair pair = pair_of(pass, tile);
    if (pair.diagonal >= pair.na + pair.nb)
        return;
    const K *a = pass.keys_a + pair.a, *b = pass.keys_b + pair.b;
    pass.split[tile] = merge_path(pair.diagonal, pair.na, pair.nb, [&](size_t i, size_t j) {
        return ((b[j] >> pass.bit) & pass.mask) < ((a[i] >> pass.bit) & pass.mask);
    });
}

// A key with its place, for merges that must be stable: no two are equal, and of equal keys a's comes first.
template <class K> struct placed {
    K key;
    unsigned place;
    __device__ __forceinline__ bool operator<(const placed &other) const
    {
        return key < other.key || (key == other.key && place < other.place);
    }
};

// With keys of up to 4 bytes both fit one integer.
template <class K, bool WIDE = (sizeof(K) > 4)> struct placing;
template <class K> struct placing<K, false> {
    using element = unsigned long long;
    static __device__ __forceinline__ element make(K key, unsigned place)
    {
        return element(key) << 32 | place;
    }
    static __device__ __forceinline__ unsigned place(element e)
    {
        return unsigned(e);
    }
};
template <class K> struct placing<K, true> {
    using element = placed<K>;
    static __device__ __forceinline__ element make(K key, unsigned place)
    {
        return {key, place};
    }
    static __device__ __forceinline__ unsigned place(element e)
    {
        return e.place;
    }
};

// Takes ITEMS elements from a and as many from b, last first, and keeps the lesser of each pair: the ITEMS least of
// both, a bitonic sequence. at_a(i), at_b(i): the i-th element from where the thread's part begins.
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

// A thread's outputs lie side by side in shared memory; one word more each ITEMS keeps the threads out of each other's
// banks.
template <int ITEMS> __device__ __forceinline__ int padded(int place)
{
    return place + place / ITEMS;
}

template <class K, class V> __global__ void __launch_bounds__(MERGE_THREADS) merge_tiles(merge_pass<K, V> pass)
{
    using with = placing<K>;
    constexpr int ITEMS = MERGE_PLACE_ITEMS, TILE = MERGE_PLACE_TILE;
    constexpr K LAST = K(~K(0));
    __shared__ K key[TILE];
    __shared__ uint16_t place[TILE + MERGE_THREADS];

    // Load: the tile's part of a, then its part of b.
    merge_pair pair = pair_of(pass, blockIdx.x);
    size_t total = pair.na + pair.nb;
    if (pair.diagonal >= total)
        return;
    bool is_last = total - pair.diagonal <= TILE;
    int valid = is_last ? int(total - pair.diagonal) : TILE;
    size_t a_begin = pass.split[blockIdx.x], a_end = is_last ? pair.na : pass.split[blockIdx.x + 1];
    int na = int(a_end - a_begin), nb = valid - na;
    size_t a = pair.a + a_begin, b = pair.b + (pair.diagonal - a_begin);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * MERGE_THREADS + threadIdx.x;
        if (at < valid)
            key[at] = at < na ? pass.keys_a[a + at] : pass.keys_b[b + (at - na)];
    }
    __syncthreads();

    // Merge: each thread its ITEMS outputs. Places are merged with the keys.
    auto part = [&](K whole) { return K((whole >> pass.bit) & pass.mask); };
    auto at_place = [&](int at, int end) {
        return at < end ? with::make(part(key[at]), at) : with::make(LAST, 0xffffu);
    };
    int diagonal = threadIdx.x * ITEMS < valid ? threadIdx.x * ITEMS : valid;
    int from_a = merge_path(diagonal, na, nb, [&](int i, int j) { return part(key[na + j]) < part(key[i]); });
    int from_b = na + diagonal - from_a;
    typename with::element element[ITEMS];
    merge_in_registers(
        element, [&](int i) { return at_place(from_a + i, na); }, [&](int i) { return at_place(from_b + i, valid); });
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        place[padded<ITEMS>(threadIdx.x * ITEMS + i)] = uint16_t(with::place(element[i]));
    __syncthreads();

    // Store: whole keys and values follow their places.
    size_t out = pair.out + pair.diagonal;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * MERGE_THREADS + threadIdx.x;
        if (at < valid) {
            int from = place[padded<ITEMS>(at)];
            pass.keys_out[out + at] = key[from];
            if constexpr (HAS_VALUE<V>)
                pass.values_out[out + at] = from < na ? pass.values_a[a + from] : pass.values_b[b + (from - na)];
        }
    }
}

#endif
