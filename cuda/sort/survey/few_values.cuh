// few_values.cuh - the sort of keys most of which have few distinct values. These are found in a sample and counted,
// and the other keys are gathered and sorted by themselves; then both are written. (Counting sort, Seward 1954, over a
// hash table of values.)
#ifndef SK_CUDA_FEW_VALUES_CUH
#define SK_CUDA_FEW_VALUES_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "common/thread.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/survey/jitter.cuh"
#include "sort/survey/key_survey.cuh"

constexpr int VALUE_SLOTS = 256; // a power of two

// A hash table with linear probing, in global memory.
template <class K> struct value_table {
    static constexpr K FREE = K(0x5bd1e9955bd1e995u); // data with this key is sorted otherwise
    K *slot;
    unsigned *count; // cleared before
    // Of SLOTS, a power of two.
    template <unsigned SLOTS> static __device__ __forceinline__ unsigned first_slot(K key)
    {
        constexpr uint64_t STEP = (uint64_t(1) << (8 * sizeof(K) - 1)) / (SLOTS / 2);
        return unsigned(K(key * K(0x9e3779b97f4a7c15u)) / K(STEP));
    }
    // The slot that has the key, or VALUE_SLOTS.
    static __device__ __forceinline__ unsigned find(const K *slots, K key)
    {
        unsigned at = first_slot<VALUE_SLOTS>(key);
        while (slots[at] != key) {
            if (slots[at] == FREE)
                return VALUE_SLOTS;
            at = (at + 1) % VALUE_SLOTS;
        }
        return key == FREE ? VALUE_SLOTS : at;
    }
};

__device__ __forceinline__ uint32_t exchange_if(uint32_t *at, uint32_t expected, uint32_t value)
{
    return atomicCAS(at, expected, value);
}
__device__ __forceinline__ uint64_t exchange_if(uint64_t *at, uint64_t expected, uint64_t value)
{
    return atomicCAS(reinterpret_cast<unsigned long long *>(at), (unsigned long long)expected,
                     (unsigned long long)value);
}

// The number of values that a sample does not show is some once^2 / (2 twice) or more, if it shows that many once and
// twice (Chao, Nonparametric estimation of the number of classes in a population, 1984).
__device__ __forceinline__ unsigned unseen_values(unsigned once, unsigned twice)
{
    return once > 0 ? once * (once - 1) / (2 * (twice + 1)) : 0;
}

// Puts a key that is not FREE into one of SLOTS slots, unless it is there. Returns which one.
template <unsigned SLOTS, class K> __device__ __forceinline__ unsigned insert_value(K *slots, K key)
{
    unsigned at = value_table<K>::template first_slot<SLOTS>(key);
    for (;; at = (at + 1) % SLOTS) {
        K found = *(volatile K *)&slots[at]; // most have the key: looks do not wait for one another, as atomics do
        if (found == value_table<K>::FREE)
            found = exchange_if(&slots[at], found, key);
        if (found == value_table<K>::FREE || found == key)
            return at;
    }
}

// A sample of SURVEY_THREADS keys, counted by their values.
template <class K> struct value_sample {
    static constexpr unsigned SLOTS = 2 * SURVEY_THREADS;
    K slot[SLOTS], chosen[VALUE_SLOTS];
    unsigned times[SLOTS];
    unsigned used, once, twice, popular; // values; those seen once and twice; keys of popular values

    __device__ __forceinline__ bool has_few() const
    {
        return used + unseen_values(once, twice) <= FEW_VALUES;
    }
};

// One block: a sample's values go to the table if all keys seem to have at most FEW_VALUES; or its popular values, if
// these are most keys.
template <class K, class Order>
__device__ __forceinline__ void find_values(const K *keys, size_t n, const Order &order, key_survey *survey,
                                            value_table<K> table)
{
    using values = value_table<K>;
    __shared__ value_sample<K> sample;
    static_assert(VALUE_SLOTS <= SURVEY_THREADS && SAMPLED_VALUES == SURVEY_THREADS, "a thread per slot, and per key");
    K key = order.key(keys[sampled_place(threadIdx.x, n, SURVEY_THREADS)]); // arrives while the table is cleared
    for (unsigned i = threadIdx.x; i < sample.SLOTS; i += SURVEY_THREADS) {
        sample.slot[i] = values::FREE;
        sample.times[i] = 0;
    }
    if (threadIdx.x < VALUE_SLOTS)
        sample.chosen[threadIdx.x] = values::FREE;
    if (threadIdx.x == 0)
        sample.used = sample.once = sample.twice = sample.popular = 0;
    __syncthreads();
    if (key != values::FREE)
        atomicAdd(&sample.times[insert_value<value_sample<K>::SLOTS>(sample.slot, key)], 1u);
    else
        atomicAdd(&sample.used, FEW_VALUES + 1);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < sample.SLOTS; i += SURVEY_THREADS) {
        unsigned times = sample.times[i];
        if (times == 0)
            continue;
        atomicAdd(&sample.used, 1u);
        if (times <= 2)
            atomicAdd(times == 1 ? &sample.once : &sample.twice, 1u);
        if (times >= POPULAR_TIMES)
            atomicAdd(&sample.popular, times);
    }
    __syncthreads();
    unsigned least = sample.has_few() ? 1 : POPULAR_TIMES;
    if (!sample.has_few() && sample.popular < POPULAR_LEAST)
        return;
    for (unsigned i = threadIdx.x; i < sample.SLOTS; i += SURVEY_THREADS)
        if (sample.times[i] >= least)
            insert_value<VALUE_SLOTS>(sample.chosen, sample.slot[i]);
    __syncthreads();
    if (threadIdx.x < VALUE_SLOTS)
        table.slot[threadIdx.x] = sample.chosen[threadIdx.x];
    if (threadIdx.x == 0)
        survey->few = 1;
}

// Where keys go whose values are not in the table, and how many there is room for.
template <class K> struct other_keys {
    K *first;
    unsigned room;

    // Reserves places. Returns false if there are too few.
    __device__ __forceinline__ bool take(unsigned count, key_survey *survey, unsigned *place) const
    {
        *place = atomicAdd(&survey->others, count);
        bool fits = *place <= room && count <= room - *place;
        if (!fits)
            survey->too_many_others = 1;
        return fits;
    }
};

// The block's keys of a step that are not in the table: bit k of `others` for the k-th key of a thread. Returns false
// if there is no room for them.
template <class K, class KeyOf>
__device__ __forceinline__ bool gather_others_of(unsigned others, KeyOf key_of, const other_keys<K> &to,
                                                 key_survey *survey)
{
    __shared__ block_sum<sk_u32, VALUE_THREADS> sums;
    __shared__ unsigned place;
    __shared__ bool fits;
    unsigned before = sums.exclusive(unsigned(__popc(others)));
    if (threadIdx.x == VALUE_THREADS - 1)
        fits = to.take(before + unsigned(__popc(others)), survey, &place);
    __syncthreads();
    if (!fits)
        return false;
    K *at = to.first + place + before;
#pragma unroll
    for (int k = 0; k < COUNT_VECTORS * key_vectors<K>::EACH; k++)
        if (others >> k & 1)
            *at++ = key_of(k);
    return true;
}

// Counts each value of the table, and gathers the other keys. If they are too many, blocks give up soon.
template <class K, class Order>
__global__ void __launch_bounds__(VALUE_THREADS, VALUE_BLOCKS)
    count_values(const K *keys, size_t n, Order order, key_survey *survey, value_table<K> table, other_keys<K> to)
{
    using vectors = key_vectors<K>;
    static_assert(VALUE_SLOTS == VALUE_THREADS, "a thread per slot");
    __shared__ K slot[VALUE_SLOTS];
    __shared__ unsigned count[VALUE_SLOTS];
    wait_for_launches();
    let_next_begin();
    if (survey->is_in_order() || !survey->few)
        return;
    slot[threadIdx.x] = table.slot[threadIdx.x];
    count[threadIdx.x] = 0;
    __syncthreads();
    auto is_counted = [&](K key) {
        unsigned at = value_table<K>::find(slot, key);
        if (at < VALUE_SLOTS)
            atomicAdd(&count[at], 1);
        return at < VALUE_SLOTS;
    };
    vectors all(keys, n);
    if (blockIdx.x == 0)
        all.for_ends([&](K value) {
            K key = order.key(value);
            unsigned place;
            if (!is_counted(key) && to.take(1, survey, &place))
                to.first[place] = key;
        });
    all.template for_steps<VALUE_THREADS, COUNT_VECTORS>([&](const uint4(&found)[COUNT_VECTORS], int valid) {
        auto key_of = [&](int k) {
            return order.key(reinterpret_cast<const K *>(&found[k / vectors::EACH])[k % vectors::EACH]);
        };
        unsigned others = 0;
#pragma unroll
        for (int k = 0; k < COUNT_VECTORS * vectors::EACH; k++)
            if (k / vectors::EACH < valid && !is_counted(key_of(k)))
                others |= 1u << k;
        bool lost = threadIdx.x == 0 && look_again(survey->too_many_others);
        if (__syncthreads_or(others > 0 || lost) == 0)
            return true;
        return gather_others_of(others, key_of, to, survey);
    });
    __syncthreads();
    if (count[threadIdx.x] > 0)
        atomicAdd(&table.count[threadIdx.x], count[threadIdx.x]);
}

// How many of the sorted keys are less. Each step waits for memory, so it looks at several keys.
template <class K> __device__ __forceinline__ size_t count_less(const K *sorted, size_t n, K key)
{
    constexpr unsigned PARTS = 8;
    size_t begin = 0, count = n; // of the keys that are not known
    while (count > 0) {
        size_t part = (count - 1) / PARTS + 1;
        unsigned less = 0; // parts whose last key is
#pragma unroll
        for (unsigned p = 1; p < PARTS; p++)
            less += p * part <= count && sorted[begin + p * part - 1] < key;
        begin += less * part;
        count -= less * part;
        if (less < PARTS - 1)
            count = min(count, part - 1);
    }
    return begin;
}

// Writes each value as often as it was counted, and between them the `other_count` other keys, which are sorted: all in
// order. Each block writes its share of the output: it packs the used slots, ranks their values by comparing all of
// them, and goes through the values that its share has, in order.
template <class K, class Order>
__global__ void __launch_bounds__(VALUE_SLOTS)
    write_values(value_table<K> table, const K *others, size_t other_count, K *out, size_t n, Order order)
{
    __shared__ K packed[VALUE_SLOTS], value[VALUE_SLOTS];
    __shared__ unsigned packed_count[VALUE_SLOTS], values;
    __shared__ size_t begin[VALUE_SLOTS + 1], end[VALUE_SLOTS]; // where each value is; then `n`
    __shared__ size_t others_before[VALUE_SLOTS + 1];
    if (threadIdx.x == 0)
        values = 0;
    __syncthreads();
    unsigned counted = table.count[threadIdx.x];
    if (counted > 0) {
        unsigned at = atomicAdd(&values, 1);
        packed[at] = table.slot[threadIdx.x];
        packed_count[at] = counted;
    }
    __syncthreads();
    if (threadIdx.x < values) {
        K own = packed[threadIdx.x];
        size_t others_less = count_less(others, other_count, own), before = others_less;
        unsigned rank = 0;
        for (unsigned at = 0; at < values; at++) {
            before += packed[at] < own ? packed_count[at] : 0;
            rank += packed[at] < own;
        }
        value[rank] = own;
        others_before[rank] = others_less;
        begin[rank] = before;
        end[rank] = before + packed_count[threadIdx.x];
    }
    if (threadIdx.x == 0) {
        others_before[values] = other_count;
        begin[values] = n;
    }
    __syncthreads();
    size_t share = (n - 1) / gridDim.x + 1, first = blockIdx.x * share, last = min(first + share, n);
    unsigned start = unsigned(__syncthreads_count(threadIdx.x < values && end[threadIdx.x] <= first));
    for (unsigned i = start; i <= values; i++) {
        // The other keys before this value, and its copies.
        size_t from = i > 0 ? end[i - 1] : 0, copies = begin[i] - others_before[i];
        if (from >= last)
            break;
#pragma unroll 4
        for (size_t at = max(from, first) + threadIdx.x; at < min(begin[i], last); at += VALUE_SLOTS)
            out[at] = order.value(others[at - copies]);
        if (i == values)
            break;
        K written = order.value(value[i]);
#pragma unroll 4
        for (size_t at = max(begin[i], first) + threadIdx.x; at < min(end[i], last); at += VALUE_SLOTS)
            out[at] = written;
    }
}

#endif
