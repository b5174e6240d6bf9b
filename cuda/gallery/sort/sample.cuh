// sample.cuh - sample sort: splitters from a sorted sample of each segment part its keys into buckets of about the same
// size, whatever the distribution (Leischner, Osipov and Sanders, GPU Sample Sort, 2010). Keys that equal a splitter
// have a bucket of their own, which needs no sort.
#ifndef SK_CUDA_GALLERY_SAMPLE_CUH
#define SK_CUDA_GALLERY_SAMPLE_CUH

#include "gallery/sort/bucket_rounds.cuh"

constexpr int SAMPLE_SPLITTERS = BUCKETS / 2 - 1, SAMPLE_KEYS = 8 * (SAMPLE_SPLITTERS + 1);

// A segment's splitters, as a binary tree: the children of node i are 2 i and 2 i + 1, so that a search has no branch.
// Bucket 2 i holds keys below splitter i; bucket 2 i + 1 those that equal it.
template <class K> struct splitter_tree {
    const K *splitters; // SAMPLE_SPLITTERS of each segment, ascending
    struct shared_memory {
        K ascending[SAMPLE_SPLITTERS + 1], node[SAMPLE_SPLITTERS + 1];
    };

    // Node i of level l is splitter (i - 2^l) * 2^(7 - l) + 2^(6 - l) - 1.
    __device__ void enter(shared_memory &shared, unsigned segment) const
    {
        int i = threadIdx.x;
        if (i < SAMPLE_SPLITTERS)
            shared.ascending[i] = splitters[size_t(segment) * SAMPLE_SPLITTERS + i];
        if (i == SAMPLE_SPLITTERS)
            shared.ascending[i] = ABSENT<K>;
        if (i > 0 && i <= SAMPLE_SPLITTERS) {
            int level = 31 - __clz(i), width = (SAMPLE_SPLITTERS + 1) >> level;
            shared.node[i] = splitters[size_t(segment) * SAMPLE_SPLITTERS + (i - (1 << level)) * width + width / 2 - 1];
        }
    }
    __device__ unsigned bucket(const shared_memory &shared, K key) const
    {
        unsigned i = 1;
        while (i <= SAMPLE_SPLITTERS)
            i = 2 * i + (shared.node[i] < key);
        i -= SAMPLE_SPLITTERS + 1;
        return 2 * i + (i < SAMPLE_SPLITTERS && shared.ascending[i] == key);
    }
    __device__ bool is_final(unsigned bucket) const
    {
        return bucket % 2 == 1;
    }
};

// A block per segment draws a sample, sorts it, and takes every eighth key.
template <class K>
__global__ void __launch_bounds__(ROUND_THREADS) draw_splitters(const K *keys, const segment *segments, K *splitters)
{
    __shared__ K sample[SAMPLE_KEYS];
    segment own = segments[blockIdx.x];
    for (int i = threadIdx.x; i < SAMPLE_KEYS; i += ROUND_THREADS) {
        // A hash of the number, as a place (Steele, Lea and Flood 2014).
        unsigned long long z = (own.begin + i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        sample[i] = keys[own.begin + (z ^ z >> 31) % (own.end - own.begin)];
    }
    sort_shared(sample, SAMPLE_KEYS);
    if (threadIdx.x < SAMPLE_SPLITTERS)
        splitters[size_t(blockIdx.x) * SAMPLE_SPLITTERS + threadIdx.x] = sample[8 * (threadIdx.x + 1)];
}

template <class K> scankit_error sample_sort(cuda_device *gpu, const sort_call<K, no_value> &call)
{
    workspace scratch(gpu);
    bucket_rounds<K> rounds = {gpu, call};
    K *splitters;
    if (!rounds.take(scratch) || !scratch.take(&splitters, (call.n / ON_CHIP<K> + 1) * SAMPLE_SPLITTERS))
        return SCANKIT_E_MEMORY;
    auto begin = [&](const K *keys, const segment *segments, unsigned count, unsigned,
                     splitter_tree<K> *tree) -> scankit_error {
        draw_splitters<<<count, ROUND_THREADS, 0, gpu->stream>>>(keys, segments, splitters);
        CHECK_LAUNCH();
        *tree = {splitters};
        return SCANKIT_OK;
    };
    return rounds.template sort<splitter_tree<K>>(begin);
}

#endif
