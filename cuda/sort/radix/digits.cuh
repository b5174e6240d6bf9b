// digits.cuh - the digits of keys: which there are, how often each occurs, where each begins.
#ifndef SK_CUDA_GRID_DIGITS_CUH
#define SK_CUDA_GRID_DIGITS_CUH

#include "sort/survey/cdf_map.cuh"
#include "common/op.cuh"
#include "common/thread.cuh"
#include "device/tuning.cuh"
#include "common/warp.cuh"

// counts[p][d] += digits of all keys, in one reading by blocks of THREADS. Bit p of *constant, if that is not NULL, is
// set where all keys have the same digit at position p. counts and *constant are cleared before.
template <int THREADS, int VECTORS, class K, class Order>
__device__ __forceinline__ void count_all_digits(uint32_t (&shared)[sizeof(K)][RADIX], const K *keys, size_t n,
                                                 const Order &order, digit_range digits, unsigned long long *counts,
                                                 unsigned *constant)
{
    constexpr int MOST = sizeof(K); // RADIX_BITS is a byte
    for (int i = threadIdx.x; i < MOST * RADIX; i += THREADS)
        shared[i / RADIX][i % RADIX] = 0;
    __syncthreads();
    auto add = [&](K value) {
        K key = order.key(value);
#pragma unroll
        for (int p = 0; p < MOST; p++)
            if (p < digits.count())
                atomicAdd(&shared[p][digit_of(key, digits.first_bit(p), digits.mask(p))], 1);
    };
    key_vectors<K>(keys, n).template for_all<THREADS, VECTORS>(add, [] { return false; });
    __syncthreads();
    for (int i = threadIdx.x; i < MOST * RADIX; i += THREADS) {
        unsigned long long own = shared[i / RADIX][i % RADIX];
        if (own > 0 && atomicAdd(&counts[i], own) + own == n && constant != nullptr)
            atomicOr(constant, 1u << i / RADIX);
    }
}

template <class K>
__global__ void __launch_bounds__(SORT_THREADS)
    count_digits(const K *keys, size_t n, digit_range digits, unsigned long long *counts)
{
    __shared__ uint32_t shared[sizeof(K)][RADIX];
    count_all_digits<SORT_THREADS, DIGIT_VECTORS>(shared, keys, n, same_order<K>{}, digits, counts, nullptr);
}

// Counts of RADIX digits become the places where those begin. For the first RADIX threads; ends with the block in step.
__device__ __forceinline__ void place_digits_of(unsigned long long *row)
{
    __shared__ unsigned long long warp_total[RADIX / WARP];
    unsigned long long count = threadIdx.x < RADIX ? row[threadIdx.x] : 0;
    unsigned long long inclusive = warp_scan<op_sum<sk_u64>>(count);
    if (threadIdx.x < RADIX && lane_id() == WARP - 1)
        warp_total[threadIdx.x / WARP] = inclusive;
    __syncthreads();
    if (threadIdx.x < RADIX) {
        for (int w = 0; w < threadIdx.x / WARP; w++)
            inclusive += warp_total[w];
        row[threadIdx.x] = inclusive - count;
    }
    __syncthreads();
}

// A block a digit position.
static __global__ void __launch_bounds__(RADIX) digit_offsets(unsigned long long *counts)
{
    place_digits_of(counts + blockIdx.x * RADIX);
}

#endif
