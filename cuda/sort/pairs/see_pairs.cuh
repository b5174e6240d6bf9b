// see_pairs.cuh - the first look at pairs: whether they are in order, and by a sample whether some bucket will be too
// large to sort on chip, or many will have overfull bins. Then digits are counted instead of buckets, so that the keys
// are read once before they move.
#ifndef SK_CUDA_SEE_PAIRS_CUH
#define SK_CUDA_SEE_PAIRS_CUH

#include "common/aggregate.cuh"
#include "sort/pairs/pair_sample.cuh"
#include "sort/survey/jitter.cuh"
#include "sort/survey/see_order.cuh"

// Cleared before.
struct pair_findings {
    key_survey survey;
    unsigned largest, overfull;
    unsigned overfull_bins;   // that the sample found
    unsigned neighbours;      // of sampled keys: samples before them in their fine bins
    unsigned constant_digits; // bit p: all keys have the same digit at position p
    unsigned all_digits;      // digits are counted, and none is constant
    __host__ __device__ bool is_in_order() const
    {
        return !survey.descends;
    }
    // By one of the last blocks, when all have told.
    __device__ __forceinline__ bool has_full_bins(const pair_sample &sample) const
    {
        return __ldcg(&overfull_bins) > sample.leading.buckets() / OVERFULL_BIN_SHARE ||
               __ldcg(&neighbours) > sample.most_neighbours;
    }
};

// What the host asks for, as a word.
struct pair_verdict {
    unsigned largest;
    unsigned char descends, by_digits, constant_digits, all_digits;
};

// Cleared before: the samples of each counter, and of fine bins by a hash of their numbers.
struct sample_counts {
    unsigned *counters, *bins;
};

// What a thread finds out about fine bins.
struct bins_found {
    unsigned overfull = 0, neighbours = 0;

    // Adds samples of a bin. A popular value's counter is read by many at once, but not added to any more.
    __device__ __forceinline__ void add(const pair_sample &sample, unsigned *bins, unsigned bin, unsigned added)
    {
        unsigned *slot = &bins[jitter_hash(bin) & (sample.slots - 1)];
        if (look_again(*slot) >= sample.overfull_from)
            return;
        unsigned before = atomicAdd(slot, added);
        overfull += before < sample.overfull_from && before + added >= sample.overfull_from;
        neighbours += min(before, sample.overfull_from);
    }
};

// Adds up what the threads of a block have found. Once in a block; ends with a barrier.
__device__ __forceinline__ void tell_bins(const bins_found &bins, pair_findings *found)
{
    __shared__ unsigned neighbours;
    if (threadIdx.x == 0)
        neighbours = 0;
    __syncthreads();
    unsigned added = warp_sum(bins.neighbours);
    if (lane_id() == 0 && added > 0)
        atomicAdd(&neighbours, added);
    if (bins.overfull > 0)
        atomicAdd(&found->overfull_bins, bins.overfull);
    __syncthreads();
    if (threadIdx.x == 0 && neighbours > 0)
        atomicAdd(&found->neighbours, neighbours);
}

// A thread's samples.
template <class K> struct sampled_pairs {
    static constexpr unsigned EACH = pair_sample::EACH;
    K key[EACH];

    // The block's first sample of the s-th row.
    static __device__ __forceinline__ unsigned row(const pair_sample &sample, unsigned s)
    {
        return (s * sample.blocks + blockIdx.x) * SURVEY_THREADS;
    }
    __device__ __forceinline__ void load(const K *keys, size_t n, const number_order<K> &order,
                                         const pair_sample &sample)
    {
#pragma unroll
        for (unsigned s = 0; s < EACH; s++) {
            unsigned i = row(sample, s) + threadIdx.x;
            key[s] = i < sample.samples ? order.key(keys[sample.samples == n ? i : random_place(i, n)]) : K(0);
        }
    }
    // Adds them to the block's counters, and to the fine bins' counters.
    __device__ __forceinline__ bins_found count(unsigned (&counters)[SAMPLE_COUNTERS_MOST], const pair_sample &sample,
                                                unsigned *bins) const
    {
        bins_found found;
#pragma unroll
        for (unsigned s = 0; s < EACH; s++) {
            unsigned first = row(sample, s);
            if (first >= sample.samples)
                break;
            bool is_there = first + threadIdx.x < sample.samples;
            add_alike(sample.leading.of(key[s]), is_there, [&](unsigned bucket, unsigned added) {
                if (sample.counts_digits) {
                    atomicAdd(&counters[bucket / sample.leading.uppers()], added);
                    atomicAdd(&counters[RADIX + bucket % RADIX], added);
                } else
                    atomicAdd(&counters[bucket], added);
            });
            if (first < sample.bin_samples)
                add_alike(sample.fine.of(key[s]), is_there,
                          [&](unsigned bin, unsigned added) { found.add(sample, bins, bin, added); });
        }
        return found;
    }
};

// By the first sample.blocks blocks, of which the last one decides.
template <class K>
__device__ __forceinline__ void look_for_skew(const K *keys, size_t n, const number_order<K> &order,
                                              const pair_sample &sample, pair_findings *found, const sample_counts &all)
{
    __shared__ unsigned count[SAMPLE_COUNTERS_MOST];
    unsigned counters = sample.counters();
    sampled_pairs<K> mine;
    mine.load(keys, n, order, sample);
    for (unsigned c = threadIdx.x; c < counters; c += SURVEY_THREADS)
        count[c] = 0;
    __syncthreads();
    tell_bins(mine.count(count, sample, all.bins), found);
    for (unsigned c = threadIdx.x; c < counters; c += SURVEY_THREADS)
        if (count[c] > 0)
            atomicAdd(&all.counters[c], count[c]);
    if (!is_last_block(&found->survey.samplers_done, sample.blocks))
        return;
    bool is_skewed = found->has_full_bins(sample);
    for (unsigned c = threadIdx.x; c < counters; c += SURVEY_THREADS)
        is_skewed = is_skewed || __ldcg(&all.counters[c]) > sample.most;
    if (__syncthreads_or(is_skewed) && threadIdx.x == 0)
        found->survey.by_digits = 1;
}

// The first look at pairs: the first blocks look for skew, the others for an order. If there are no others, there is
// none.
template <class K>
__global__ void __launch_bounds__(SURVEY_THREADS)
    see_pairs(const K *keys, size_t n, number_order<K> order, pair_sample sample, size_t stride, pair_findings *found,
              sample_counts counts)
{
    let_next_begin();
    if (sample.blocks == gridDim.x && blockIdx.x == 0 && threadIdx.x == 0)
        found->survey.descends = 1;
    if (blockIdx.x < sample.blocks)
        look_for_skew(keys, n, order, sample, found, counts);
    else
        look_for_descent(keys, n, order, blockIdx.x - sample.blocks, gridDim.x - sample.blocks, stride,
                         &found->survey.descends);
}

#endif
