// cdf_map.cuh - what a first look at keys tells: whether they are in order already, and how they are distributed. Where
// they are not spread evenly, their images are: those come from a distribution function of straight pieces, which a
// sample gives, and keep the order of the keys.
#ifndef SK_CUDA_GRID_KEY_MAP_CUH
#define SK_CUDA_GRID_KEY_MAP_CUH

#include <cmath>
#include <cstdint>

#include "common/op.cuh"
#include "common/warp.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/choose/choose.h"
#include "sort/survey/key_order.cuh"

constexpr int EVEN_BITS = 5, EVEN_GROUPS = 1 << EVEN_BITS;

// Found in keys, as integers in their order; cleared before.
struct key_survey {
    unsigned descends, ascends;                   // somewhere
    unsigned long long most, most_of_complements; // of the keys that were looked at
    unsigned leading[EVEN_GROUPS];                // how many of them have which leading bits
    unsigned by_cdf;                              // by their images, since their own leading bits do not spread them
    unsigned looked, alike; // threads that compared some keys, and those that saw not both descents and ascents
    unsigned fell, rose;    // those that saw descents, and those that saw ascents
    unsigned by_digits;     // what follows is to be by digits, least significant first, and not by buckets
    unsigned uneven;        // a sample tells that some buckets are much larger than others
    unsigned few, others;   // a sample has few distinct values; there are others besides
    unsigned samplers_done, estimators_done; // blocks
    __device__ bool is_in_order() const
    {
        return !descends || !ascends;
    }
    // Nearly in order, seen from near by.
    __host__ __device__ bool is_smooth() const
    {
        return alike > looked / SMOOTH_SHARE;
    }
    // In runs of equal keys, and those in no order: then digits are less work for keys of 4 bytes; and for all that are
    // smooth, if there are not many.
    __device__ bool is_for_digits_as_runs(size_t key_size, bool are_many) const
    {
        return key_size <= 4 && is_smooth() && (!are_many || (fell > rose / RUN_BALANCE && rose > fell / RUN_BALANCE));
    }
    // In order, or counted.
    __host__ __device__ bool is_done() const
    {
        return !descends || !ascends || (few && !others);
    }
    __host__ __device__ bool is_for_digits() const
    {
        return !is_done() && by_digits;
    }
    __host__ __device__ bool is_for_buckets() const
    {
        return !is_done() && !by_digits;
    }
    // Buckets are about the same size, as far as can be told: those of keys in runs are not.
    __host__ __device__ bool has_even_buckets() const
    {
        return is_for_buckets() && !uneven && !is_smooth();
    }
};

// Keys in vectors that begin at multiples of 16 bytes, and those before and behind.
template <class K> struct key_vectors {
    static constexpr int EACH = 16 / sizeof(K);
    const K *keys;
    size_t n, head, whole;
    const uint4 *first;
    __device__ __forceinline__ key_vectors(const K *all, size_t count) : keys(all), n(count)
    {
        head = (16 - uintptr_t(keys) % 16) % 16 / sizeof(K);
        head = head < n ? head : n;
        whole = (n - head) / EACH;
        first = reinterpret_cast<const uint4 *>(keys + head);
    }
    template <class Do> __device__ __forceinline__ void for_ends(Do act) const
    {
        size_t tail = head + whole * EACH;
        if (threadIdx.x < head)
            act(keys[threadIdx.x]);
        if (threadIdx.x < n - tail)
            act(keys[tail + threadIdx.x]);
    }
    // All keys, by blocks of THREADS, of which each thread has so many vectors in flight. A block ends where give_up(),
    // which it calls after each step, says so.
    template <int THREADS, int VECTORS, class Do, class GiveUp>
    __device__ __forceinline__ void for_all(Do act, GiveUp give_up) const
    {
        constexpr size_t EACH = size_t(THREADS) * VECTORS;
        if (blockIdx.x == 0)
            for_ends(act);
        for (size_t begin = blockIdx.x * EACH; begin < whole; begin += gridDim.x * EACH) {
            uint4 found[VECTORS];
#pragma unroll
            for (int i = 0; i < VECTORS; i++) {
                size_t at = begin + i * THREADS + threadIdx.x;
                found[i] = at < whole ? __ldcs(&first[at]) : uint4{};
            }
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                if (begin + i * THREADS + threadIdx.x < whole)
                    for_each(found[i], act);
            if (give_up())
                break;
        }
    }
    template <class Do> static __device__ __forceinline__ void for_each(const uint4 &vector, Do act)
    {
        const K *item = reinterpret_cast<const K *>(&vector);
#pragma unroll
        for (int k = 0; k < EACH; k++)
            act(item[k]);
    }
};

// The least and the greatest of all lanes' keys, for every lane.
template <class K> __device__ __forceinline__ void warp_extremes(K *least, K *greatest)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        *least = min(*least, K(__shfl_xor_sync(FULL_WARP, *least, distance)));
        *greatest = max(*greatest, K(__shfl_xor_sync(FULL_WARP, *greatest, distance)));
    }
}

// ---- images ----

constexpr int CDF_BITS = 12, CDF_PIECES = 1 << CDF_BITS;

// Piece p holds the keys of which (key - least) >> shift is p, the last one all that are greater. Their images begin
// at base[p], and are spread evenly over width[p].
template <class K> struct cdf_map {
    K least;
    unsigned shift;
    uint2 piece[CDF_PIECES]; // base, width
    // Keys of 4 bytes are counted from 0: one operation less a key.
    static __device__ __forceinline__ K from_least(K key, K least)
    {
        return sizeof(K) <= 4 ? key : max(key, least) - least;
    }
    static __device__ __forceinline__ unsigned piece_of(K distance, unsigned shift)
    {
        return unsigned(min(K(distance >> shift), K(CDF_PIECES - 1)));
    }
};

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

// Whether the leading bits that were seen are all about as frequent: then the keys' own serve. For a whole warp, or for
// the host.
__host__ __device__ __forceinline__ bool is_about(unsigned count, float mean)
{
    return fabsf(float(count) - mean) <= 0.02f * mean + 5 * sqrtf(mean);
}

__device__ __forceinline__ bool is_even(const key_survey *survey)
{
    static_assert(EVEN_GROUPS == WARP, "a lane a group");
    unsigned count = survey->leading[lane_id()];
    return __all_sync(FULL_WARP, is_about(count, float(warp_sum(count)) / EVEN_GROUPS));
}

inline bool is_even(const key_survey &survey)
{
    unsigned sum = 0;
    bool even = true;
    for (unsigned count : survey.leading)
        sum += count;
    for (unsigned count : survey.leading)
        even = even && is_about(count, float(sum) / EVEN_GROUPS);
    return even;
}

// Whether a piece of so many keys has many more in one half than in the other, as far as its neighbours tell: those of
// both sides, as between them there may be a step.
__device__ __forceinline__ bool is_steep(unsigned left, unsigned count, unsigned right)
{
    unsigned to_left = count > left ? count - left : left - count, to_right = max(count, right) - min(count, right);
    return min(to_left, to_right) > count / 2;
}

// From the counts of all blocks. bits: of buckets, which are not even where a piece is steep that has more than one.
template <class K>
__device__ __forceinline__ void make_cdf_map(const unsigned *counts, K least, unsigned shift, unsigned bits,
                                             key_survey *survey, cdf_map<K> *map)
{
    constexpr int EACH = CDF_PIECES / SURVEY_THREADS, WARPS = SURVEY_THREADS / WARP;
    __shared__ unsigned long long warp_total[WARPS];
    unsigned first = threadIdx.x * EACH, count[EACH + 2];
    unsigned long long weight[EACH], own = 0;
#pragma unroll
    for (int k = 0; k < EACH + 2; k++) {
        unsigned piece = min(max(first + k, 1u) - 1, CDF_PIECES - 1u); // at both ends the same one again
        count[k] = __ldcg(&counts[piece]);
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        unsigned sampled = count[k + 1];
        // What chance may have left out of a sample is little where the sample is large.
        weight[k] = first + k + 1 < CDF_PIECES ? 4ull * sampled + unsigned(12 * sqrtf(float(sampled))) : 0;
        own += weight[k];
    }
    unsigned long long inclusive = warp_scan<op_sum<sk_u64>>(own), total = 0, before = inclusive - own;
    if (lane_id() == WARP - 1)
        warp_total[threadIdx.x / WARP] = inclusive;
    __syncthreads();
    for (unsigned w = 0; w < WARPS; w++) {
        before += w < threadIdx.x / WARP ? warp_total[w] : 0;
        total += warp_total[w];
    }
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
        map->least = least;
        map->shift = shift;
        survey->by_cdf = 1;
    }
}

// Where keys need images: counts a vector of every `stride` by the piece that it would be in, and makes the map.
// counts: at a multiple of 8 bytes, cleared before.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    sample_keys(const K *keys, size_t n, Order order, size_t stride, unsigned bits, unsigned *counts,
                key_survey *survey, cdf_map<K> *map)
{
    __shared__ unsigned count[CDF_PIECES];
    __shared__ bool is_last;
    wait_for_launches();
    let_next_begin();
    if (survey->is_done() || is_even(survey) || survey->is_for_digits_as_runs(sizeof(K), bits >= MANY_BUCKET_BITS))
        return;
    for (int i = threadIdx.x; i < CDF_PIECES; i += SURVEY_THREADS)
        count[i] = 0;
    // Pieces begin where binades of floats do.
    K seen_least = sizeof(K) <= 4 ? K(0) : K(~K(survey->most_of_complements)), least = seen_least;
    unsigned shift = 1;
    while (K(K(K(survey->most) - least) >> shift) >= CDF_PIECES - 1) {
        shift++;
        least = seen_least >> shift << shift;
    }
    __syncthreads();
    key_vectors<K> vectors(keys, n);
    auto add = [&](K value) {
        K distance = cdf_map<K>::from_least(order.key(value), least);
        atomicAdd(&count[cdf_map<K>::piece_of(distance, shift)], 1);
    };
    size_t step = size_t(gridDim.x) * SURVEY_THREADS * stride;
    constexpr int LOADS = 4; // in flight
    for (size_t at = (size_t(blockIdx.x) * SURVEY_THREADS + threadIdx.x) * stride; at < vectors.whole;
         at += LOADS * step) {
        uint4 found[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            if (at + i * step < vectors.whole)
                found[i] = __ldcs(&vectors.first[at + i * step]);
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            if (at + i * step < vectors.whole)
                key_vectors<K>::for_each(found[i], add);
    }
    __syncthreads();
    // Two at a time: all blocks add to the same ones.
    for (int i = 2 * threadIdx.x; i < CDF_PIECES; i += 2 * SURVEY_THREADS)
        if (count[i] > 0 || count[i + 1] > 0)
            atomicAdd(reinterpret_cast<unsigned long long *>(&counts[i]),
                      count[i] | (unsigned long long)count[i + 1] << 32);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&survey->samplers_done, 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last) {
        __threadfence();
        make_cdf_map(counts, least, shift, bits, survey, map);
    }
}

#endif
