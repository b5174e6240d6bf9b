// bitonic.cuh - Batcher's bitonic sort: sorted runs are merged two and two, all at once, by comparators whose places do
// not depend on the keys. The first step of a merge compares a run with the other one backwards, which leaves two
// bitonic halves; each further step halves them (Batcher 1968; Govindaraju, Gray, Kumar and Manocha, GPUTeraSort,
// 2006). Steps whose places are close run in shared memory.
#ifndef SK_CUDA_GALLERY_BITONIC_CUH
#define SK_CUDA_GALLERY_BITONIC_CUH

#include "gallery/sort/network.cuh"

// The first step of a merge of two runs of `run` keys: place i of the first with place i from the end of the second.
struct bitonic_flip {
    size_t run;
    __device__ void operator()(size_t c, size_t *low, size_t *high) const
    {
        size_t begin = c / run * 2 * run, i = c % run;
        *low = begin + i;
        *high = begin + 2 * run - 1 - i;
    }
};

// A further step: places that are `distance` apart.
struct bitonic_half {
    size_t distance;
    __device__ void operator()(size_t c, size_t *low, size_t *high) const
    {
        *low = c / distance * 2 * distance + c % distance;
        *high = *low + distance;
    }
};

// Each block sorts its chunk.
template <class K> __global__ void __launch_bounds__(CHUNK_THREADS) bitonic_sort_chunks(const K *in, K *out, size_t n)
{
    __shared__ K key[CHUNK<K>];
    chunk_of_keys<K> chunk = {key};
    chunk.load(in, n);
    for (size_t run = 1; run < CHUNK<K>; run *= 2) {
        chunk.compare(bitonic_flip{run});
        for (size_t distance = run / 2; distance > 0; distance /= 2)
            chunk.compare(bitonic_half{distance});
    }
    chunk.store(out, n);
}

// The last steps of a merge, within each chunk.
template <class K> __global__ void __launch_bounds__(CHUNK_THREADS) bitonic_merge_chunks(K *keys, size_t n)
{
    __shared__ K key[CHUNK<K>];
    chunk_of_keys<K> chunk = {key};
    chunk.load(keys, n);
    for (size_t distance = CHUNK<K> / 2; distance > 0; distance /= 2)
        chunk.compare(bitonic_half{distance});
    chunk.store(keys, n);
}

template <class K> scankit_error bitonic_sort(cuda_device *gpu, const sort_call<K, no_value> &call)
{
    size_t n = call.n;
    K *keys = call.out.keys;
    unsigned chunks = chunks_of(n, CHUNK<K>);
    bitonic_sort_chunks<<<chunks, CHUNK_THREADS, 0, gpu->stream>>>(call.in.keys, keys, n);
    CHECK_LAUNCH();
    for (size_t run = CHUNK<K>; run < n; run *= 2) {
        size_t comparators = ((n - 1) / (2 * run) + 1) * run;
        TRY(compare_all(gpu, keys, n, comparators, bitonic_flip{run}));
        for (size_t distance = run / 2; distance >= CHUNK<K>; distance /= 2)
            TRY(compare_all(gpu, keys, n, comparators, bitonic_half{distance}));
        bitonic_merge_chunks<<<chunks, CHUNK_THREADS, 0, gpu->stream>>>(keys, n);
        CHECK_LAUNCH();
    }
    return SCANKIT_OK;
}

#endif
