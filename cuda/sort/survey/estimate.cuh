// estimate.cuh - from a sample: which keys radix sort or sample sort is better for, because they are in runs, or no map
// spreads them, or they crowd their fine bins; and whether buckets will be about the same size, so that they need no
// counting.
#ifndef SK_CUDA_ESTIMATE_CUH
#define SK_CUDA_ESTIMATE_CUH

#include "sort/survey/bucket_sample.cuh"
#include "sort/survey/cdf_map.cuh"

// Places are independent: are_uneven() expects the variance of such a sample.
template <class K, class Order, class Projection>
__device__ __forceinline__ void sample_buckets(const K *keys, size_t n, const Order &order, const Projection &project,
                                               unsigned bits, bucket_sample *samples, sample_sums &sums)
{
    for (unsigned i = blockIdx.x * SURVEY_THREADS + threadIdx.x; i < samples_for(bits); i += gridDim.x * SURVEY_THREADS)
        add_up(sums, add_sample(samples, order.key(keys[random_place(i, n)]), project, bits));
}

// A warp looks at neighbours, from a random place on.
template <class K> __device__ __forceinline__ void sample_neighbours(const K *keys, size_t n, sample_sums &sums)
{
    size_t place = random_place(~((blockIdx.x * SURVEY_THREADS + threadIdx.x) / WARP), n - WARP);
    unsigned same = __match_any_sync(FULL_WARP, keys[place + lane_id()]);
    add_up(&sums.copies, (same & lanes_below()) != 0);
}

// A warp looks at keys that are about as far apart as neighbours in a bucket are: one of every 2^bits, at random. Where
// the bits below the leading ones are the same, such neighbours count in one word of fine bins, and wait for one
// another. Buckets by a map differ, but copies are near each other there too.
template <class K, class Order>
__device__ __forceinline__ void sample_bucket_neighbours(const K *keys, size_t n, const Order &order, unsigned bits,
                                                         unsigned warp, sample_sums &sums)
{
    constexpr unsigned WORD_BITS = BUCKET_FINE_BITS - 1; // a word has two bins
    if (sizeof(K) > 4)
        return;
    size_t apart = size_t(1) << bits, place = random_place(~warp, n - WARP * apart) + lane_id() * apart;
    K key = order.key(keys[place + random_place(warp * WARP + lane_id(), apart)]);
    unsigned same = __match_any_sync(FULL_WARP, unsigned(key << bits) >> (32 - WORD_BITS));
    add_up(&sums.together, (same & lanes_below()) != 0);
    add_up(&sums.looks, lane_id() == 0);
}

// The expected number of pairs is the sum of the squares of the buckets' shares: it exceeds that of even buckets by the
// variance of their sizes. Buckets are uneven if that is beyond EVEN_BUCKETS_DEVIATION and three standard deviations.
__device__ __forceinline__ bool are_uneven(const sample_sums &sums, unsigned bits)
{
    constexpr float VARIANCE = EVEN_BUCKETS_DEVIATION * EVEN_BUCKETS_DEVIATION;
    float each = float(estimate_for(bits).each), expected = each * each / 2 * float(1u << bits);
    return sums.overfull > 0 || float(sums.pairs) > expected * (1 + VARIANCE) + 3 * sqrtf(expected);
}

// How many keys are in a key's fine bin beside it, if `found` sampled keys are in the bin of the key before.
__device__ __forceinline__ float bin_of_sample(unsigned found, size_t n, unsigned bits)
{
    float compared = float(estimate_for(bits).each - 1) * float(1u << bits);
    return float(found) / compared * (float(n) / float(1u << bits));
}

// Four digits cost less than rounds over oversized buckets, than buckets of few values, than crowded fine bins, than
// copies of a few neighbours in no order, than neighbours in a bucket that are in one fine bin, and than to count
// buckets by a map if values are popular, or if fewer than 2^MANY_BUCKET_BITS buckets have an overfull one. Eight
// digits cost less than rounds that do not end with a single value.
template <class K>
__device__ __forceinline__ bool are_for_digits(const sample_sums &sums, size_t n, unsigned bits, bool by_cdf,
                                               bool are_near)
{
    unsigned all = samples_for(bits), many = all / oversized_share(sizeof(K), bits);
    if (sizeof(K) > 4)
        return sums.mixed > many || (bits < MANY_BUCKET_BITS && sums.oversized > all / oversized_sample_share(n));
    return sums.oversized > many || sums.repeated > all / REPEATED_SHARE ||
           bin_of_sample(sums.crowded, n, bits) > neighbours_most(n) ||
           (!are_near && max(sums.copies, sums.together) > sums.looks * NEAR_COPIES) ||
           (by_cdf && are_uneven(sums, bits) &&
            (bin_of_sample(sums.repeated, n, bits) > popular_copies(bits) ||
             (bits < MANY_BUCKET_BITS && (sums.overfull > 0 || sums.oversized > all / OVERSIZED_MAP_SHARE))));
}

// If buckets are not for the keys: whether most are copies.
template <class K> __device__ __forceinline__ bool are_for_samples(const sample_sums &sums, size_t n, unsigned bits)
{
    return may_sample_popular(n, sizeof(K)) && sums.repeated > samples_for(bits) / COPIES_OF * COPIES_LEAST;
}

// Decides between buckets, radix sort and sample sort, and whether buckets need counting. By one thread of a block that
// sees the sums.
template <class K>
__device__ __forceinline__ void decide(const sample_sums *of, size_t n, unsigned bits, key_survey *survey)
{
    const sample_sums sums = {__ldcg(&of->repeated), __ldcg(&of->oversized), __ldcg(&of->mixed),
                              __ldcg(&of->pairs),    __ldcg(&of->overfull),  __ldcg(&of->crowded),
                              __ldcg(&of->copies),   __ldcg(&of->together),  __ldcg(&of->looks)};
    if (are_for_digits<K>(sums, n, bits, survey->by_cdf, survey->are_near()))
        (are_for_samples<K>(sums, n, bits) ? survey->by_samples : survey->by_digits) = 1;
    if (are_uneven(sums, bits))
        survey->uneven = 1;
}

// The same for keys that have no map, by the sums of the first look, whose last block calls it: runs, and keys that
// their own bits do not spread, are for digits.
template <class K>
__device__ __forceinline__ void decide_without_map(const sample_sums *leading, size_t n, unsigned bits,
                                                   key_survey *survey)
{
    bool by_digits = survey->is_for_digits_as_runs(sizeof(K), true) || !is_even(survey);
    if (threadIdx.x > 0)
        return;
    if (by_digits)
        survey->by_digits = 1;
    else
        decide<K>(leading, n, bits, survey);
}

// Decides for keys that may have a map. samples: one per bucket of 2^bits; there are more than estimate_for(bits).each
// keys per bucket. Where no map was made, the sums of the first look serve, if it took a sample.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    estimate_buckets(const K *keys, size_t n, Order order, unsigned bits, bucket_sample *samples, sample_sums *all,
                     const sample_sums *leading, key_survey *survey, const cdf_map<K> *map)
{
    __shared__ sample_sums sums;
    wait_for_launches();
    let_next_begin();
    bool by_digits = survey->is_for_digits_as_runs(sizeof(K), bits >= MANY_BUCKET_BITS);
    bool is_sampled = !survey->by_cdf && samples_leading_bits(bits);
    if (by_digits && blockIdx.x == 0 && threadIdx.x == 0)
        survey->by_digits = 1;
    if (by_digits || survey->is_done() || (is_sampled && blockIdx.x > 0))
        return;

    // Sample: all blocks.
    if (!is_sampled) {
        if (threadIdx.x == 0)
            sums = {};
        __syncthreads();
        if (survey->by_cdf)
            sample_buckets(keys, n, order, cdf_projection<K>(map), bits, samples, sums);
        else
            sample_buckets(keys, n, order, plain_projection<K>(map), bits, samples, sums);
        sample_neighbours(keys, n, sums);
        sample_bucket_neighbours(keys, n, order, bits, (blockIdx.x * SURVEY_THREADS + threadIdx.x) / WARP, sums);
        __syncthreads();
        tell(all, sums);
        if (!is_last_block(&survey->estimators_done))
            return;
    }

    // Decide: one thread of the last block.
    if (threadIdx.x == 0)
        decide<K>(is_sampled ? leading : all, n, bits, survey);
}

#endif
