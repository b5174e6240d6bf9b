// few_values.cuh - the sort of keys that have few distinct values: they are found in a sample, counted, and written.
// (Counting sort, Seward 1954, over a hash table of values.)
#ifndef SK_CUDA_FEW_VALUES_CUH
#define SK_CUDA_FEW_VALUES_CUH

#include "common/key_vectors.cuh"
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
    static __device__ __forceinline__ unsigned first_slot(K key)
    {
        constexpr unsigned SHIFT = 8 * sizeof(K) - 8;
        static_assert(VALUE_SLOTS == 1 << 8, "a byte of the product");
        return unsigned(K(key * K(0x9e3779b97f4a7c15u)) >> SHIFT);
    }
    // The slot that has the key, or VALUE_SLOTS.
    static __device__ __forceinline__ unsigned find(const K *slots, K key)
    {
        unsigned at = first_slot(key);
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

// One block: a sample's values go to the table if all keys seem to have at most FEW_VALUES.
template <class K, class Order>
__device__ __forceinline__ void find_values(const K *keys, size_t n, const Order &order, key_survey *survey,
                                            value_table<K> table)
{
    using values = value_table<K>;
    __shared__ K slot[VALUE_SLOTS];
    __shared__ unsigned used, times[VALUE_SLOTS];
    static_assert(VALUE_SLOTS <= SURVEY_THREADS, "a thread per slot");
    if (threadIdx.x < VALUE_SLOTS) {
        slot[threadIdx.x] = values::FREE;
        times[threadIdx.x] = 0;
    }
    if (threadIdx.x == 0)
        used = 0;
    __syncthreads();
    K key = order.key(keys[sampled_place(threadIdx.x, n, SURVEY_THREADS)]);
    for (unsigned at = values::first_slot(key), tries = 0;; at = (at + 1) % VALUE_SLOTS, tries++) {
        K found = exchange_if(&slot[at], values::FREE, key);
        if (found == values::FREE || tries > FEW_VALUES)
            atomicAdd(&used, key == values::FREE || tries > FEW_VALUES ? FEW_VALUES + 1 : 1);
        if (found == values::FREE || found == key)
            atomicAdd(&times[at], 1u);
        if (found == values::FREE || found == key || look_again(used) > FEW_VALUES)
            break;
    }
    __syncthreads();
    unsigned seen = threadIdx.x < VALUE_SLOTS ? times[threadIdx.x] : 0;
    unsigned once = __syncthreads_count(seen == 1), twice = __syncthreads_count(seen == 2);
    if (used + unseen_values(once, twice) > FEW_VALUES)
        return;
    if (threadIdx.x < VALUE_SLOTS)
        table.slot[threadIdx.x] = slot[threadIdx.x];
    if (threadIdx.x == 0)
        survey->few = 1;
}

// Counts each value. survey->others = 1 if a key has a value that the sample did not show; blocks give up soon after.
template <class K, class Order>
__global__ void __launch_bounds__(COUNT_THREADS)
    count_values(const K *keys, size_t n, Order order, key_survey *survey, value_table<K> table)
{
    __shared__ K slot[VALUE_SLOTS];
    __shared__ unsigned count[VALUE_SLOTS + 1]; // the last: of other values
    wait_for_launches();
    let_next_begin();
    if (survey->is_in_order() || !survey->few)
        return;
    for (int i = threadIdx.x; i <= VALUE_SLOTS; i += COUNT_THREADS) {
        slot[i % VALUE_SLOTS] = table.slot[i % VALUE_SLOTS];
        count[i] = 0;
    }
    __syncthreads();
    bool is_other = false;
    auto add = [&](K value) {
        unsigned at = value_table<K>::find(slot, order.key(value));
        is_other = is_other || at == VALUE_SLOTS;
        atomicAdd(&count[at], 1);
    };
    key_vectors<K>(keys, n).template for_all<COUNT_THREADS, COUNT_VECTORS>(
        add, [&] { return __syncthreads_or(is_other || look_again(survey->others)); });
    __syncthreads();
    for (int i = threadIdx.x; i < VALUE_SLOTS; i += COUNT_THREADS)
        if (count[i] > 0)
            atomicAdd(&table.count[i], count[i]);
    if (threadIdx.x == 0 && count[VALUE_SLOTS] > 0)
        survey->others = 1;
}

// Writes each value as often as it was counted, in order. Each block writes its share of the output: it packs the used
// slots, ranks their values by comparing all of them, and goes through the values alone.
template <class K, class Order>
__global__ void __launch_bounds__(VALUE_SLOTS) write_values(value_table<K> table, K *out, size_t n, Order order)
{
    __shared__ K value[VALUE_SLOTS];
    __shared__ unsigned count[VALUE_SLOTS], values;
    __shared__ size_t begin_of[VALUE_SLOTS];
    if (threadIdx.x == 0)
        values = 0;
    __syncthreads();
    unsigned counted = table.count[threadIdx.x];
    if (counted > 0) {
        unsigned at = atomicAdd(&values, 1);
        value[at] = table.slot[threadIdx.x];
        count[at] = counted;
    }
    __syncthreads();
    if (threadIdx.x < values) {
        size_t before = 0;
        for (unsigned other = 0; other < values; other++)
            before += value[other] < value[threadIdx.x] ? count[other] : 0;
        begin_of[threadIdx.x] = before;
    }
    __syncthreads();
    size_t share = (n - 1) / gridDim.x + 1, first = blockIdx.x * share, last = min(first + share, n);
    for (unsigned i = 0; i < values; i++) {
        size_t begin = max(begin_of[i], first), end = min(begin_of[i] + count[i], last);
        K written = order.value(value[i]);
        for (size_t at = begin + threadIdx.x; at < end; at += VALUE_SLOTS)
            out[at] = written;
    }
}

#endif
