// digit_sort.cuh - radix sort by digits of 4 bits, in three kernels a digit (Satish, Harris and Garland, Designing
// Efficient Sorting Algorithms for Manycore GPUs, 2009): blocks sort their tiles by the digit, on chip, and count its
// values; a scan of all counts says where each tile's share of each digit begins; the tiles are scattered. A tile that
// is sorted before it is scattered writes longer pieces: neighbours go to neighbours.
#ifndef SK_CUDA_GALLERY_DIGIT_SORT_CUH
#define SK_CUDA_GALLERY_DIGIT_SORT_CUH

#include "common/block_sum.cuh"
#include "gallery/grid/three_kernel.cuh"
#include "gallery/sort/sort_call.cuh"

constexpr int NIBBLE_BITS = 4, NIBBLES = 1 << NIBBLE_BITS;
constexpr int NIBBLE_THREADS = 256, NIBBLE_ITEMS = 8, NIBBLE_TILE = NIBBLE_THREADS * NIBBLE_ITEMS;

template <class K> __device__ __forceinline__ unsigned nibble_of(K key, unsigned bit)
{
    return unsigned(key >> bit) % NIBBLES;
}

// A tile in shared memory; each thread has NIBBLE_ITEMS elements one after the other.
template <class K, class V> struct nibble_tile {
    K key[NIBBLE_TILE];
    V value[HAS_VALUE<V> ? NIBBLE_TILE : 1];
    block_sum<sk_u32, NIBBLE_THREADS> sums;
    unsigned begin[NIBBLES]; // of each digit in the sorted tile

    // The stable split by one bit.
    __device__ void split(unsigned bit)
    {
        K own[NIBBLE_ITEMS];
        V own_value[NIBBLE_ITEMS];
        unsigned first = threadIdx.x * NIBBLE_ITEMS, count = 0;
        for (int i = 0; i < NIBBLE_ITEMS; i++) {
            own[i] = key[first + i];
            if constexpr (HAS_VALUE<V>)
                own_value[i] = value[first + i];
            count += !(own[i] >> bit & 1);
        }
        unsigned before = sums.exclusive(count), zeros = sums.total();
        for (int i = 0; i < NIBBLE_ITEMS; i++) {
            bool one = own[i] >> bit & 1;
            unsigned to = one ? zeros + first + i - before : before;
            before += !one;
            key[to] = own[i];
            if constexpr (HAS_VALUE<V>)
                value[to] = own_value[i];
        }
        __syncthreads();
    }

    // Of the sorted tile: where each digit begins. Absent digits begin where the next one does.
    __device__ void find_digits(unsigned bit, int valid)
    {
        for (int i = threadIdx.x; i <= valid; i += NIBBLE_THREADS) {
            int digit = i < valid ? int(nibble_of(key[i], bit)) : NIBBLES - 1;
            for (int d = digit; d >= 0 && (i == 0 || d > int(nibble_of(key[i - 1], bit))); d--)
                begin[d] = i;
        }
        __syncthreads();
    }
};

// Sorts each tile by the digit, and counts: counts[digit * tiles + tile].
template <class K, class V>
__global__ void __launch_bounds__(NIBBLE_THREADS)
    sort_nibbles(key_columns<const K, const V> in, key_columns<K, V> out, size_t n, unsigned bit, sk_u64 *counts)
{
    __shared__ nibble_tile<K, V> tile;
    size_t begin = size_t(blockIdx.x) * NIBBLE_TILE;
    int valid = n - begin < NIBBLE_TILE ? int(n - begin) : NIBBLE_TILE;
    for (int i = threadIdx.x; i < NIBBLE_TILE; i += NIBBLE_THREADS) {
        tile.key[i] = i < valid ? in.keys[begin + i] : ABSENT<K>;
        if constexpr (HAS_VALUE<V>)
            if (i < valid)
                tile.value[i] = in.values[begin + i];
    }
    __syncthreads();
    for (int b = 0; b < NIBBLE_BITS; b++)
        tile.split(bit + b);
    tile.find_digits(bit, valid);
    for (int i = threadIdx.x; i < valid; i += NIBBLE_THREADS)
        move_element<K, V>({tile.key, tile.value}, i, {out.keys, out.values}, begin + i);
    if (threadIdx.x < NIBBLES) {
        unsigned end = threadIdx.x + 1 < NIBBLES ? tile.begin[threadIdx.x + 1] : valid;
        counts[size_t(threadIdx.x) * gridDim.x + blockIdx.x] = end - tile.begin[threadIdx.x];
    }
}

// places: the scan of the counts.
template <class K, class V>
__global__ void __launch_bounds__(NIBBLE_THREADS)
    scatter_nibbles(key_columns<const K, const V> in, key_columns<K, V> out, size_t n, unsigned bit,
                    const sk_u64 *places)
{
    __shared__ nibble_tile<K, no_value> tile;
    size_t begin = size_t(blockIdx.x) * NIBBLE_TILE;
    int valid = n - begin < NIBBLE_TILE ? int(n - begin) : NIBBLE_TILE;
    for (int i = threadIdx.x; i < valid; i += NIBBLE_THREADS)
        tile.key[i] = in.keys[begin + i];
    __syncthreads();
    tile.find_digits(bit, valid);
    for (int i = threadIdx.x; i < valid; i += NIBBLE_THREADS) {
        unsigned digit = nibble_of(tile.key[i], bit);
        size_t to = places[size_t(digit) * gridDim.x + blockIdx.x] + (i - tile.begin[digit]);
        move_element(in, begin + i, out, to);
    }
}

template <class K, class V> scankit_error digit_sort(cuda_device *gpu, const sort_call<K, V> &call)
{
    workspace scratch(gpu);
    key_columns<K, V> spare;
    sk_u64 *counts;
    size_t n = call.n;
    unsigned tiles = chunks_of(n, NIBBLE_TILE);
    if (!take_columns(scratch, n, &spare) || !scratch.take(&counts, size_t(tiles) * NIBBLES))
        return SCANKIT_E_MEMORY;
    key_columns<const K, const V> from = call.in;
    for (unsigned bit = 0; bit < 8 * sizeof(K); bit += NIBBLE_BITS) {
        sort_nibbles<<<tiles, NIBBLE_THREADS, 0, gpu->stream>>>(from, spare, n, bit, counts);
        CHECK_LAUNCH();
        TRY(three_kernel<op_sum<sk_u64>>(gpu, {counts, counts, size_t(tiles) * NIBBLES, false, 0}));
        scatter_nibbles<<<tiles, NIBBLE_THREADS, 0, gpu->stream>>>(read_only(spare), call.out, n, bit, counts);
        CHECK_LAUNCH();
        from = read_only(call.out);
    }
    return SCANKIT_OK;
}

#endif
