// skew.cuh - from a sample of pairs: whether some bucket will be too large to sort on chip. Then digits are counted
// instead of buckets, so that the keys are read once before they move.
#ifndef SK_CUDA_SKEW_CUH
#define SK_CUDA_SKEW_CUH

#include "sort/radix/radix_rank.cuh"
#include "sort/survey/jitter.cuh"
#include "sort/survey/see_order.cuh"

// Bits [shift, end) of a key are the number of its bucket: one digit or two, the lower one with RADIX_BITS.
struct leading_bits {
    unsigned shift, end;
    __host__ __device__ unsigned bits() const
    {
        return end - shift;
    }
    __host__ __device__ unsigned buckets() const
    {
        return 1u << bits();
    }
    __host__ __device__ unsigned uppers() const
    {
        return buckets() / RADIX;
    }
    template <class K> __device__ __forceinline__ unsigned of(K key) const
    {
        return digit_of(key, shift, buckets() - 1);
    }
};

// Cleared before.
struct pair_findings {
    key_survey survey;
    unsigned largest, overfull;
    unsigned constant_digits; // bit p: all keys have the same digit at position p
    unsigned all_digits;      // digits are counted, and none is constant
    __host__ __device__ bool is_in_order() const
    {
        return !survey.descends;
    }
};

// What the host asks for, as a word.
struct pair_verdict {
    unsigned largest;
    unsigned char descends, by_digits, constant_digits, all_digits;
};

// Samples by the first and by the last digit of their bucket's number.
struct skew_counts {
    unsigned of_digit[2 * RADIX];
};

constexpr unsigned SKEW_SAMPLES = 4; // per thread

// The most samples that a digit may have if its buckets have room for `room` pairs each. Chance gives hardly any digit
// four standard deviations more.
__device__ __forceinline__ float most_samples(unsigned samples, size_t n, leading_bits leading, unsigned room)
{
    float most = float(samples) * float(room) * float(leading.uppers()) / float(n);
    return samples == n ? most : most + 4 * sqrtf(most);
}

// By several blocks, of which the last one decides. All keys are looked at if they are few.
template <class K>
__device__ __forceinline__ void look_for_skew(const K *keys, size_t n, const number_order<K> &order,
                                              leading_bits leading, unsigned room, unsigned block, unsigned blocks,
                                              pair_findings *found, skew_counts *all)
{
    __shared__ unsigned count[2 * RADIX];
    if (threadIdx.x < 2 * RADIX)
        count[threadIdx.x] = 0;
    __syncthreads();
    unsigned most = blocks * SURVEY_THREADS * SKEW_SAMPLES, samples = n < most ? unsigned(n) : most;
#pragma unroll
    for (unsigned s = 0; s < SKEW_SAMPLES; s++) {
        unsigned i = (s * blocks + block) * SURVEY_THREADS + threadIdx.x;
        if (i >= samples)
            continue;
        unsigned bucket = leading.of(order.key(keys[samples == n ? i : random_place(i, n)]));
        atomicAdd(&count[bucket / leading.uppers()], 1);
        atomicAdd(&count[RADIX + bucket % RADIX], 1);
    }
    __syncthreads();
    if (threadIdx.x < 2 * RADIX && count[threadIdx.x] > 0)
        atomicAdd(&all->of_digit[threadIdx.x], count[threadIdx.x]);
    if (!is_last_block(&found->survey.samplers_done, blocks))
        return;
    unsigned own = threadIdx.x < 2 * RADIX ? __ldcg(&all->of_digit[threadIdx.x]) : 0;
    if (__syncthreads_or(float(own) > most_samples(samples, n, leading, room)) && threadIdx.x == 0)
        found->survey.by_digits = 1;
}

// The first look at pairs: `skew_blocks` blocks look for skew, the others for an order. If there are no others, there
// is none.
template <class K>
__global__ void __launch_bounds__(SURVEY_THREADS)
    see_pairs(const K *keys, size_t n, number_order<K> order, leading_bits leading, unsigned room, unsigned skew_blocks,
              pair_findings *found, skew_counts *all)
{
    let_next_begin();
    if (skew_blocks == gridDim.x && blockIdx.x == 0 && threadIdx.x == 0)
        found->survey.descends = 1;
    if (blockIdx.x < skew_blocks)
        look_for_skew(keys, n, order, leading, room, blockIdx.x, skew_blocks, found, all);
    else
        look_for_order(keys, n, order, blockIdx.x - skew_blocks, gridDim.x - skew_blocks, &found->survey);
}

#endif
