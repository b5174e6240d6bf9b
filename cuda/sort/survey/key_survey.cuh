// key_survey.cuh - a first look at keys: whether they are in order already, or of so few distinct values that counting
// those is all there is to do.
#ifndef SK_CUDA_GRID_KEY_SURVEY_CUH
#define SK_CUDA_GRID_KEY_SURVEY_CUH

#include "sort/survey/cdf_map.cuh"

constexpr int VALUE_SLOTS = 256; // a power of two

// A hash table with linear probing.
template <class K> struct value_table {
    static constexpr K FREE = K(0x5bd1e9955bd1e995u); // data in which this key occurs is sorted otherwise
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

__device__ __forceinline__ unsigned look_again(const unsigned &flag)
{
    return *const_cast<const volatile unsigned *>(&flag);
}

// One block: the values of a sample of the keys, where they are few.
template <class K, class Order>
__device__ __forceinline__ void find_values(const K *keys, size_t n, const Order &order, key_survey *survey,
                                            value_table<K> table)
{
    using values = value_table<K>;
    __shared__ K slot[VALUE_SLOTS];
    __shared__ unsigned used;
    for (int i = threadIdx.x; i < VALUE_SLOTS; i += SURVEY_THREADS)
        slot[i] = values::FREE;
    if (threadIdx.x == 0)
        used = 0;
    __syncthreads();
    size_t stride = n / SURVEY_THREADS, jitter = (threadIdx.x * 2654435761u >> 12) % stride; // no period fits
    K key = order.key(keys[threadIdx.x * stride + jitter]);
    for (unsigned at = values::first_slot(key), tries = 0;; at = (at + 1) % VALUE_SLOTS, tries++) {
        K found = exchange_if(&slot[at], values::FREE, key);
        if (found == values::FREE || tries > FEW_VALUES)
            atomicAdd(&used, key == values::FREE || tries > FEW_VALUES ? FEW_VALUES + 1 : 1);
        if (found == values::FREE || found == key || look_again(used) > FEW_VALUES)
            break;
    }
    __syncthreads();
    if (used > FEW_VALUES)
        return;
    for (int i = threadIdx.x; i < VALUE_SLOTS; i += SURVEY_THREADS)
        table.slot[i] = slot[i];
    if (threadIdx.x == 0)
        survey->few = 1;
}

// Each block looks through its share of the keys until there is a key less than the one before it and one that is
// greater, and says which are the least and the greatest of those seen, and what the leading bits of the first are. One
// block more looks for few values, if there is a table for those.
template <class K, class Order>
__global__ void __launch_bounds__(SURVEY_THREADS)
    see_order(const K *keys, size_t n, Order order, key_survey *survey, value_table<K> values)
{
    constexpr int STEPS = 8;
    unsigned blocks = gridDim.x;
    let_next_begin();
    if (values.slot != nullptr && blockIdx.x == --blocks) {
        find_values(keys, n, order, survey, values);
        return;
    }
    constexpr size_t EACH = SURVEY_THREADS * STEPS;
    size_t share = ((n - 1) / EACH / blocks + 1) * EACH, begin = blockIdx.x * share;
    size_t end = begin + share < n ? begin + share : n;
    K least = K(~K(0)), greatest = 0;
    bool descended = false, ascended = false; // seen by some block
    __shared__ unsigned leading[EVEN_GROUPS];
    if (threadIdx.x < EVEN_GROUPS)
        leading[threadIdx.x] = 0;
    __syncthreads();
    if (begin + threadIdx.x < end)
        atomicAdd(&leading[unsigned(order.key(keys[begin + threadIdx.x]) >> (8 * sizeof(K) - EVEN_BITS))], 1);
    for (; begin < end && !(descended && ascended); begin += EACH) {
        bool descends = false, ascends = false;
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            size_t at = begin + i * SURVEY_THREADS + threadIdx.x;
            if (at < end) {
                K key = order.key(keys[at]), next = at + 1 < n ? order.key(keys[at + 1]) : key;
                descends = descends || next < key;
                ascends = ascends || next > key;
                least = min(least, key);
                greatest = max(greatest, key);
            }
        }
        if (begin == blockIdx.x * share) {
            unsigned fell = unsigned(__syncthreads_count(descends)), rose = unsigned(__syncthreads_count(ascends));
            unsigned both = unsigned(__syncthreads_count(descends && ascends));
            if (threadIdx.x == 0) {
                atomicAdd(&survey->looked, SURVEY_THREADS);
                atomicAdd(&survey->alike, SURVEY_THREADS - both);
                atomicAdd(&survey->fell, fell);
                atomicAdd(&survey->rose, rose);
            }
        }
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
    __shared__ K least_of[SURVEY_THREADS / WARP], greatest_of[SURVEY_THREADS / WARP];
    warp_extremes(&least, &greatest);
    if (lane_id() == 0) {
        least_of[threadIdx.x / WARP] = least;
        greatest_of[threadIdx.x / WARP] = greatest;
    }
    __syncthreads();
    if (threadIdx.x < EVEN_GROUPS && leading[threadIdx.x] > 0)
        atomicAdd(&survey->leading[threadIdx.x], leading[threadIdx.x]);
    if (threadIdx.x < WARP) {
        least = least_of[threadIdx.x];
        greatest = greatest_of[threadIdx.x];
        warp_extremes(&least, &greatest);
        if (threadIdx.x == 0) {
            atomicMax(&survey->most, (unsigned long long)greatest);
            atomicMax(&survey->most_of_complements, (unsigned long long)K(~least));
        }
    }
}

// How often each value occurs; *others = 1 where there is one that the sample has not. Blocks give up soon after that.
template <class K, class Order>
__global__ void __launch_bounds__(COUNT_THREADS)
    count_values(const K *keys, size_t n, Order order, key_survey *survey, value_table<K> table)
{
    __shared__ K slot[VALUE_SLOTS];
    __shared__ unsigned count[VALUE_SLOTS + 1]; // the last: of others
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

// Every value as often as it was counted, in order. A block goes through the values that there are, and not through all
// slots, of which most are empty.
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
