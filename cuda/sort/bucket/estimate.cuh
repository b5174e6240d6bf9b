// estimate.cuh - from a sample: which keys radix sort is better for, because they are in runs or because no map spreads
// them; and whether buckets will be about the same size, so that they need no counting.
#ifndef SK_CUDA_ESTIMATE_CUH
#define SK_CUDA_ESTIMATE_CUH

#include "sort/survey/cdf_map.cuh"

// What a sample finds in a bucket. Cleared before.
struct bucket_sample {
    unsigned keys, repeated; // keys that equal the one sampled before, by a hash
    unsigned last;           // hash of the last key
};

// Places are independent: are_uneven() expects the variance of such a sample.
template <class K, class Order, class Projection>
__device__ __forceinline__ void sample_buckets(const K *keys, size_t n, const Order &order, const Projection &project,
                                               unsigned bits, bucket_sample *samples)
{
    unsigned each = estimate_for(bits).each, all = each << bits;
    for (unsigned i = blockIdx.x * SURVEY_THREADS + threadIdx.x; i < all; i += gridDim.x * SURVEY_THREADS) {
        K key = order.key(keys[random_place(i, n)]);
        bucket_sample &to = samples[unsigned(project(key) >> (Projection::BITS - bits))];
        atomicAdd(&to.keys, 1);
        unsigned hash = unsigned(uint64_t(key) * 0x9e3779b97f4a7c15u >> 32) | 1;
        if (atomicExch(&to.last, hash) == hash)
            atomicAdd(&to.repeated, 1);
    }
}

// Adds up over a warp, then over the block.
__device__ __forceinline__ void add_up(unsigned *sum, unsigned own)
{
    own = warp_sum(own);
    if (lane_id() == 0)
        atomicAdd(sum, own);
}

// Sums over all buckets of a sample: repeated keys; keys in oversized buckets; keys in oversized buckets that no single
// value makes oversized; pairs of keys in one bucket; overfull buckets.
struct sample_sums {
    unsigned repeated, oversized, mixed, pairs, overfull;
};

// The expected number of pairs is the sum of the squares of the buckets' shares: it exceeds that of even buckets by the
// variance of their sizes. Buckets are uneven if that is beyond EVEN_BUCKETS_DEVIATION and three standard deviations.
__device__ __forceinline__ bool are_uneven(const sample_sums &sums, unsigned bits)
{
    constexpr float VARIANCE = EVEN_BUCKETS_DEVIATION * EVEN_BUCKETS_DEVIATION;
    float each = float(estimate_for(bits).each), expected = each * each / 2 * float(1u << bits);
    return sums.overfull > 0 || float(sums.pairs) > expected * (1 + VARIANCE) + 3 * sqrtf(expected);
}

// Four digits cost less than rounds over oversized buckets, and than buckets of few values. Eight digits cost less than
// rounds that do not end with a single value.
template <class K> __device__ __forceinline__ bool are_for_digits(const sample_sums &sums, unsigned bits)
{
    unsigned all = estimate_for(bits).each << bits, many = all / oversized_share(sizeof(K), bits);
    if (sizeof(K) <= 4)
        return sums.oversized > many || sums.repeated > all / REPEATED_SHARE;
    return sums.mixed > many || (bits < MANY_BUCKET_BITS && sums.oversized > all / OVERSIZED_SAMPLE_SHARE);
}

// Adds up what the sample found in all buckets, into the block's sums.
__device__ __forceinline__ void sum_samples(const bucket_sample *samples, unsigned bits, sample_sums &sums)
{
    sample_sums own = {};
    estimate_counts counts = estimate_for(bits);
#pragma unroll 8
    for (unsigned bucket = threadIdx.x; bucket < 1u << bits; bucket += SURVEY_THREADS) {
        unsigned count = __ldcg(&samples[bucket].keys), again = __ldcg(&samples[bucket].repeated);
        bool is_oversized = count >= counts.oversized, is_overfull = count >= counts.overfull;
        own.repeated += again;
        own.oversized += is_oversized ? count : 0;
        own.mixed += is_oversized && again < count / 2 ? count : 0;
        own.pairs += is_overfull ? 0 : count * (count - 1) / 2;
        own.overfull += is_overfull;
    }
    add_up(&sums.repeated, own.repeated);
    add_up(&sums.oversized, own.oversized);
    add_up(&sums.mixed, own.mixed);
    add_up(&sums.pairs, own.pairs);
    add_up(&sums.overfull, own.overfull);
}

// Decides between buckets and radix sort, and whether buckets need counting. samples: one per bucket of 2^bits; there
// are more than estimate_for(bits).each keys per bucket.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    estimate_buckets(const K *keys, size_t n, Order order, unsigned bits, bucket_sample *samples, key_survey *survey,
                     const cdf_map<K> *map)
{
    __shared__ sample_sums sums;
    wait_for_launches();
    let_next_begin();
    bool in_runs = survey->is_for_digits_as_runs(sizeof(K), bits >= MANY_BUCKET_BITS);
    if (in_runs && blockIdx.x == 0 && threadIdx.x == 0)
        survey->by_digits = 1;
    if (in_runs || survey->is_done() || (!survey->by_cdf && bits < MANY_BUCKET_BITS))
        return;
    if (threadIdx.x == 0)
        sums = {};

    // Sample: all blocks.
    if (survey->by_cdf)
        sample_buckets(keys, n, order, cdf_projection<K>(map), bits, samples);
    else
        sample_buckets(keys, n, order, plain_projection<K>(map), bits, samples);

    // Decide: the last block.
    if (!is_last_block(&survey->estimators_done))
        return;
    sum_samples(samples, bits, sums);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    if (are_for_digits<K>(sums, bits))
        survey->by_digits = 1;
    if (are_uneven(sums, bits))
        survey->uneven = 1;
}

// Without a CDF map (keys of 4 bytes): buckets only for keys that their own leading bits spread and that are not in
// runs.
static __global__ void __launch_bounds__(WARP) decide_without_map(key_survey *survey)
{
    wait_for_launches();
    let_next_begin();
    bool even = is_even(survey);
    if (lane_id() == 0 && (!even || survey->is_for_digits_as_runs(sizeof(uint32_t), true)))
        survey->by_digits = 1;
}

#endif
