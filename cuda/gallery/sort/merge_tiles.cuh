// merge_tiles.cuh - the merge of two sorted runs in equal parts: a diagonal of the merge path gives each block, and
// then each thread, where its outputs begin in both runs (Green, McColl and Bader, GPU Merge Path, 2012).
#ifndef SK_CUDA_GALLERY_MERGE_TILES_CUH
#define SK_CUDA_GALLERY_MERGE_TILES_CUH

#include "gallery/sort/runs.cuh"
#include "sort/merge/merge_path.cuh"

constexpr int PATH_THREADS = 256, PATH_ITEMS = 8, PATH_TILE = PATH_THREADS * PATH_ITEMS;

// A thread's outputs of a merge in shared memory, from diagonal t * PATH_ITEMS on: the keys, and their places before.
template <class K> struct thread_merge {
    K key[PATH_ITEMS];
    int from[PATH_ITEMS];

    // The runs are [a, a_end) and [b, b_end). diagonal: of the thread. Of equal keys, the first run's come first.
    __device__ void merge(const K *keys, int a, int a_end, int b, int b_end, int diagonal)
    {
        int na = a_end - a, nb = b_end - b;
        diagonal = diagonal < na + nb ? diagonal : na + nb;
        int of_a = merge_path(diagonal, na, nb, [&](int i, int j) { return keys[b + j] < keys[a + i]; });
        a += of_a;
        b += diagonal - of_a;
#pragma unroll
        for (int i = 0; i < PATH_ITEMS; i++) {
            bool first = b >= b_end || (a < a_end && !(keys[b] < keys[a]));
            from[i] = first ? a++ : b++;
            key[i] = from[i] < b_end ? keys[from[i]] : ABSENT<K>;
        }
    }
};

// Elements of a tile in shared memory: keys, and where each stood before.
template <class K> struct path_tile {
    K key[PATH_TILE];
    int from[PATH_TILE];

    __device__ void put(const thread_merge<K> &own)
    {
        for (int i = 0; i < PATH_ITEMS; i++) {
            key[threadIdx.x * PATH_ITEMS + i] = own.key[i];
            from[threadIdx.x * PATH_ITEMS + i] = own.from[i];
        }
    }
};

// A block per tile of a pair's outputs.
template <class K, class V>
__global__ void __launch_bounds__(PATH_THREADS)
    merge_tiles(key_columns<const K, const V> in, key_columns<K, V> out, size_t n, size_t run, unsigned tiles_per_pair)
{
    __shared__ path_tile<K> tile;
    __shared__ size_t ends[2]; // of the tile on the path: elements of the first run
    run_pair pair = pair_at(blockIdx.x / tiles_per_pair, run, n);
    size_t na = pair.middle - pair.begin, nb = pair.end - pair.middle;
    size_t diagonal = blockIdx.x % tiles_per_pair * size_t(PATH_TILE);
    if (diagonal >= na + nb)
        return;
    int valid = na + nb - diagonal < PATH_TILE ? int(na + nb - diagonal) : PATH_TILE;
    const K *a = in.keys + pair.begin, *b = in.keys + pair.middle;

    // Where the tile begins and ends in both runs; its parts, one after the other in shared memory
    if (threadIdx.x < 2)
        ends[threadIdx.x] =
            merge_path(diagonal + threadIdx.x * valid, na, nb, [&](size_t i, size_t j) { return b[j] < a[i]; });
    __syncthreads();
    size_t from_a = pair.begin + ends[0], from_b = pair.middle + diagonal - ends[0];
    int of_a = int(ends[1] - ends[0]);
    for (int i = threadIdx.x; i < valid; i += PATH_THREADS)
        tile.key[i] = in.keys[i < of_a ? from_a + i : from_b + (i - of_a)];
    __syncthreads();

    // Each thread merges its outputs
    thread_merge<K> own;
    own.merge(tile.key, 0, of_a, of_a, valid, threadIdx.x * PATH_ITEMS);
    __syncthreads();
    tile.put(own);
    __syncthreads();
    for (int i = threadIdx.x; i < valid; i += PATH_THREADS) {
        size_t at = pair.begin + diagonal + i;
        int from = tile.from[i];
        out.keys[at] = tile.key[i];
        if constexpr (HAS_VALUE<V>)
            out.values[at] = in.values[from < of_a ? from_a + from : from_b + (from - of_a)];
    }
}

template <class K, class V>
scankit_error merge_by_path(cuda_device *gpu, key_columns<const K, const V> from, key_columns<K, V> to, size_t n,
                            size_t run)
{
    unsigned tiles = chunks_of(2 * run, PATH_TILE), blocks = unsigned(pairs_of(n, run) * tiles);
    merge_tiles<<<blocks, PATH_THREADS, 0, gpu->stream>>>(from, to, n, run, tiles);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

#endif
