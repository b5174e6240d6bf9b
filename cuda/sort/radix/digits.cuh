// digits.cuh - the digits of keys: how often each occurs, and where each begins.
#ifndef SK_CUDA_DIGITS_CUH
#define SK_CUDA_DIGITS_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "common/last_block.cuh"
#include "common/thread.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/survey/key_order.cuh"

// A block's counts of the digits at all positions. Blocks have THREADS.
template <class K, int THREADS> struct digit_counters {
    static constexpr int MOST = sizeof(K); // RADIX_BITS is a byte
    uint32_t count[MOST][RADIX];

    __device__ __forceinline__ void clear()
    {
        for (int i = threadIdx.x; i < MOST * RADIX; i += THREADS)
            count[i / RADIX][i % RADIX] = 0;
    }
    // The digits of a whole key.
    __device__ __forceinline__ void add(K key)
    {
#pragma unroll
        for (int p = 0; p < MOST; p++)
            atomicAdd(&count[p][digit_of(key, p * RADIX_BITS, RADIX - 1)], 1u);
    }
    __device__ __forceinline__ void add(K key, const digit_range &digits)
    {
#pragma unroll
        for (int p = 0; p < MOST; p++)
            if (p < digits.count())
                atomicAdd(&count[p][digit_of(key, digits.first_bit(p), digits.mask(p))], 1u);
    }
    // counts[p][d] += the block's keys whose digit at position p is d. If constant is not NULL, its bit p is set if all
    // n keys have the same digit at position p. Both are cleared before.
    __device__ __forceinline__ void tell(size_t n, unsigned long long *counts, unsigned *constant) const
    {
        for (int i = threadIdx.x; i < MOST * RADIX; i += THREADS) {
            unsigned long long own = count[i / RADIX][i % RADIX];
            if (own > 0 && atomicAdd(&counts[i], own) + own == n && constant != nullptr)
                atomicOr(constant, 1u << i / RADIX);
        }
    }
};

// Counts the digits at all positions in one read; tells counts and constant as digit_counters do.
template <int THREADS, int VECTORS, class K, class Order>
__device__ __forceinline__ void count_all_digits(digit_counters<K, THREADS> &shared, const K *keys, size_t n,
                                                 const Order &order, digit_range digits, unsigned long long *counts,
                                                 unsigned *constant)
{
    shared.clear();
    __syncthreads();
    auto count = [&](auto add) {
        key_vectors<K>(keys, n).template for_keys<THREADS, VECTORS>([&](K value) { add(order.key(value)); });
    };
    if (digits.bit == 0 && digits.end == 8 * sizeof(K))
        count([&](K key) { shared.add(key); });
    else
        count([&](K key) { shared.add(key, digits); });
    __syncthreads();
    shared.tell(n, counts, constant);
}

// Counts of RADIX digits become the places where the digits begin. For the whole block; ends with a barrier.
__device__ __forceinline__ void place_digits_of(unsigned long long *row)
{
    using sum = block_sum<sk_u64, RADIX>;
    __shared__ sum sums;
    unsigned long long count = threadIdx.x < RADIX ? __ldcg(&row[threadIdx.x]) : 0,
                       inclusive = sum::warp_inclusive(count);
    if (threadIdx.x < RADIX)
        sums.publish(inclusive);
    __syncthreads();
    if (threadIdx.x < RADIX)
        row[threadIdx.x] = sums.before(inclusive - count);
    __syncthreads();
}

// The same for all digits of n keys, by a block of THREADS.
template <class K, int THREADS> __device__ __forceinline__ void place_all_digits(unsigned long long *counts, size_t n)
{
    constexpr unsigned ALL = sizeof(K) * RADIX;
    static_assert(ALL % THREADS == 0, "whole steps");
    __shared__ block_sum<sk_u64, THREADS> sums;
    for (unsigned i = threadIdx.x; i < ALL; i += THREADS) {
        unsigned long long before = sums.exclusive(__ldcg(&counts[i]));
        counts[i] = before - i % THREADS / RADIX * n; // each position has all keys
        __syncthreads();
    }
}

// If blocks_done, which is cleared before, is not NULL, the last block turns the counts into places.
template <class K>
__global__ void __launch_bounds__(SORT_THREADS)
    count_digits(const K *keys, size_t n, number_order<K> order, digit_range digits, unsigned long long *counts,
                 unsigned *blocks_done)
{
    __shared__ digit_counters<K, SORT_THREADS> shared;
    wait_for_launches();
    count_all_digits<SORT_THREADS, DIGIT_VECTORS>(shared, keys, n, order, digits, counts, nullptr);
    if (blocks_done == nullptr || !is_last_block(blocks_done))
        return;
    for (unsigned p = 0; p < digits.count(); p++)
        place_digits_of(counts + p * RADIX);
}

// A block per digit position.
static __global__ void __launch_bounds__(RADIX) digit_offsets(unsigned long long *counts)
{
    place_digits_of(counts + blockIdx.x * RADIX);
}

#endif
