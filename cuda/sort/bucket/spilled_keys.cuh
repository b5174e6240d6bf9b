// spilled_keys.cuh - gathers the buckets that their slack regions had no room for, so that they can be sorted in the
// output.
#ifndef SK_CUDA_SPILLED_KEYS_CUH
#define SK_CUDA_SPILLED_KEYS_CUH

#include "sort/bucket/scatter.cuh"

constexpr int GATHER_THREADS = 512;

// Keys of any buckets. A bucket's cursor has counted its region's keys and its spilled ones.
template <class K> struct spilled_keys {
    const K *key;
    const unsigned *count;
    unsigned *cursor;
};

// A thread per bucket. Buckets that the regions have no room for move to the output: the keys of the region, and the
// spilled ones behind them, the last first, so that the cursor goes back. Those with up to `most` keys are listed.
// shift: from a projection to its bucket.
template <class Projection, class K>
__global__ void __launch_bounds__(GATHER_THREADS)
    gather_spilled(bucket_regions<K> regions, const unsigned *start, spilled_keys<K> spilled, const cdf_map<K> *map,
                   unsigned shift, unsigned most, K *out, unsigned *listed, unsigned *list)
{
    __shared__ unsigned found, bucket_of[GATHER_THREADS];
    if (threadIdx.x == 0)
        found = 0;
    wait_for_launches();
    __syncthreads();
    unsigned thread = blockIdx.x * GATHER_THREADS + threadIdx.x;
    unsigned size = thread < regions.split ? start[thread + 1] - start[thread] : 0;
    if (size > regions.room) {
        bucket_of[atomicAdd(&found, 1)] = thread;
        if (size <= most)
            list[atomicAdd(listed, 1)] = thread;
    }
    __syncthreads();
    for (unsigned i = 0; i < found; i++) {
        unsigned bucket = bucket_of[i];
        const K *from = regions.first + regions.begin_of(bucket);
        for (unsigned at = threadIdx.x; at < regions.room; at += GATHER_THREADS)
            out[start[bucket] + at] = from[at];
    }
    const Projection project(map);
    for (unsigned i = thread; i < *spilled.count; i += gridDim.x * GATHER_THREADS) {
        K key = spilled.key[i];
        unsigned bucket = unsigned(project(key) >> shift);
        out[start[bucket] + atomicSub(&spilled.cursor[bucket], 1) - 1] = key;
    }
}

#endif
