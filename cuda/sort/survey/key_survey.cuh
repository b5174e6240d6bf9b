// key_survey.cuh - what the kernels of a survey find out about keys, as integers in their order. Later kernels read it,
// so that the host need not wait between them.
#ifndef SK_CUDA_KEY_SURVEY_CUH
#define SK_CUDA_KEY_SURVEY_CUH

#include "common/warp.cuh"
#include "sort/choose/choose.h"

constexpr int EVEN_BITS = 5, EVEN_GROUPS = 1 << EVEN_BITS;

// Cleared before.
struct key_survey {
    unsigned descends, ascends;                   // somewhere
    unsigned long long most, most_of_complements; // of the keys that see_order read
    unsigned leading[EVEN_GROUPS];                // how many keys of a sample have which leading bits
    unsigned by_cdf;                              // buckets are by CDF values: the keys' own bits do not spread them
    // Threads that compared keys; those that saw one direction alone, a descent, an ascent; of looked / WARP warps,
    // those with keys on both sides of another key. Blocks add to all five at once.
    unsigned looked, alike, fell, rose, between;
    unsigned by_digits;               // radix sort is better than buckets
    unsigned by_samples;              // sample sort is
    unsigned uneven;                  // an estimate says that some buckets are much larger than others
    unsigned few;                     // a sample has few distinct values, or most of it has
    unsigned others, too_many_others; // keys with other values; there was no room for them
    unsigned lookers_done, samplers_done, estimators_done, counters_done; // blocks

    __device__ bool is_in_order() const
    {
        return !descends || !ascends;
    }
    // Neighbours mostly go one way: nearly in order, or in runs.
    __host__ __device__ bool is_smooth() const
    {
        return alike > looked / SMOOTH_SHARE;
    }
    // Neighbours are seldom on both sides of a key from elsewhere, so they are often in the same bucket.
    __host__ __device__ bool are_near() const
    {
        return between < looked / WARP / NEAR_SHARE;
    }
    // Smooth keys of 4 bytes are for radix sort. If they are many, only those in runs of equal keys without an order.
    __device__ bool is_for_digits_as_runs(size_t key_size, bool are_many) const
    {
        return key_size <= 4 && is_smooth() && (!are_many || (fell > rose / RUN_BALANCE && rose > fell / RUN_BALANCE));
    }
    // In order, or all counted but others that have been gathered.
    __host__ __device__ bool is_done() const
    {
        return !descends || !ascends || (few && !too_many_others);
    }
    __host__ __device__ bool is_for_digits() const
    {
        return !is_done() && by_digits;
    }
    __host__ __device__ bool is_for_buckets() const
    {
        return !is_done() && !by_digits && !by_samples;
    }
    // As far as the estimate can tell.
    __host__ __device__ bool has_even_buckets() const
    {
        return is_for_buckets() && !uneven;
    }
};

// What the host needs to know, in the 8 bytes of a host_word.
struct key_verdict {
    unsigned keys; // with other values, if values are counted; otherwise those in oversized buckets
    bool descends : 1, ascends : 1, all_counted : 1, by_samples : 1, by_digits : 1, even_buckets : 1, by_cdf : 1,
        are_near : 1;
    bool all_digits;               // digits are counted, and none is constant
    unsigned char constant_digits; // bit p: all keys have the same digit at position p

    key_verdict() = default;
    __device__ __forceinline__ key_verdict(const key_survey &survey, unsigned oversized, unsigned constant)
    {
        all_counted = survey.few && !survey.too_many_others;
        keys = all_counted ? survey.others : oversized;
        descends = survey.descends;
        ascends = survey.ascends;
        by_samples = survey.by_samples;
        by_digits = survey.by_digits;
        even_buckets = survey.has_even_buckets();
        by_cdf = survey.by_cdf;
        are_near = survey.are_near();
        all_digits = survey.is_for_digits() && constant == 0;
        constant_digits = static_cast<unsigned char>(constant);
    }
};
static_assert(sizeof(key_verdict) == 8);

// ---- whether the leading bits spread the keys ----

__device__ __forceinline__ bool is_about(unsigned count, float mean)
{
    return fabsf(float(count) - mean) <= EVEN_LEADING_SHARE * mean + EVEN_LEADING_DEVIATIONS * sqrtf(mean);
}

// For a whole warp.
__device__ __forceinline__ bool is_even(const key_survey *survey)
{
    static_assert(EVEN_GROUPS == WARP, "a lane a group");
    unsigned count = survey->leading[lane_id()];
    return __all_sync(FULL_WARP, is_about(count, float(warp_sum(count)) / EVEN_GROUPS));
}

#endif
