// digits.cuh - the digits of keys: how often each occurs, and where each begins.
#ifndef SK_CUDA_DIGITS_CUH
#define SK_CUDA_DIGITS_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "common/thread.cuh"
#include "device/tuning.cuh"
#include "sort/survey/key_order.cuh"

// counts[p][d] += keys whose digit at position p is d, for all positions in one read by blocks of THREADS. If constant
// is not NULL, its bit p is set if all keys have the same digit at position p. Both are cleared before.
template <int THREADS, int VECTORS, class K, class Order>
__device__ __forceinline__ void count_all_digits(uint32_t (&shared)[sizeof(K)][RADIX], const K *keys, size_t n,
                                                 const Order &order, digit_range digits, unsigned long long *counts,
                                                 unsigned *constant)
{
    constexpr int MOST = sizeof(K); // RADIX_BITS is a byte
    for (int i = threadIdx.x; i < MOST * RADIX; i += THREADS)
        shared[i / RADIX][i % RADIX] = 0;
    __syncthreads();
    auto count = [&](auto digits_of) {
        key_vectors<K>(keys, n).template for_keys<THREADS, VECTORS>([&](K value) { digits_of(order.key(value)); });
    };
    if (digits.bit == 0 && digits.end == 8 * sizeof(K))
        count([&](K key) {
#pragma unroll
            for (int p = 0; p < MOST; p++)
                atomicAdd(&shared[p][digit_of(key, p * RADIX_BITS, RADIX - 1)], 1u);
        });
    else
        count([&](K key) {
#pragma unroll
            for (int p = 0; p < MOST; p++)
                if (p < digits.count())
                    atomicAdd(&shared[p][digit_of(key, digits.first_bit(p), digits.mask(p))], 1u);
        });
    __syncthreads();
    for (int i = threadIdx.x; i < MOST * RADIX; i += THREADS) {
        unsigned long long own = shared[i / RADIX][i % RADIX];
        if (own > 0 && atomicAdd(&counts[i], own) + own == n && constant != nullptr)
            atomicOr(constant, 1u << i / RADIX);
    }
}

template <class K>
__global__ void __launch_bounds__(SORT_THREADS)
    count_digits(const K *keys, size_t n, number_order<K> order, digit_range digits, unsigned long long *counts)
{
    __shared__ uint32_t shared[sizeof(K)][RADIX];
    count_all_digits<SORT_THREADS, DIGIT_VECTORS>(shared, keys, n, order, digits, counts, nullptr);
}

// Counts of RADIX digits become the places where the digits begin. For the whole block; ends with a barrier.
__device__ __forceinline__ void place_digits_of(unsigned long long *row)
{
    using sum = block_sum<sk_u64, RADIX>;
    __shared__ sum sums;
    unsigned long long count = threadIdx.x < RADIX ? row[threadIdx.x] : 0, inclusive = sum::warp_inclusive(count);
    if (threadIdx.x < RADIX)
        sums.publish(inclusive);
    __syncthreads();
    if (threadIdx.x < RADIX)
        row[threadIdx.x] = sums.before(inclusive - count);
    __syncthreads();
}

// A block per digit position.
static __global__ void __launch_bounds__(RADIX) digit_offsets(unsigned long long *counts)
{
    place_digits_of(counts + blockIdx.x * RADIX);
}

#endif
