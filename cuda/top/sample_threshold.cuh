// sample_threshold.cuh - the threshold of the first few elements: an element of a sample that a few more pass. Each
// block finds the first elements of a part of the sample, and the last one the threshold among these.
#ifndef SK_CUDA_SAMPLE_THRESHOLD_CUH
#define SK_CUDA_SAMPLE_THRESHOLD_CUH

#include "common/lookback.cuh"
#include "device/overlap.cuh"
#include "top/element_order.cuh"
#include "top/narrowing.cuh"

// In the device's memory, for the launches that follow.
template <class K> struct top_threshold {
    K key;
    bool is_frequent; // equal elements are not collected, but counted
    bool collects;    // there are elements to collect
    unsigned long long count, equal;
};

constexpr int SAMPLE_EACH = 2; // elements of a thread
constexpr unsigned SAMPLE_PART = SAMPLE_EACH * TOP_THREADS;
constexpr unsigned FIRST_MOST = 2048; // first ones of all parts

// A sample of `size` elements, and which place of it, sorted, the threshold has. It is frequent if the element at
// `end` - 1 equals it. Each block keeps the first `end` keys of its part, in any order.
template <class K> struct top_sample {
    K *first;
    size_t stride;
    unsigned size, place, end;

    __host__ __device__ unsigned blocks() const
    {
        return (size - 1) / SAMPLE_PART + 1;
    }
};

template <class K> struct sample_memory {
    narrowing<K> narrow;
    unsigned taken;
    K found;
    bool is_last;
};

// act(key) for N keys of each thread.
template <int N, class K, class Act> __device__ __forceinline__ void for_each_of(const K (&key)[N], Act act)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        act(key[i]);
}

// Writes the first `end` keys of the block's part.
template <class K>
__device__ __forceinline__ void keep_first(sample_memory<K> &shared, const K (&key)[SAMPLE_EACH], K *first,
                                           unsigned end)
{
    auto for_keys = [&](auto act) { for_each_of(key, act); };
    auto fits = [&](const ranked_span<K> &span) { return span.count() <= end; };
    if (threadIdx.x == 0)
        shared.taken = 0;
    ranked_span<K> span = shared.narrow.find(for_keys, SAMPLE_PART, end - 1, 8 * int(sizeof(K)), fits);
    bool overfull = span.count() > end; // with one key, of which some are kept
    for_keys([&](K own) {
        if (overfull ? own < span.prefix : own <= span.last())
            first[atomicAdd(&shared.taken, 1)] = own;
    });
    for (unsigned k = span.below + threadIdx.x; overfull && k < end; k += TOP_THREADS)
        first[k] = span.prefix;
}

// Finds the threshold among the first keys of all parts.
template <class K>
__device__ __forceinline__ top_threshold<K> find_threshold(sample_memory<K> &shared, const top_sample<K> &sample,
                                                           unsigned all, bool for_positions)
{
    constexpr int EACH = FIRST_MOST / TOP_THREADS;
    K key[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        unsigned k = i * TOP_THREADS + threadIdx.x;
        key[i] = k < all ? __ldcg(&sample.first[k]) : K(~K(0));
    }
    auto for_keys = [&](auto act) { for_each_of(key, act); };
    auto is_single = [](const ranked_span<K> &span) { return span.within == 1; };
    ranked_span<K> span = shared.narrow.find(for_keys, FIRST_MOST, sample.place, 8 * int(sizeof(K)), is_single);
    for_keys([&](K own) {
        if (span.has(own))
            shared.found = own; // all that do have one key
    });
    __syncthreads();
    bool is_frequent = span.count() >= sample.end;
    return {shared.found, is_frequent, !is_frequent || !for_positions, 0, 0};
}

template <class U>
__global__ void __launch_bounds__(TOP_THREADS)
    sample_threshold(const U *in, top_sample<typename element_order<U>::key_type> sample, element_order<U> order,
                     bool for_positions, top_threshold<typename element_order<U>::key_type> *threshold,
                     unsigned long long *tickets)
{
    using K = typename element_order<U>::key_type;
    __shared__ sample_memory<K> shared;
    wait_for_launches();
    K key[SAMPLE_EACH];
#pragma unroll
    for (int i = 0; i < SAMPLE_EACH; i++) {
        unsigned at = (blockIdx.x * SAMPLE_EACH + i) * TOP_THREADS + threadIdx.x;
        key[i] = at < sample.size ? order.key(in[at * sample.stride]) : K(~K(0));
    }
    keep_first(shared, key, sample.first + blockIdx.x * sample.end, sample.end);
    __syncthreads();
    if (threadIdx.x == 0)
        shared.is_last = is_last_to_finish(tickets, gridDim.x);
    __syncthreads();
    if (!shared.is_last)
        return;
    top_threshold<K> found = find_threshold(shared, sample, gridDim.x * sample.end, for_positions);
    if (threadIdx.x == 0)
        *threshold = found;
}

#endif
