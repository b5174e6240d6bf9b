// cdf_map.cuh - a map that spreads keys evenly, whatever their distribution: the cumulative distribution function of a
// sample, as a function of straight pieces. CDF values keep the order of the keys, so buckets may be told apart by
// their leading bits. (Distributive partitioning, Dobosiewicz 1978; here the function serves the first split alone.)
#ifndef SK_CUDA_CDF_MAP_CUH
#define SK_CUDA_CDF_MAP_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "common/last_block.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/survey/jitter.cuh"
#include "sort/survey/key_survey.cuh"

constexpr int CDF_BITS = 12, CDF_PIECES = 1 << CDF_BITS;

// Piece p holds the keys with (key - least) >> shift = p; the last piece has all greater keys too. Their CDF values
// begin at base[p] and are spread evenly over width[p]. If there are greater keys, the last piece has no width.
template <class K> struct cdf_map {
    K least;
    unsigned shift;
    uint2 piece[CDF_PIECES]; // base, width
    // Keys of 4 bytes are counted from 0, which saves an instruction per key.
    static __device__ __forceinline__ K from_least(K key, K least)
    {
        return sizeof(K) <= 4 ? key : max(key, least) - least;
    }
    static __device__ __forceinline__ unsigned piece_of(K distance, unsigned shift)
    {
        return unsigned(min(K(distance >> shift), K(CDF_PIECES - 1)));
    }
};

// ---- projections: the number of BITS bits whose leading bits are a key's bucket ----

// The key itself.
template <class K> struct plain_projection {
    static constexpr unsigned BITS = 8 * sizeof(K);
    static constexpr bool IS_COSTLY = false;
    __device__ __forceinline__ explicit plain_projection(const cdf_map<K> *)
    {
    }
    __device__ __forceinline__ K operator()(K key) const
    {
        return key;
    }
};

// Its CDF value: a look-up and a multiplication.
template <class K> struct cdf_projection {
    static constexpr unsigned BITS = 32;
    static constexpr bool IS_COSTLY = true;
    const uint2 *piece;
    K least;
    unsigned shift;
    __device__ __forceinline__ explicit cdf_projection(const cdf_map<K> *map)
        : piece(map->piece), least(map->least), shift(map->shift)
    {
    }
    __device__ __forceinline__ uint32_t operator()(K key) const
    {
        K distance = cdf_map<K>::from_least(key, least);
        uint2 found = __ldg(&piece[cdf_map<K>::piece_of(distance, shift)]);
        uint32_t along = uint32_t(K(distance << (8 * sizeof(K) - shift)) >> (8 * sizeof(K) - 32));
        return found.x + __umulhi(along, found.y);
    }
};

// ---- making the map ----

// Which keys are in which piece.
template <class K> struct cdf_range {
    K least;
    unsigned shift;

    // No key is greater than the last piece.
    __device__ __forceinline__ bool has_all() const
    {
        return sizeof(K) <= 4 && shift >= 8 * sizeof(K) - CDF_BITS;
    }
};

// Pieces as small as cover the keys that see_order read. They begin where binades of floats do.
template <class K> __device__ __forceinline__ cdf_range<K> range_of_pieces(const key_survey *survey)
{
    K seen_least = sizeof(K) <= 4 ? K(0) : K(~K(survey->most_of_complements)), least = seen_least;
    unsigned shift = 1;
    while (K(K(K(survey->most) - least) >> shift) >= CDF_PIECES - 1) {
        shift++;
        least = seen_least >> shift << shift;
    }
    return {least, shift};
}

// True if one half of a piece seems to have many more keys than the other: its count differs much from both
// neighbours'. A step between two even pieces makes it differ from one alone.
__device__ __forceinline__ bool is_steep(unsigned left, unsigned count, unsigned right)
{
    unsigned to_left = count > left ? count - left : left - count, to_right = max(count, right) - min(count, right);
    return min(to_left, to_right) > count / 2;
}

// Four times the count and three standard deviations: what chance may have left out of a small sample.
__device__ __forceinline__ unsigned long long weight_of(unsigned sampled)
{
    return 4ull * sampled + unsigned(12 * sqrtf(float(sampled)));
}

// One block makes the map of the counts of all blocks. Of 2^bits buckets, those in a steep piece with more than one
// bucket are not even.
template <class K>
__device__ __forceinline__ void make_cdf_map(const unsigned *counts, const cdf_range<K> &range, unsigned bits,
                                             key_survey *survey, cdf_map<K> *map)
{
    constexpr int EACH = CDF_PIECES / SURVEY_THREADS;
    __shared__ block_sum<sk_u64, SURVEY_THREADS> sums;
    unsigned first = threadIdx.x * EACH, count[EACH + 2];
    unsigned long long weight[EACH], own = 0;
#pragma unroll
    for (int k = 0; k < EACH + 2; k++) {
        unsigned piece = min(max(first + k, 1u) - 1, CDF_PIECES - 1u); // at both ends the same one again
        count[k] = __ldcg(&counts[piece]);
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        weight[k] = first + k + 1 < CDF_PIECES || range.has_all() ? weight_of(count[k + 1]) : 0;
        own += weight[k];
    }
    unsigned long long before = sums.exclusive(own), total = sums.total();
    double scale = total > 0 ? 4294967295.0 / double(total) : 0;
    auto base_of = [&](unsigned long long weight_before) { return uint32_t(double(weight_before) * scale); };
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        uint32_t base = base_of(before);
        before += weight[k];
        map->piece[first + k] = {base, base_of(before) - base};
        if (weight[k] << bits > 2 * total && is_steep(count[k], count[k + 1], count[k + 2]))
            survey->uneven = 1;
    }
    if (threadIdx.x == 0) {
        map->least = range.least;
        map->shift = range.shift;
        survey->by_cdf = 1;
    }
}

// Counts the keys of one vector of every `stride` by their pieces.
template <class K, class Order>
__device__ __forceinline__ void count_pieces(const K *keys, size_t n, const Order &order, size_t stride,
                                             const cdf_range<K> &range, unsigned *count)
{
    constexpr int LOADS = 4; // in flight
    key_vectors<K> vectors(keys, n);
    auto add = [&](K value) {
        K distance = cdf_map<K>::from_least(order.key(value), range.least);
        atomicAdd(&count[cdf_map<K>::piece_of(distance, range.shift)], 1);
    };
    unsigned step = gridDim.x * SURVEY_THREADS, samples = unsigned((vectors.whole - 1) / stride + 1);
    for (unsigned first = blockIdx.x * SURVEY_THREADS + threadIdx.x; first < samples; first += LOADS * step) {
        uint4 found[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            if (first + i * step < samples)
                found[i] = __ldcs(&vectors.first[sampled_place(first + i * step, vectors.whole, samples)]);
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            if (first + i * step < samples)
                key_vectors<K>::for_each(found[i], add);
    }
}

// If the keys need a map: counts a sample by pieces; the last block makes the map. counts: at a multiple of 8 bytes,
// cleared before.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    sample_keys(const K *keys, size_t n, Order order, size_t stride, unsigned bits, unsigned *counts,
                key_survey *survey, cdf_map<K> *map)
{
    __shared__ unsigned count[CDF_PIECES];
    wait_for_launches();
    let_next_begin();
    if (survey->is_done() || is_even(survey) || survey->is_for_digits_as_runs(sizeof(K), bits >= MANY_BUCKET_BITS))
        return;
    for (int i = threadIdx.x; i < CDF_PIECES; i += SURVEY_THREADS)
        count[i] = 0;
    cdf_range<K> range = range_of_pieces<K>(survey);
    __syncthreads();

    // Count: in shared memory.
    count_pieces(keys, n, order, stride, range, count);
    __syncthreads();

    // Add up: two counts per atomic, since all blocks add to the same ones.
    for (int i = 2 * threadIdx.x; i < CDF_PIECES; i += 2 * SURVEY_THREADS)
        if (count[i] > 0 || count[i + 1] > 0)
            atomicAdd(reinterpret_cast<unsigned long long *>(&counts[i]),
                      count[i] | (unsigned long long)count[i + 1] << 32);

    // Scan: counts become the map.
    if (is_last_block(&survey->samplers_done))
        make_cdf_map(counts, range, bits, survey, map);
}

#endif
