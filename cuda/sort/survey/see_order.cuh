// see_order.cuh - the first look at keys: whether they are in order, their extremes, their leading bits, and whether
// their values are few.
#ifndef SK_CUDA_SEE_ORDER_CUH
#define SK_CUDA_SEE_ORDER_CUH

#include <numeric>

#include "sort/survey/estimate.cuh"
#include "sort/survey/few_values.cuh"

constexpr int ORDER_KEYS = 8; // of a thread, at a time
constexpr size_t ORDER_STEP = SURVEY_THREADS * ORDER_KEYS;
constexpr unsigned NEIGHBOUR_WARP = SURVEY_THREADS / WARP - 1; // looks at neighbours, as its share of a sample is least

// What a thread has seen of its keys.
template <class K> struct seen_keys {
    K least = K(~K(0)), greatest = 0;
    bool descends = false, ascends = false; // in the last step
};

// A thread compares its key of each of `ROWS` rows of the block with its neighbour. WHOLE: all keys and their
// neighbours are there, so that their loads overlap.
template <int ROWS, bool WHOLE, class K, class Order>
__device__ __forceinline__ void compare_rows(const K *keys, size_t n, const Order &order, size_t begin, size_t end,
                                             seen_keys<K> *seen)
{
    const size_t first = begin + threadIdx.x;
    K key[ROWS], next[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        size_t at = first + i * SURVEY_THREADS;
        bool is_there = WHOLE || at < end, has_next = WHOLE || (is_there && at + 1 < n);
        key[i] = is_there ? keys[at] : K(0);
        next[i] = has_next ? keys[at + 1] : key[i];
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        if (!WHOLE && first + i * SURVEY_THREADS >= end)
            break;
        K own = order.key(key[i]), other = order.key(next[i]);
        seen->descends = seen->descends || other < own;
        seen->ascends = seen->ascends || other > own;
        seen->least = min(seen->least, own);
        seen->greatest = max(seen->greatest, own);
    }
}

// Each thread compares its keys of a step with their neighbours.
template <class K, class Order>
__device__ __forceinline__ void compare_neighbours(const K *keys, size_t n, const Order &order, size_t begin,
                                                   size_t end, seen_keys<K> *seen)
{
    constexpr int ROWS = ORDER_KEYS * 4 / sizeof(K); // that registers have room for
    seen->descends = seen->ascends = false;
    if (begin + ORDER_STEP <= end && begin + ORDER_STEP < n) {
#pragma unroll
        for (int row = 0; row < ORDER_KEYS; row += ROWS)
            compare_rows<ROWS, true>(keys, n, order, begin + row * SURVEY_THREADS, end, seen);
        return;
    }
#pragma unroll 1
    for (int row = 0; row < ORDER_KEYS; row++)
        compare_rows<1, false>(keys, n, order, begin + row * SURVEY_THREADS, end, seen);
}

// True if the warp's keys are on both sides of another key, which all lanes have.
template <class K> __device__ __forceinline__ bool are_around(K key, bool is_there, K other)
{
    return __any_sync(FULL_WARP, is_there && key < other) && __any_sync(FULL_WARP, is_there && key > other);
}

// For the first step of a block: how many threads saw which direction, and `between` warps with keys around another
// key.
__device__ __forceinline__ void count_directions(bool descends, bool ascends, unsigned between, key_survey *survey)
{
    unsigned fell = unsigned(__syncthreads_count(descends)), rose = unsigned(__syncthreads_count(ascends));
    unsigned both = unsigned(__syncthreads_count(descends && ascends));
    const unsigned found[] = {SURVEY_THREADS, SURVEY_THREADS - both, fell, rose, between};
    add_lanes(&survey->looked, found);
}

// The directions that some block has seen. The survey is told of new ones alone, and read once per step.
struct directions {
    bool descended = false, ascended = false;

    __device__ __forceinline__ bool are_both() const
    {
        return descended && ascended;
    }
    __device__ __forceinline__ void share(bool descends, bool ascends, key_survey *survey)
    {
        if (threadIdx.x == 0) {
            descended = look_again(survey->descends);
            ascended = look_again(survey->ascends);
        }
        bool told[2] = {descended, ascended};
        descended = __syncthreads_or(descends || descended);
        ascended = __syncthreads_or(ascends || ascended);
        if (threadIdx.x == 0 && descended && !told[0])
            survey->descends = 1;
        if (threadIdx.x == 0 && ascended && !told[1])
            survey->ascends = 1;
    }
};

// The extremes of the block's keys, by one atomic each. Maps alone need them.
template <class K>
__device__ __forceinline__ void tell_extremes(const K *least_of, const K *greatest_of, key_survey *survey)
{
    static_assert(SURVEY_THREADS / WARP == WARP, "a lane per warp");
    if (threadIdx.x < WARP) {
        K least = least_of[threadIdx.x], greatest = greatest_of[threadIdx.x];
        warp_extremes(&least, &greatest);
        if (threadIdx.x == 0) {
            atomicMax(&survey->most, (unsigned long long)greatest);
            atomicMax(&survey->most_of_complements, (unsigned long long)K(~least));
        }
    }
}

// Each block, by its number, reads its share of the keys until some block has seen a descent and some block an ascent.
// So data in no order costs one step, and data in order one read.
template <class K, class Order>
__device__ __forceinline__ void look_for_order(const K *keys, size_t n, const Order &order, unsigned block,
                                               unsigned blocks, key_survey *survey, bool has_map)
{
    __shared__ unsigned leading[EVEN_GROUPS];
    __shared__ K least_of[SURVEY_THREADS / WARP], greatest_of[SURVEY_THREADS / WARP];
    size_t share = ((n - 1) / ORDER_STEP / blocks + 1) * ORDER_STEP, begin = block * share;
    size_t end = begin + share < n ? begin + share : n;

    // Leading bits: of the block's first keys, unless warps have keys that are near; then of a key from elsewhere per
    // thread. The block decides, as warps whose keys are far apart have other leading bits than all.
    K other = order.key(keys[random_place((block * SURVEY_THREADS + threadIdx.x) / WARP, n)]);
    bool is_there = begin + threadIdx.x < end;
    K key = is_there ? order.key(keys[begin + threadIdx.x]) : K(0);
    bool around = are_around(key, is_there, other);
    if (threadIdx.x < EVEN_GROUPS)
        leading[threadIdx.x] = 0;
    unsigned between = unsigned(__syncthreads_count(around && lane_id() == 0));
    bool are_apart = between >= SURVEY_THREADS / WARP / APART_OF * APART_LEAST;
    if (!are_apart)
        key = order.key(keys[random_place(block * SURVEY_THREADS + threadIdx.x, n)]);
    if (is_there || !are_apart)
        atomicAdd(&leading[unsigned(key >> (8 * sizeof(K) - EVEN_BITS))], 1);

    // Order: step by step.
    seen_keys<K> seen;
    directions known;
    for (; begin < end && !known.are_both(); begin += ORDER_STEP) {
        compare_neighbours(keys, n, order, begin, end, &seen);
        if (begin == block * share)
            count_directions(seen.descends, seen.ascends, between, survey);
        known.share(seen.descends, seen.ascends, survey);
    }

    // Tell: what the block has seen.
    warp_extremes(&seen.least, &seen.greatest);
    if (lane_id() == 0) {
        least_of[threadIdx.x / WARP] = seen.least;
        greatest_of[threadIdx.x / WARP] = seen.greatest;
    }
    __syncthreads();
    if (threadIdx.x < EVEN_GROUPS && leading[threadIdx.x] > 0)
        atomicAdd(&survey->leading[threadIdx.x], leading[threadIdx.x]);
    if (has_map)
        tell_extremes(least_of, greatest_of, survey);
}

// By how many steps each look is behind the one before: a golden part of all, so that looks are soon everywhere, and
// coprime, so that they miss none.
inline size_t order_stride(size_t steps)
{
    size_t stride = size_t(double(steps) * 0.6180339887) + 1;
    while (std::gcd(stride, steps) > 1)
        stride++;
    return stride;
}

// Looks for a descent alone. stride: of order_stride(), so that a few descents in one place are found early.
template <class K>
__device__ __forceinline__ void look_for_descent(const K *keys, size_t n, const number_order<K> &order, unsigned block,
                                                 unsigned blocks, size_t stride, unsigned *descends)
{
    size_t steps = (n - 1) / ORDER_STEP + 1;
    for (size_t step = block; step < steps; step += blocks) {
        bool known = threadIdx.x == 0 && look_again(*descends);
        size_t begin = step * stride % steps * ORDER_STEP, end = begin + ORDER_STEP < n ? begin + ORDER_STEP : n;
        seen_keys<K> seen;
        compare_neighbours(keys, n, order, begin, end, &seen);
        if (!__syncthreads_or(known || seen.descends))
            continue;
        if (threadIdx.x == 0 && !known)
            *descends = 1;
        return;
    }
}

// If there is a table for few values, the first block looks for those, which takes longest. The others also sample
// buckets; the first keys of the sample are on their way while the block looks for an order. Without has_map no map can
// be made, and the last block decides.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS) see_order(const K *keys, size_t n, Order order, key_survey *survey,
                                                            value_table<K> values, leading_sample sample, bool has_map)
{
    __shared__ sample_sums sums;
    unsigned first = values.slot != nullptr, block = blockIdx.x - first, blocks = gridDim.x - first;
    let_next_begin();
    if (blockIdx.x < first) {
        find_values(keys, n, order, survey, values);
    } else {
        if (threadIdx.x == 0)
            sums = {};
        unsigned share = sample.share(blocks), i = block * share + threadIdx.x;
        unsigned end = min((block + 1) * share, sample.count());
        auto sampled = [&] { return i < end ? order.key(keys[random_place(i, n)]) : K(0); };
        K key = sampled();
        look_for_order(keys, n, order, block, blocks, survey, has_map);
        for (; i < end; i += SURVEY_THREADS, key = sampled())
            add_up(sums, add_sample(sample.buckets, key, plain_projection<K>(nullptr), sample.bits));
        if (sample.bits > 0 && threadIdx.x / WARP == NEIGHBOUR_WARP)
            sample_bucket_neighbours(keys, n, order, sample.bits, block, sums);
        __syncthreads();
        if (sample.bits > 0)
            tell(sample.sums, sums);
    }
    if (!has_map && is_last_block(&survey->lookers_done))
        decide_without_map<K>(sample.sums, n, sample.bits, survey);
}

#endif
