// merge_path.cuh - merge sort in which every thread of every pass has the same number of outputs, whatever the keys
// (Green, McColl and Bader, GPU Merge Path, 2012). The same merge sorts the chunks on chip.
#ifndef SK_CUDA_GALLERY_MERGE_PATH_CUH
#define SK_CUDA_GALLERY_MERGE_PATH_CUH

#include "gallery/sort/merge_tiles.cuh"

// Sorts a thread's keys by odd-even transposition, which is stable: only neighbours change places.
template <class K> __device__ __forceinline__ void transpose_sort(thread_merge<K> &own)
{
#pragma unroll
    for (int step = 0; step < PATH_ITEMS; step++)
#pragma unroll
        for (int i = step % 2; i + 1 < PATH_ITEMS; i += 2)
            if (own.key[i + 1] < own.key[i]) {
                K key = own.key[i];
                int from = own.from[i];
                own.key[i] = own.key[i + 1];
                own.from[i] = own.from[i + 1];
                own.key[i + 1] = key;
                own.from[i + 1] = from;
            }
}

// Merges the runs of all threads: after each round they are twice as long. The places of the thread's outputs in
// `places` come along.
template <class K> __device__ __forceinline__ void merge_threads(path_tile<K> &tile, thread_merge<K> &own)
{
    for (int run = PATH_ITEMS; run < PATH_TILE; run *= 2) {
        int before[PATH_ITEMS];
        tile.put(own);
        __syncthreads();
        int at = threadIdx.x * PATH_ITEMS, begin = at / (2 * run) * (2 * run), middle = begin + run;
        own.merge(tile.key, begin, middle, middle, middle + run, at - begin);
#pragma unroll
        for (int i = 0; i < PATH_ITEMS; i++)
            before[i] = tile.from[own.from[i]];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PATH_ITEMS; i++)
            own.from[i] = before[i];
    }
}

// Each block sorts its chunk. Values follow at the end, by the places that their keys had. in may be out.
template <class K, class V>
__global__ void __launch_bounds__(PATH_THREADS)
    sort_path_chunks(key_columns<const K, const V> in, key_columns<K, V> out, size_t n)
{
    __shared__ path_tile<K> tile;
    size_t begin = size_t(blockIdx.x) * PATH_TILE;
    int valid = n - begin < PATH_TILE ? int(n - begin) : PATH_TILE;
    thread_merge<K> own;
    for (int i = 0; i < PATH_ITEMS; i++) {
        own.from[i] = threadIdx.x * PATH_ITEMS + i;
        own.key[i] = own.from[i] < valid ? in.keys[begin + own.from[i]] : ABSENT<K>;
    }
    transpose_sort(own);
    merge_threads(tile, own);
    V value[PATH_ITEMS];
    if constexpr (HAS_VALUE<V>)
        for (int i = 0; i < PATH_ITEMS; i++)
            if (own.from[i] < valid)
                value[i] = in.values[begin + own.from[i]];
    __syncthreads();
    for (int i = 0; i < PATH_ITEMS; i++) {
        int at = threadIdx.x * PATH_ITEMS + i;
        if (at >= valid)
            continue;
        out.keys[begin + at] = own.key[i];
        if constexpr (HAS_VALUE<V>)
            out.values[begin + at] = value[i];
    }
}

template <class K, class V> scankit_error merge_path_sort(cuda_device *gpu, const sort_call<K, V> &call)
{
    auto chunks = [&](key_columns<K, V> to) -> scankit_error {
        sort_path_chunks<<<chunks_of(call.n, PATH_TILE), PATH_THREADS, 0, gpu->stream>>>(call.in, to, call.n);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    };
    return sort_by_runs(gpu, call, PATH_TILE, chunks,
                        [&](auto from, auto to, size_t run) { return merge_by_path(gpu, from, to, call.n, run); });
}

#endif
