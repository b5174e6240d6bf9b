// bucket_sample.cuh - a sample of keys, counted by the buckets that they would be in. What it says of the buckets'
// sizes is added up while it is counted, so that nobody reads all counts again.
#ifndef SK_CUDA_BUCKET_SAMPLE_CUH
#define SK_CUDA_BUCKET_SAMPLE_CUH

#include "common/warp.cuh"
#include "device/tuning.cuh"
#include "sort/choose/choose.h"

// What the sample found in a bucket. Cleared before.
struct bucket_sample {
    unsigned long long seen; // keys; in the high half, keys that equal the one sampled before, by a hash
    unsigned last;           // name of the last key
};

// Sums over all buckets: repeated keys; keys in oversized buckets; keys in oversized buckets that no single value makes
// oversized; pairs of keys in one bucket, as long as none is overfull; overfull buckets; keys of 4 bytes that share a
// fine bin with the key that was sampled before in the bucket, but are not equal to it; copies of one of a warp's
// neighbours; keys of 4 bytes that would be in a fine bin of one of a warp's neighbours in a bucket; warps that looked
// at neighbours.
struct sample_sums {
    unsigned repeated, oversized, mixed, pairs, overfull, crowded, copies, together, looks;
};

// How many keys are sampled: a multiple of a warp.
SK_HOST_DEVICE constexpr unsigned samples_for(unsigned bits)
{
    return estimate_for(bits).each << bits;
}

// The first look samples few buckets by the keys' own leading bits, since that costs no launch.
SK_HOST_DEVICE constexpr bool samples_leading_bits(unsigned bits)
{
    return bits < MANY_BUCKET_BITS;
}

// What `added` keys, of which some are repeated, change in the sums.
__device__ __forceinline__ sample_sums sums_of(bucket_sample &to, unsigned added, unsigned repeated, unsigned bits)
{
    estimate_counts counts = estimate_for(bits);
    unsigned long long seen = atomicAdd(&to.seen, added | (unsigned long long)repeated << 32);
    unsigned before = unsigned(seen), now = before + added, again = unsigned(seen >> 32) + repeated;
    sample_sums own = {};
    own.repeated = repeated;
    own.oversized = now < counts.oversized ? 0 : before < counts.oversized ? now : added;
    own.mixed = again < now / 2 ? own.oversized : 0;
    own.pairs = now < counts.overfull ? added * before + added * (added - 1) / 2 : 0;
    own.overfull = before < counts.overfull && now >= counts.overfull;
    return own;
}

// A key of 4 bytes is its own name, so that it can be projected again. One of 8 bytes has a hash.
template <class K> __device__ __forceinline__ unsigned name_of(K key)
{
    return sizeof(K) <= 4 ? unsigned(key) : unsigned(uint64_t(key) * 0x9e3779b97f4a7c15u >> 32) | 1;
}

// True if two keys of 4 bytes, by their names, differ but share a fine bin.
template <class K, class Projection>
__device__ __forceinline__ bool share_bin(unsigned name, unsigned other, const Projection &project, unsigned bits)
{
    if (sizeof(K) > 4 || name == other)
        return false;
    unsigned rest = Projection::BITS - bits, shift = rest > BUCKET_FINE_BITS ? rest - BUCKET_FINE_BITS : 0;
    return (project(K(name)) ^ project(K(other))) >> shift == 0;
}

// For a whole warp. The lanes of a bucket tell it together: atomics of one address wait for one another, and skewed
// keys have few addresses.
template <class K, class Projection>
__device__ __forceinline__ sample_sums add_sample(bucket_sample *samples, K key, const Projection &project,
                                                  unsigned bits)
{
    unsigned bucket = unsigned(project(key) >> (Projection::BITS - bits));
    unsigned name = name_of(key), same = __match_any_sync(FULL_WARP, bucket), before = same & lanes_below();
    unsigned previous = warp_from(name, before != 0 ? 31 - __clz(before) : lane_id());
    unsigned last = warp_from(name, 31 - __clz(same));
    unsigned repeated = __popc(__ballot_sync(FULL_WARP, before != 0 && previous == name) & same);
    sample_sums own = {};
    if (before == 0) {
        previous = atomicExch(&samples[bucket].last, last);
        repeated += previous == name;
        own = sums_of(samples[bucket], unsigned(__popc(same)), repeated, bits);
    }
    own.crowded = share_bin<K>(name, previous, project, bits);
    return own;
}

// Adds up over a warp, then over the block. Looks at neighbours add to their own sums.
__device__ __forceinline__ void add_up(unsigned *sum, unsigned own)
{
    own = warp_sum(own);
    if (lane_id() == 0 && own > 0)
        atomicAdd(sum, own);
}

__device__ __forceinline__ void add_up(sample_sums &sums, const sample_sums &own)
{
    add_up(&sums.repeated, own.repeated);
    add_up(&sums.oversized, own.oversized);
    add_up(&sums.mixed, own.mixed);
    add_up(&sums.pairs, own.pairs);
    add_up(&sums.overfull, own.overfull);
    add_up(&sums.crowded, own.crowded);
}

// Adds COUNT numbers, which all threads of the block know, to `sums`, which are next to one another. A warp does it by
// one instruction: all blocks add to the same sums, and their instructions wait for one another.
template <unsigned COUNT> __device__ __forceinline__ void add_lanes(unsigned *sums, const unsigned (&numbers)[COUNT])
{
    static_assert(COUNT <= WARP, "a lane a number");
    unsigned own = 0;
#pragma unroll
    for (unsigned i = 0; i < COUNT; i++)
        own = threadIdx.x == i ? numbers[i] : own;
    if (threadIdx.x < COUNT)
        atomicAdd(&sums[threadIdx.x], own);
}

// Adds the block's sums, in shared memory, to the sums of all blocks.
__device__ __forceinline__ void tell(sample_sums *all, const sample_sums &sums)
{
    constexpr unsigned COUNT = sizeof sums / sizeof(unsigned);
    if (threadIdx.x < COUNT)
        atomicAdd(reinterpret_cast<unsigned *>(all) + threadIdx.x,
                  reinterpret_cast<const unsigned *>(&sums)[threadIdx.x]);
}

// The first look's sample. bits = 0: there is none.
struct leading_sample {
    bucket_sample *buckets;
    sample_sums *sums; // cleared before
    unsigned bits;
    __device__ __forceinline__ unsigned count() const
    {
        return bits > 0 ? samples_for(bits) : 0;
    }
    // A block's share, a multiple of a warp.
    __device__ __forceinline__ unsigned share(unsigned blocks) const
    {
        return ((count() + blocks - 1) / blocks + WARP - 1) / WARP * WARP;
    }
};

#endif
