// foresee.cuh - which keys are better sorted by digits than by buckets, from a sample: runs, and what no image spreads.
#ifndef SK_CUDA_GRID_FORESEE_CUH
#define SK_CUDA_GRID_FORESEE_CUH

#include "grid/key_map.cuh"

constexpr unsigned FORESEEN_EACH = 4;   // keys of a sample for each bucket
constexpr unsigned FORESEEN_HEAVY = 12; // of which so many are of a bucket that is too large: chance makes few of those
constexpr unsigned FORESEEN_BITS = 14;  // where buckets are so many, a launch more is less than one part in a hundred
constexpr size_t ROUNDS_LEAST = size_t(1) << 24; // keys of 8 bytes, from so many on rounds are less work than digits

// More than one in so many keys in buckets that are too large is better sorted by digits: rounds take some launches.
template <class K> __host__ __device__ constexpr unsigned heavy_share(size_t n, unsigned bits)
{
    return bits >= FORESEEN_BITS ? 5 : sizeof(K) <= 4 || n < ROUNDS_LEAST ? 16 : 8;
}

// What a sample finds in a bucket. Cleared before.
struct bucket_sample {
    unsigned keys, repeated; // those that were the same as the one before
    unsigned last;           // a hash of the last
};

template <class K, class Order, class Image>
__device__ __forceinline__ void sample_buckets(const K *keys, size_t n, const Order &order, const Image &image,
                                               unsigned bits, bucket_sample *samples)
{
    unsigned all = FORESEEN_EACH << bits, step = unsigned(n >> bits) / FORESEEN_EACH;
    for (unsigned i = blockIdx.x * SURVEY_THREADS + threadIdx.x; i < all; i += gridDim.x * SURVEY_THREADS) {
        unsigned within = (i * 2654435761u >> 12) % step; // so that no period of the keys fits
        K key = order.key(keys[size_t(i) * step + within]);
        bucket_sample &to = samples[unsigned(image(key) >> (Image::BITS - bits))];
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
// that no single value makes so.
struct sample_sums {
    unsigned repeated, heavy, mixed;
};

// Four digits are less work than rounds, and than buckets of few values. Eight are less than rounds that end with
// values only where keys are few.
template <class K> __device__ __forceinline__ bool are_for_digits(const sample_sums &sums, size_t n, unsigned bits)
{
    unsigned all = FORESEEN_EACH << bits, many = all / heavy_share<K>(n, bits);
    if (sizeof(K) <= 4)
        return sums.heavy > many || sums.repeated > all / 8;
    if (n < ROUNDS_LEAST)
        return sums.heavy > many;
    return sums.mixed > many || (bits < FORESEEN_BITS && sums.heavy > all / 4);
}

// Whether keys are to be sorted by digits, as they are in runs or as a sample tells. samples: of each of 2^bits
// buckets; there are more than FORESEEN_EACH keys a bucket.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    foresee_digits(const K *keys, size_t n, Order order, unsigned bits, bucket_sample *samples, key_survey *survey,
                   const key_map<K> *map)
{
    __shared__ bool is_last;
    __shared__ sample_sums sums;
    bool in_runs = survey->is_for_digits_as_runs(sizeof(K));
    if (in_runs && blockIdx.x == 0 && threadIdx.x == 0)
        survey->by_digits = 1;
    if (in_runs || survey->is_done() || (!survey->balanced && bits < FORESEEN_BITS))
        return;
    if (survey->balanced)
        sample_buckets(keys, n, order, balanced_image<K>(map), bits, samples);
    else
        sample_buckets(keys, n, order, plain_image<K>(map), bits, samples);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        is_last = atomicAdd(&survey->foreseers_done, 1) == gridDim.x - 1;
        sums = {};
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    sample_sums own = {};
    for (unsigned bucket = threadIdx.x; bucket < 1u << bits; bucket += SURVEY_THREADS) {
        unsigned count = __ldcg(&samples[bucket].keys), again = __ldcg(&samples[bucket].repeated);
        bool is_heavy = count >= FORESEEN_HEAVY;
        own.repeated += again;
        own.heavy += is_heavy ? count : 0;
        own.mixed += is_heavy && again < count / 2 ? count : 0;
    }
    add_up(&sums.repeated, own.repeated);
    add_up(&sums.heavy, own.heavy);
    add_up(&sums.mixed, own.mixed);
    __syncthreads();
    if (threadIdx.x == 0 && are_for_digits<K>(sums, n, bits))
        survey->by_digits = 1;
}

// Where keys of 4 bytes get no images: those are for buckets whose own leading bits spread them, if they are not in
// runs.
static __global__ void __launch_bounds__(WARP) foresee_without_images(key_survey *survey)
{
    bool even = is_even(survey);
    if (lane_id() == 0 && (!even || survey->is_for_digits_as_runs(sizeof(uint32_t))))
        survey->by_digits = 1;
}

#endif
