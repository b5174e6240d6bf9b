// odd_even_merge.cuh - Batcher's odd-even merge sort: to merge two sorted runs, the elements at even places of both and
// those at odd places are merged in the same way, and then neighbours are compared (Batcher, Sorting Networks and Their
// Applications, 1968). It needs fewer comparators than the bitonic sort, but some elements stand idle at each step.
#ifndef SK_CUDA_GALLERY_ODD_EVEN_MERGE_CUH
#define SK_CUDA_GALLERY_ODD_EVEN_MERGE_CUH

#include "gallery/sort/network.cuh"

// The step of a merge of runs of `run` keys that compares places `distance` apart. After the first step, the first and
// the last `distance` places of the two runs have no partner: theirs would be in another pair of runs.
struct odd_even_step {
    size_t run, distance;
    __device__ void operator()(size_t c, size_t *low, size_t *high) const
    {
        size_t shift = distance < run ? distance : 0;
        *low = c / distance * 2 * distance + c % distance + shift;
        *high = *low + distance;
        if (*low / (2 * run) != *high / (2 * run))
            *high = ~size_t(0);
    }
};

template <class K> __global__ void __launch_bounds__(CHUNK_THREADS) odd_even_sort_chunks(const K *in, K *out, size_t n)
{
    __shared__ K key[CHUNK<K>];
    chunk_of_keys<K> chunk = {key};
    chunk.load(in, n);
    for (size_t run = 1; run < CHUNK<K>; run *= 2)
        for (size_t distance = run; distance > 0; distance /= 2)
            chunk.compare(odd_even_step{run, distance});
    chunk.store(out, n);
}

// Pairs of a step cross the edges of chunks, so the larger merges run in global memory.
template <class K> scankit_error odd_even_merge_sort(cuda_device *gpu, const sort_call<K, no_value> &call)
{
    size_t n = call.n;
    odd_even_sort_chunks<<<chunks_of(n, CHUNK<K>), CHUNK_THREADS, 0, gpu->stream>>>(call.in.keys, call.out.keys, n);
    CHECK_LAUNCH();
    for (size_t run = CHUNK<K>; run < n; run *= 2) {
        size_t comparators = ((n - 1) / (2 * run) + 1) * run;
        for (size_t distance = run; distance > 0; distance /= 2)
            TRY(compare_all(gpu, call.out.keys, n, comparators, odd_even_step{run, distance}));
    }
    return SCANKIT_OK;
}

#endif
