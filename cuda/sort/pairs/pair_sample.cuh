// pair_sample.cuh - the plan of a sample of pairs: how many are looked at, what is counted, and which counts mean that
// digits are better than buckets.
#ifndef SK_CUDA_PAIR_SAMPLE_CUH
#define SK_CUDA_PAIR_SAMPLE_CUH

#include <algorithm>
#include <cmath>

#include "device/tuning.cuh"
#include "sort/choose/choose.h"
#include "sort/radix/radix_rank.cuh"

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

// What is sampled, and how its counts are judged.
struct pair_sample {
    unsigned samples, blocks;
    leading_bits leading, fine; // the numbers of buckets, and of fine bins
    bool counts_digits;         // the digits of buckets' numbers have counters, not the buckets
    unsigned most;              // samples of a counter
    unsigned bin_samples;       // that are counted by fine bins
    unsigned slots;             // counters of fine bins, a power of two
    unsigned overfull_from;     // samples of a fine bin
    unsigned most_neighbours;   // of samples in fine bins: the sum of the samples before each

    static constexpr unsigned EACH = 4; // samples per thread at most

    __host__ __device__ unsigned counters() const
    {
        return counts_digits ? 2 * RADIX : leading.buckets();
    }
};

constexpr unsigned SAMPLE_COUNTERS_MOST = 1u << SAMPLED_BUCKET_BITS;
static_assert(SAMPLE_COUNTERS_MOST >= 2 * RADIX, "digits have counters too");

// The most samples that a counter of `buckets` buckets may have if each has room for `room` of n pairs. A full bucket
// has that many or more 98 times in 100: one that is not seen is counted in vain. Chance gives even buckets no more.
inline unsigned most_samples(const pair_sample &sample, size_t n, unsigned buckets, unsigned room)
{
    double samples = sample.samples, even = samples * buckets / sample.leading.buckets();
    double by_room = samples / double(n) * room * buckets, by_chance = even + 6 * std::sqrt(even);
    return unsigned(sample.samples == n ? by_room : std::max(by_room - 2 * std::sqrt(by_room), by_chance));
}

// From how many samples on a fine bin is taken for overfull, which has more than `most` pairs. One that is half as full
// has that many once in a thousand times. Another bin may have the same counter, so that few samples say nothing.
inline unsigned overfull_samples(const pair_sample &sample, size_t n, unsigned most)
{
    constexpr unsigned LEAST = 5;
    double half = double(sample.bin_samples) / double(n) * most / 2;
    unsigned from = unsigned(std::ceil(half + 3.3 * std::sqrt(half) + 1.5));
    return std::max(from, LEAST);
}

// How many neighbours samples may have: as many as if the mean pair's bin has `mean` pairs, and as chance gives, since
// bins share counters.
inline unsigned most_neighbours(const pair_sample &sample, size_t n, double mean)
{
    double samples = sample.bin_samples, twos = samples * samples / 2;
    return unsigned(std::min(twos * (mean / double(n) + 1.0 / sample.slots), 4e9));
}

// For buckets with room for `room` pairs each, whose fine bins have up to `bin_most` pairs.
inline pair_sample sample_of_pairs(size_t n, leading_bits leading, unsigned begin_bit, unsigned key_size, unsigned room,
                                   unsigned bin_most, size_t processors)
{
    pair_sample sample = {};
    size_t each = SURVEY_THREADS * sample.EACH;
    size_t few = std::clamp(n / PAIR_SAMPLE_STRIDE, PAIR_SAMPLE_LEAST, PAIR_SAMPLE_MOST);
    size_t samples = std::min({std::max(few, n / BIN_SAMPLE_STRIDE), n, 2 * processors * each});
    sample.samples = unsigned(samples);
    // Half of the multiprocessors, so that all blocks run at once; more if a thread had too many.
    size_t blocks = std::min((samples - 1) / SURVEY_THREADS + 1, (processors + 1) / 2);
    sample.blocks = unsigned(std::max(blocks, (samples - 1) / each + 1));
    sample.leading = leading;
    unsigned rest = leading.shift - begin_bit;
    sample.fine = {leading.shift - std::min(rest, unsigned(BUCKET_FINE_BITS)), leading.end};
    sample.counts_digits = leading.bits() > SAMPLED_BUCKET_BITS;
    sample.most = most_samples(sample, n, sample.counts_digits ? leading.uppers() : 1, room);
    if (key_size <= 4)
        sample.bin_samples = unsigned(std::min(std::max(n / BIN_SAMPLE_STRIDE, BIN_SAMPLE_LEAST), samples));
    for (sample.slots = 1; sample.slots < 2 * sample.bin_samples;)
        sample.slots *= 2;
    sample.overfull_from = overfull_samples(sample, n, bin_most);
    sample.most_neighbours = most_neighbours(sample, n, FULL_BINS * bin_most);
    return sample;
}

#endif
