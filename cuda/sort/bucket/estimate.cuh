// foresee.cuh - which keys are better sorted by digits than by buckets, from a sample: runs, and what no image spreads;
// and whether buckets will be about the same size, so that they need not be counted.
#ifndef SK_CUDA_GRID_FORESEE_CUH
#define SK_CUDA_GRID_FORESEE_CUH

#include "sort/survey/cdf_map.cuh"

// What a sample finds in a bucket. Cleared before.
struct bucket_sample {
    unsigned keys, repeated; // those that were the same as the one before
    unsigned last;           // a hash of the last
};

template <class K, class Order, class Projection>
__device__ __forceinline__ void sample_buckets(const K *keys, size_t n, const Order &order, const Projection &project,
                                               unsigned bits, bucket_sample *samples)
{
    unsigned each = estimate_for(bits).each, all = each << bits, step = unsigned(n >> bits) / each;
    for (unsigned i = blockIdx.x * SURVEY_THREADS + threadIdx.x; i < all; i += gridDim.x * SURVEY_THREADS) {
        unsigned within = (i * 2654435761u >> 12) % step; // so that no period of the keys fits
        K key = order.key(keys[size_t(i) * step + within]);
        bucket_sample &to = samples[unsigned(project(key) >> (Projection::BITS - bits))];
        atomicAdd(&to.keys, 1);
        unsigned hash = unsigned(uint64_t(key) * 0x9e3779b97f4a7c15u >> 32) | 1;
        if (atomicExch(&to.last, hash) == hash)
            atomicAdd(&to.repeated, 1);
    }
}

// Adds up over a warp and then over the block.
__device__ __forceinline__ void add_up(unsigned *sum, unsigned own)
{
    own = warp_sum(own);
    if (lane_id() == 0)
        atomicAdd(sum, own);
}

// Keys of a sample that are the same as the one before in their bucket; those of heavy buckets; those of heavy buckets
// that no single value makes so; pairs of keys that are in one bucket; and buckets with so many that they are crowds.
struct sample_sums {
    unsigned repeated, oversized, mixed, pairs, overfull;
};

// Pairs are as many as the sum of squares of buckets' shares says: more than for even ones by the variance of their
// sizes. Found are sizes that vary by more than 6%, where chance does not hide it.
__device__ __forceinline__ bool are_uneven(const sample_sums &sums, unsigned bits)
{
    constexpr float VARIANCE = EVEN_BUCKETS_DEVIATION * EVEN_BUCKETS_DEVIATION;
    float each = float(estimate_for(bits).each), expected = each * each / 2 * float(1u << bits);
    return sums.overfull > 0 || float(sums.pairs) > expected * (1 + VARIANCE) + 3 * sqrtf(expected);
}

// Four digits are less work than rounds, and than buckets of few values. Eight are less than rounds that do not end
// with values.
template <class K> __device__ __forceinline__ bool are_for_digits(const sample_sums &sums, unsigned bits)
{
    unsigned all = estimate_for(bits).each << bits, many = all / oversized_share(sizeof(K), bits);
    if (sizeof(K) <= 4)
        return sums.oversized > many || sums.repeated > all / REPEATED_SHARE;
    return sums.mixed > many || (bits < MANY_BUCKET_BITS && sums.oversized > all / OVERSIZED_SAMPLE_SHARE);
}

// Whether keys are to be sorted by digits, as they are in runs or as a sample tells. samples: of each of 2^bits
// buckets; there are more than estimate_for(bits).each keys a bucket.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    estimate_buckets(const K *keys, size_t n, Order order, unsigned bits, bucket_sample *samples, key_survey *survey,
                     const cdf_map<K> *map)
{
    __shared__ bool is_last;
    __shared__ sample_sums sums;
    wait_for_launches();
    let_next_begin();
    bool in_runs = survey->is_for_digits_as_runs(sizeof(K), bits >= MANY_BUCKET_BITS);
    if (in_runs && blockIdx.x == 0 && threadIdx.x == 0)
        survey->by_digits = 1;
    if (in_runs || survey->is_done() || (!survey->by_cdf && bits < MANY_BUCKET_BITS))
        return;
    if (survey->by_cdf)
        sample_buckets(keys, n, order, cdf_projection<K>(map), bits, samples);
    else
        sample_buckets(keys, n, order, plain_projection<K>(map), bits, samples);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        is_last = atomicAdd(&survey->estimators_done, 1) == gridDim.x - 1;
        sums = {};
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
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
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    if (are_for_digits<K>(sums, bits))
        survey->by_digits = 1;
    if (are_uneven(sums, bits))
        survey->uneven = 1;
}

// Where keys of 4 bytes get no images: those are for buckets whose own leading bits spread them, if they are not in
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
