// choose.h - which algorithm sorts: a pure function from the request and from what is known about the data to one of
// SK_CUDA_SORTS, and every threshold that it goes by. Sizes of blocks and tiles are in device/tuning.cuh.
//
// Thresholds were measured on an H100 unless they say otherwise. Host code alone, but kernels read the constants: those
// that a kernel decides by, because the host does not wait for the survey, stand here too.
#ifndef SK_CUDA_CHOOSE_H
#define SK_CUDA_CHOOSE_H

#include <cstddef>

#include "algorithms.h"
#include "scankit.h"

#ifdef __CUDACC__
#define SK_HOST_DEVICE __host__ __device__
#else
#define SK_HOST_DEVICE
#endif

// ---- the algorithms ----

enum class sort_algorithm {
#define X(enumerator, name, text, source) enumerator,
    SK_CUDA_SORTS(X)
#undef X
};

constexpr const char *sort_algorithm_name(sort_algorithm algorithm)
{
    constexpr const char *NAMES[] = {
#define X(enumerator, name, text, source) name,
        SK_CUDA_SORTS(X)
#undef X
    };
    return NAMES[int(algorithm)];
}

// ---- few elements: the number of launches decides ----

// Up to here chunk-merge is fastest for pairs, and network-merge for keys that the hybrid sort cannot read as they are.
constexpr size_t FEW_PAIRS = size_t(3) << 13, FEW_ELEMENTS = size_t(1) << 17;

// Up to here one launch of block-ranges is fastest for keys: each block reads all of them from the L2 cache.
constexpr size_t BLOCK_RANGES_MOST = size_t(1) << 17;

// So few keys are sorted by one block.
constexpr unsigned FEW_KEYS = 1024;

// Keys per block, and samples per block. With 8 samples a block, chance gives no range more keys than a block has room
// for; a larger range takes another turn.
struct range_sizes {
    unsigned mean, samples;
};
constexpr range_sizes ranges_for(size_t n)
{
    return n > size_t(1) << 14 || n <= FEW_KEYS ? range_sizes{1024, 8} : range_sizes{512, 8};
}
constexpr unsigned range_samples(size_t n)
{
    range_sizes sizes = ranges_for(n);
    return unsigned((n - 1) / sizes.mean + 1) * sizes.samples;
}

// The same for keys of 2 bytes, for keys with values, and for keys by some bits. From more elements on, passes by one
// or two digits are faster. Whole keys of 8 bytes and their places are sorted by networks, which take longer.
constexpr size_t ranges_most(unsigned bits)
{
    return bits <= 8 ? size_t(5) << 13 : bits <= 16 ? size_t(7) << 13 : bits < 64 ? BLOCK_RANGES_MOST : FEW_PAIRS;
}

// Bits of the place of one of n elements.
constexpr unsigned place_bits(size_t n)
{
    unsigned bits = 1;
    while (n - 1 >> bits > 0)
        bits++;
    return bits;
}

// Elements of a chunk, which a block sorts on chip.
constexpr size_t chunk_size(unsigned key_size, unsigned value_size)
{
    unsigned bytes = key_size + value_size;
    return value_size == 16 ? 2048 : bytes <= 4 ? 8192 : bytes <= 8 ? 5120 : bytes <= 12 ? 4096 : 3584;
}

// ---- keys of 1 and 2 bytes ----

// Up to here one block sorts keys of 1 byte.
constexpr size_t FEW_BYTES = size_t(1) << 15;

// From here on, counting 2^16 values costs less than two passes by digits.
constexpr size_t HALVES_COUNTED_LEAST = size_t(1) << 22;

// ---- sample sort ----

// Up to here sample sort is fastest whatever the distribution; up to the second limit it is for keys of 8 bytes that
// buckets are not for, and that have popular values.
constexpr size_t SAMPLE_SORT_MOST = size_t(1) << 21, SAMPLE_SORT_POPULAR_MOST = size_t(1) << 22;

// Keys per bin, and the fewest bins that give all multiprocessors work. Below MANY_SAMPLES_LEAST keys, the sample must
// be small enough to be ranked in one launch: 4 samples per bin, and bins half as large, since chance varies them more.
// A bin that is still too large for a block is sorted in global memory.
constexpr unsigned MEAN_BIN = 1024, LEAST_BINS = 256;
constexpr size_t MANY_SAMPLES_LEAST = (size_t(1) << 19) + 1;

struct sample_sizes {
    unsigned n, samples, bin_bits;
    SK_HOST_DEVICE constexpr unsigned bins() const
    {
        return 1u << bin_bits;
    }
};

constexpr sample_sizes sample_for(size_t n)
{
    bool is_small = n < MANY_SAMPLES_LEAST;
    sample_sizes sizes = {unsigned(n), 0, 0};
    size_t bin = is_small ? MEAN_BIN / 2 : MEAN_BIN;
    while (sizes.bins() < LEAST_BINS || sizes.bins() * bin < n)
        sizes.bin_bits++;
    sizes.samples = sizes.bins() * (is_small ? 4 : 8);
    return sizes;
}

// ---- hybrid: buckets ----

// Keys per bucket, if they are uniform: then chance makes no bucket larger than the tile that sorts it.
constexpr size_t MEAN_BUCKET = 4150;

// Leading bits that are counted at a time: their counters of 16 bits fit the shared memory of one block. Keys alone may
// have two bits more, counted in groups that each read all keys. Pairs are split by two digits at most.
constexpr unsigned COUNT_BITS = 16, BUCKET_BITS_MOST = COUNT_BITS + 2, PAIR_BUCKET_BITS_MOST = 16;

// One scatter pass has 2^10 bins; more buckets take two passes.
constexpr unsigned ONE_PASS_BITS = 10;

// Buckets are told apart by `bits` leading bits of keys or of their CDF values: by the first `upper` of them in a pass,
// then by the rest. upper = 0: one pass.
struct bucket_levels {
    unsigned bits, upper;
    SK_HOST_DEVICE constexpr unsigned lower() const
    {
        return bits - upper;
    }
    SK_HOST_DEVICE constexpr size_t count() const
    {
        return size_t(1) << bits;
    }
};

// The fewest leading bits, from `least` on, after which uniform keys have buckets of MEAN_BUCKET.
constexpr unsigned leading_bits_for(size_t n, unsigned least)
{
    unsigned bits = least;
    while (n >> bits > MEAN_BUCKET)
        bits++;
    return bits;
}
constexpr bucket_levels buckets_for(size_t n)
{
    unsigned bits = leading_bits_for(n, 1);
    return {bits, bits <= ONE_PASS_BITS ? 0 : (bits + 1) / 2};
}

// Up to here the first pass of radix sort is queued before the host has heard that it is wanted: it costs little if it
// is not, and the wait for the answer otherwise.
constexpr size_t EARLY_PASS_MOST = size_t(1) << 24;

// Up to here, in bytes of keys, the host gets the verdict on the keys by a word (host_word.cuh): a copy would stand
// between the count and the first pass. Larger counts take longer than the host should look for a word.
constexpr size_t VERDICT_WORD_MOST = size_t(1) << 26;

// Pairs: one stable pass by a digit has 2^8 bins, and fewer are no faster.
constexpr unsigned pair_bucket_bits(size_t n)
{
    return leading_bits_for(n, 8);
}

// Up to here pairs with whole keys of 4 bytes are counted by buckets and digits at once, without a look before.
constexpr size_t ONE_READ_MOST = size_t(1) << 24, ONE_READ_BUCKETS = size_t(1) << pair_bucket_bits(ONE_READ_MOST);

// A sample of pairs, from which digits are chosen before anything moves: all of them up to PAIR_SAMPLE_LEAST, then that
// many or one of PAIR_SAMPLE_STRIDE up to PAIR_SAMPLE_MOST, then one of BIN_SAMPLE_STRIDE. Up to 2^SAMPLED_BUCKET_BITS
// buckets have a counter each. If there are more, the first and the last digits of their numbers have one.
//
// One of BIN_SAMPLE_STRIDE pairs, but at least BIN_SAMPLE_LEAST, are counted by their fine bins too: not all of the
// sample, since an atomic there takes as long as a read.
constexpr size_t PAIR_SAMPLE_LEAST = size_t(1) << 17, PAIR_SAMPLE_STRIDE = 16, PAIR_SAMPLE_MOST = size_t(1) << 18;
constexpr size_t BIN_SAMPLE_STRIDE = 128, BIN_SAMPLE_LEAST = size_t(1) << 12;
constexpr unsigned SAMPLED_BUCKET_BITS = 12;

// Keys of 4 bytes: if there is more than one overfull fine bin for every N buckets, or if the mean pair's bin is this
// full, two more passes cost less.
constexpr unsigned OVERFULL_BIN_SHARE = 2;
constexpr double FULL_BINS = 0.15;

// Slack regions: cursors have 32 bits.
constexpr size_t UNCOUNTED_MOST = size_t(1) << 30;

// Room beyond the mean of a region, as a share of it. Buckets by CDF values vary as their sample does, and the map
// gives dense keys less than their share.
constexpr double UPPER_SLACK = 1.0 / 16, UPPER_SLACK_CDF = 1.0 / 8, LOWER_SLACK = 1.0 / 8, LOWER_SLACK_CDF = 1.0 / 4;

// Room for keys that no region has room for: 1/N of all keys.
constexpr size_t SPILLED_SHARE = 64;

// ---- hybrid or radix: what the survey decides, on the device ----

// A CDF map costs a sample and a table look-up per key. For fewer keys of 4 bytes than this, four digits cost less.
constexpr size_t CDF_MAP_LEAST = size_t(1) << 24;
constexpr bool has_cdf_map(unsigned key_size, size_t n)
{
    return key_size > 4 || n >= CDF_MAP_LEAST;
}

// ---- radix ----

// So few digits are sorted by one pass each, from more keys on than a block sorts.
constexpr unsigned FEW_DIGITS = 3;
constexpr size_t FEW_DIGITS_LEAST = (size_t(1) << 13) + 1;

// Digits that all keys have in common need no pass. To wait for their counts takes as long as two passes over few keys.
constexpr bool worth_a_wait(unsigned digits, size_t bytes)
{
    return digits > FEW_DIGITS || bytes >= size_t(1) << 24;
}

// ---- words: pairs as keys of 8 bytes ----

// Few pairs with keys of 4 bytes are sorted as words of a key above a position. Nothing waits for a look at the data. A
// single block sorts fewer pairs in one launch, and more pairs are worth a look.
constexpr size_t words_least(unsigned value_size)
{
    return chunk_size(4, value_size) + 1;
}
constexpr size_t WORDS_MOST = size_t(1) << 18;

// From this many bucket bits on, one launch more is less than 1% of the sort.
constexpr unsigned MANY_BUCKET_BITS = 14;

// The sample that makes the CDF map has all keys up to SAMPLE_LEAST, then at least one of SAMPLE_STRIDE.
constexpr size_t SAMPLE_LEAST = size_t(1) << 20, SAMPLE_STRIDE = 64;

// If a sample of SAMPLED_VALUES keys has more distinct values than this, not all are counted. Popular values are, which
// the sample has at least POPULAR_TIMES, if they are POPULAR_LEAST keys of it or more. There is room for 1/N of all
// keys with other values.
constexpr unsigned SAMPLED_VALUES = 1024, FEW_VALUES = 64, POPULAR_TIMES = SAMPLED_VALUES / FEW_VALUES;
constexpr unsigned POPULAR_LEAST = SAMPLED_VALUES * 13 / 16, OTHERS_SHARE = 4;

// If more than 1/N of the keys are in oversized buckets, LSD radix sort is faster, because each further round over
// those buckets takes several launches.
SK_HOST_DEVICE constexpr unsigned oversized_share(unsigned key_size, unsigned bucket_bits)
{
    return bucket_bits < MANY_BUCKET_BITS ? (key_size <= 4 ? 16 : 8) : key_size <= 4 ? 12 : 5;
}

// With fewer keys of 4 bytes than this, four digits cost less than rounds over any oversized bucket, even if digits are
// counted after the buckets.
constexpr size_t FEW_ROUNDS_LEAST = size_t(1) << 23;

// Four digits are better for more keys in oversized buckets than this.
constexpr size_t oversized_most(size_t n, unsigned key_size, unsigned bucket_bits)
{
    return key_size <= 4 && n < FEW_ROUNDS_LEAST ? 0 : n / oversized_share(key_size, bucket_bits);
}

// The estimate of bucket sizes. `each`: sampled keys per bucket. `oversized`: from this count on a bucket is oversized;
// chance gives few buckets that many. `overfull`: a count that uniform keys exceed in 0.1% of samples.
struct estimate_counts {
    unsigned each, oversized, overfull;
};
SK_HOST_DEVICE constexpr estimate_counts estimate_for(unsigned bucket_bits)
{
    return bucket_bits >= MANY_BUCKET_BITS ? estimate_counts{4, 12, 20} : estimate_counts{8, 16, 28};
}

// Bucket sizes that vary by more than this need counting.
constexpr float EVEN_BUCKETS_DEVIATION = 0.06f;

// Keys of 4 bytes: if more than 1/N of a bucket's samples repeat, the data has few values, and four digits cost less
// than oversized buckets.
constexpr unsigned REPEATED_SHARE = 8;

// Keys of 8 bytes in fewer than 2^MANY_BUCKET_BITS buckets: the same if more than 1/N of the samples are in oversized
// buckets. Chance makes that 1/60. Rounds over a few buckets take longer than eight digits of few keys.
constexpr size_t OVERSIZED_FEW_MOST = size_t(7) << 19;
SK_HOST_DEVICE constexpr unsigned oversized_sample_share(size_t n)
{
    return n <= OVERSIZED_FEW_MOST ? 16 : 4;
}

// Keys of 8 bytes that are few and not for buckets: if more than COPIES_LEAST of COPIES_OF samples repeat, sample sort
// costs less than eight digits, since it does not move its bins of one value.
constexpr unsigned COPIES_LEAST = 5, COPIES_OF = 8;

// Keys of 4 bytes: with more other keys than this in a key's fine bin, four digits cost less. Uniform keys have one.
SK_HOST_DEVICE constexpr float neighbours_most(size_t n)
{
    return n < CDF_MAP_LEAST ? 5 : 8;
}

// Keys of 4 bytes: the same if more than this many of a warp's neighbours are copies of others. Threads that count the
// same fine bin wait for one another.
constexpr unsigned NEAR_COPIES = 16;

// Keys of 4 bytes in uneven buckets by a map: the same with more than this many copies of a key, and in fewer than
// 2^MANY_BUCKET_BITS buckets also if more than 1/N of the samples are in oversized ones. Chance makes that 1/60.
SK_HOST_DEVICE constexpr float popular_copies(unsigned bucket_bits)
{
    return bucket_bits < MANY_BUCKET_BITS ? 16 : 32;
}
constexpr unsigned OVERSIZED_MAP_SHARE = 36;

// The leading bits spread the keys evenly if no group of 32 is further from the mean than this share of it and this
// many standard deviations.
constexpr float EVEN_LEADING_SHARE = 0.02f, EVEN_LEADING_DEVIATIONS = 5;

// Keys are nearly in order if most threads saw no ascent beside a descent: more than 1/N of them.
constexpr unsigned SMOOTH_SHARE = 2;

// Keys are near their neighbours if fewer than 1/N of the warps have keys on both sides of a key from elsewhere. Of
// keys in no order nearly all warps do.
constexpr unsigned NEAR_SHARE = 4;

// The same for the first keys of a block of the look: they are apart if APART_LEAST of APART_OF warps have. Of keys in
// no order 31 of 33 do.
constexpr unsigned APART_LEAST = 3, APART_OF = 4;

// Many smooth keys are in runs without an order if neither direction is more than N times as frequent as the other.
constexpr unsigned RUN_BALANCE = 4;

// A bucket with at most this many keys is sorted by one block if one value is at least 1/N of a sample of them and the
// keys with rare values fit on chip, and by rounds of all multiprocessors otherwise.
constexpr unsigned HEAVY_HITTER_MOST = 1 << 17, HEAVY_HITTER_SHARE = 4;

// ---- merged parts ----

// Past the reach of the bucket counters: hybrid sorts of 2 or 4 parts and merges cost less than half of eight digits,
// and less than four.
constexpr size_t MERGED_PART_MOST = UNCOUNTED_MOST, MERGED_PARTS_MOST = 4;

// A power of two.
constexpr size_t merged_parts(size_t n)
{
    return n <= 2 * MERGED_PART_MOST ? 2 : MERGED_PARTS_MOST;
}

// ---- chunk-merge ----

// From here on runs are merged four at a time: the data is read and written half as often, but more launches are needed
// to find the tiles.
constexpr size_t MERGE_FOUR_LEAST = size_t(1) << 23;

// From here on the last pass merges up to MANY_RUNS runs. With fewer elements the search for the tiles takes too long.
constexpr size_t MERGE_MANY_LEAST = size_t(1) << 24;

// ---- the choice ----

struct sort_request {
    size_t n;
    unsigned key_size, value_size; // bytes
    unsigned bits;                 // that keys compare by
    bool are_numbers; // whole numbers in this machine's byte order, which kernels read and write as they are
    scankit_algorithm asked;
    bool is_in_place, has_spare; // has_spare: a second array of n keys, which may be the input
    size_t shared_most;          // bytes of shared memory that a block may have
};

// What is known about the data. The defaults are the facts before anything was looked at.
struct sort_facts {
    // The first look.
    bool descends = true, ascends = true; // somewhere
    // The survey.
    bool all_counted = false;  // few values are, and there was room for the keys with others
    bool by_samples = false;   // popular values that no map spreads, in few keys
    bool by_digits = false;    // runs, or a distribution that no map spreads
    bool even_buckets = false; // the estimate saw no oversized bucket
    bool overflowed = false;   // too many keys had no room in slack regions
    // The counts.
    size_t oversized_keys = 0; // in buckets that a block has no room for
    size_t largest_bucket = 0; // of pairs
    size_t bucket_room = 0;    // pairs that a block has room for
};

constexpr bool can_count_buckets(const sort_request &request)
{
    return request.shared_most >= size_t(2) << COUNT_BITS;
}

// Whether a survey may lead to sample sort.
SK_HOST_DEVICE constexpr bool may_sample_popular(size_t n, unsigned key_size)
{
    return n <= SAMPLE_SORT_POPULAR_MOST && key_size > 4;
}

// Slack regions need memory beside the output, and two passes: with one pass, counting costs less than the slack.
constexpr bool may_skip_counting(const sort_request &request)
{
    return buckets_for(request.n).upper > 0 && !request.is_in_place && !request.has_spare &&
           request.n <= UNCOUNTED_MOST;
}

// The merges need a second array.
constexpr bool may_merge_parts(const sort_request &request)
{
    return request.key_size >= 4 && !request.has_spare && request.n <= MERGED_PARTS_MOST * MERGED_PART_MOST;
}

constexpr sort_algorithm choose_for_numbers(const sort_request &request, const sort_facts &facts)
{
    if (request.n <= BLOCK_RANGES_MOST)
        return sort_algorithm::BLOCK_RANGES;
    if (request.n <= SAMPLE_SORT_MOST)
        return sort_algorithm::SAMPLE;
    bucket_levels levels = buckets_for(request.n);
    if (!can_count_buckets(request))
        return sort_algorithm::RADIX;
    if (levels.bits > BUCKET_BITS_MOST)
        return may_merge_parts(request) ? sort_algorithm::HYBRID_MERGE : sort_algorithm::RADIX;
    if (!facts.descends)
        return sort_algorithm::SORTED;
    if (!facts.ascends)
        return sort_algorithm::REVERSED;
    if (facts.all_counted)
        return sort_algorithm::COUNTING;
    if (facts.by_samples)
        return sort_algorithm::SAMPLE;
    if (facts.by_digits)
        return sort_algorithm::RADIX;
    if (facts.even_buckets && may_skip_counting(request) && !facts.overflowed)
        return sort_algorithm::HYBRID_UNCOUNTED;
    // Four digits cost less than rounds over many keys. Keys of 8 bytes have eight digits, which cost more.
    if (request.key_size <= 4 && facts.oversized_keys > oversized_most(request.n, request.key_size, levels.bits))
        return sort_algorithm::RADIX;
    return facts.overflowed ? sort_algorithm::HYBRID_RECOUNTED : sort_algorithm::HYBRID;
}

// Whether the key's bits and its place fit a word of block-ranges. Whole keys of 8 bytes and their places have a kernel
// of their own. One digit of a chunk is sorted as fast.
constexpr bool can_be_ranges(const sort_request &request)
{
    unsigned word_bits = request.key_size < 4 ? 32 : 64;
    bool is_digit = request.bits <= 8 && request.n <= chunk_size(request.key_size, request.value_size);
    bool fits = request.bits + place_bits(request.n) <= word_bits || request.bits == 64;
    return request.asked == SCANKIT_AUTO && !request.is_in_place && fits && !is_digit &&
           request.n <= ranges_most(request.bits);
}

constexpr sort_algorithm choose_for_narrow(const sort_request &request)
{
    bool is_alone = request.are_numbers && request.value_size == 0;
    if (is_alone && (request.key_size == 1 || request.n >= HALVES_COUNTED_LEAST))
        return sort_algorithm::COUNTING;
    if (can_be_ranges(request))
        return sort_algorithm::BLOCK_RANGES;
    bool is_chunk = request.n <= chunk_size(request.key_size, request.value_size);
    return is_chunk ? sort_algorithm::CHUNK_MERGE : sort_algorithm::RADIX;
}

constexpr bool can_be_words(const sort_request &request)
{
    return request.asked == SCANKIT_AUTO && request.key_size == 4 && request.value_size > 0 &&
           request.n >= words_least(request.value_size) && request.n <= WORDS_MOST;
}

constexpr sort_algorithm choose_for_pairs(const sort_request &request, const sort_facts &facts)
{
    unsigned bits = pair_bucket_bits(request.n);
    if (can_be_words(request))
        return sort_algorithm::WORDS;
    if (bits > PAIR_BUCKET_BITS_MOST || bits >= request.bits || !can_count_buckets(request))
        return sort_algorithm::RADIX;
    if (!facts.descends)
        return sort_algorithm::SORTED;
    return facts.by_digits || facts.largest_bucket > facts.bucket_room ? sort_algorithm::RADIX
                                                                       : sort_algorithm::HYBRID_PAIRS;
}

// The best algorithm by what is known so far. The sorts ask again as they learn more; an answer that needs no further
// facts stays the same.
constexpr sort_algorithm choose_sort(const sort_request &request, const sort_facts &facts = {})
{
    bool has_values = request.value_size > 0;
    // Keys of one or two bytes are one or two digits: merges of chunks gain nothing.
    if (request.key_size < 4 && request.asked == SCANKIT_AUTO)
        return choose_for_narrow(request);
    if (request.key_size < 4 || request.asked == SCANKIT_RADIX)
        return sort_algorithm::RADIX;
    if (request.asked == SCANKIT_CHUNK_MERGE)
        return sort_algorithm::CHUNK_MERGE;
    if (request.are_numbers && !has_values)
        return choose_for_numbers(request, facts);
    if ((has_values || request.bits < 8 * request.key_size) && can_be_ranges(request))
        return sort_algorithm::BLOCK_RANGES;
    unsigned digits = (request.bits + 7) / 8;
    if (request.asked == SCANKIT_AUTO && digits <= FEW_DIGITS && request.n >= FEW_DIGITS_LEAST)
        return sort_algorithm::RADIX;
    // Networks sort the chunks faster than radix splits do, but are not stable: they take whole keys alone.
    bool is_few = request.n <= (has_values ? FEW_PAIRS : FEW_ELEMENTS) && !can_be_words(request);
    if (request.asked == SCANKIT_AUTO && is_few)
        return !has_values && request.bits == 8 * request.key_size ? sort_algorithm::NETWORK_MERGE
                                                                   : sort_algorithm::CHUNK_MERGE;
    return has_values ? choose_for_pairs(request, facts) : sort_algorithm::RADIX;
}

// ---- examples, which the compiler checks ----

namespace choose_examples
{

using enum sort_algorithm;
constexpr size_t SHARED = size_t(227) << 10;

constexpr sort_request numbers(size_t n, unsigned size)
{
    return {n, size, 0, 8 * size, true, SCANKIT_AUTO, false, false, SHARED};
}
constexpr sort_request words(size_t n, unsigned size, scankit_algorithm asked)
{
    return {n, size, 0, 8 * size, false, asked, false, false, SHARED};
}
constexpr sort_request pairs(size_t n, unsigned bits, scankit_algorithm asked = SCANKIT_AUTO)
{
    return {n, 4, 4, bits, false, asked, false, false, SHARED};
}
constexpr sort_request in_place(sort_request request)
{
    request.is_in_place = true;
    return request;
}
constexpr size_t M = size_t(1) << 20;

static_assert(choose_sort(numbers(1, 4)) == BLOCK_RANGES);
static_assert(choose_sort(numbers(M / 8, 8)) == BLOCK_RANGES);
static_assert(choose_sort(numbers(M / 8 + 1, 8)) == SAMPLE);
static_assert(choose_sort(numbers(2 * M, 4)) == SAMPLE);
static_assert(choose_sort(numbers(2 * M + 1, 4)) == HYBRID);
static_assert(choose_sort(numbers(1024 * M, 4)) == HYBRID);
static_assert(choose_sort(numbers(2048 * M, 4)) == HYBRID_MERGE);
static_assert(choose_sort(numbers(4096 * M + 1, 4)) == RADIX);
static_assert(choose_sort(numbers(64 * M, 2)) == COUNTING);
static_assert(choose_sort(numbers(M, 2)) == RADIX);
static_assert(choose_sort(numbers(1000, 2)) == BLOCK_RANGES);
static_assert(choose_sort(numbers(57344, 2)) == BLOCK_RANGES);
static_assert(choose_sort(numbers(57345, 2)) == RADIX);
static_assert(choose_sort(in_place(numbers(1000, 2))) == CHUNK_MERGE);
static_assert(choose_sort(in_place(numbers(57344, 2))) == RADIX);
static_assert(choose_sort(numbers(1000, 1)) == COUNTING);
static_assert(choose_sort(words(64 * M, 2, SCANKIT_AUTO)) == RADIX);
static_assert(choose_sort(words(64 * M, 1, SCANKIT_CHUNK_MERGE)) == RADIX);
static_assert(choose_sort(numbers(64 * M, 4), {.descends = false}) == SORTED);
static_assert(choose_sort(numbers(64 * M, 4), {.ascends = false}) == REVERSED);
static_assert(choose_sort(numbers(4 * M, 8), {.by_samples = true}) == SAMPLE);
static_assert(choose_sort(numbers(2048 * M, 8)) == HYBRID_MERGE);
static_assert(choose_sort(numbers(4 * M + 1, 8), {.all_counted = true}) == COUNTING);
static_assert(choose_sort(numbers(64 * M, 4), {.by_digits = true}) == RADIX);
static_assert(choose_sort(numbers(64 * M, 4), {.even_buckets = true}) == HYBRID_UNCOUNTED);
static_assert(choose_sort(in_place(numbers(64 * M, 4)), {.even_buckets = true}) == HYBRID);
static_assert(choose_sort(numbers(4 * M, 4), {.even_buckets = true}) == HYBRID);
static_assert(choose_sort(numbers(64 * M, 4), {.even_buckets = true, .overflowed = true}) == HYBRID_RECOUNTED);
static_assert(choose_sort(numbers(64 * M, 4), {.oversized_keys = 16 * M}) == RADIX);
static_assert(choose_sort(numbers(64 * M, 8), {.oversized_keys = 16 * M}) == HYBRID);
static_assert(choose_sort(numbers(4 * M, 4), {.oversized_keys = 8193}) == RADIX);
static_assert(choose_sort(numbers(8 * M, 4), {.oversized_keys = 8193}) == HYBRID);
static_assert(choose_sort(numbers(4 * M, 8), {.oversized_keys = 8193}) == HYBRID);

static_assert(choose_sort(words(M / 8, 4, SCANKIT_AUTO)) == NETWORK_MERGE);
static_assert(choose_sort(words(M / 8 + 1, 4, SCANKIT_AUTO)) == RADIX);
static_assert(choose_sort(words(1, 4, SCANKIT_HYBRID)) == RADIX);
static_assert(choose_sort(words(1, 2, SCANKIT_CHUNK_MERGE)) == RADIX);
static_assert(choose_sort(words(64 * M, 4, SCANKIT_CHUNK_MERGE)) == CHUNK_MERGE);

static_assert(choose_sort(pairs(M / 8, 32)) == BLOCK_RANGES);
static_assert(choose_sort(pairs(M / 8 + 1, 32)) == WORDS);
static_assert(choose_sort(pairs(5120, 8)) == CHUNK_MERGE);
static_assert(choose_sort(pairs(5121, 8)) == BLOCK_RANGES);
static_assert(choose_sort(in_place(pairs(5120, 32))) == CHUNK_MERGE);
static_assert(choose_sort(in_place(pairs(5121, 32))) == WORDS);
static_assert(choose_sort({FEW_PAIRS, 8, 8, 64, true, SCANKIT_AUTO, false, false, SHARED}) == BLOCK_RANGES);
static_assert(choose_sort({FEW_PAIRS + 1, 8, 8, 64, true, SCANKIT_AUTO, false, false, SHARED}) == HYBRID_PAIRS);
static_assert(choose_sort(pairs(M / 4, 32)) == WORDS);
static_assert(choose_sort(pairs(M / 4 + 1, 32)) == HYBRID_PAIRS);
static_assert(choose_sort(pairs(M, 32)) == HYBRID_PAIRS);
static_assert(choose_sort(pairs(1, 32, SCANKIT_HYBRID)) == HYBRID_PAIRS);
static_assert(choose_sort(pairs(M, 8)) == RADIX);
static_assert(choose_sort(pairs(100 * M, 24)) == RADIX);
static_assert(choose_sort(pairs(512 * M, 32)) == RADIX);
static_assert(choose_sort(pairs(M, 32), {.descends = false}) == SORTED);
static_assert(choose_sort(pairs(M, 32), {.by_digits = true}) == RADIX);
static_assert(choose_sort(pairs(M, 32), {.largest_bucket = 4609, .bucket_room = 4608}) == RADIX);

} // namespace choose_examples

#endif
