// digits.cuh - the digits of keys: which there are, how often each occurs, where each begins.
#ifndef SK_CUDA_GRID_DIGITS_CUH
#define SK_CUDA_GRID_DIGITS_CUH

#include "grid/key_map.cuh"
#include "op.cuh"
#include "thread.cuh"
#include "tuning.cuh"
#include "warp.cuh"

// What a sort asks of the counting of digits.
struct digit_findings {
    const key_survey *survey; // NULL, or there is something to do only where it says so
    unsigned *constant;       // bit p: all keys have the same digit at position p; cleared before
};

// counts[p][d]: all digits of all keys, in one reading. counts is cleared before.
template <class K, class Order>
__global__ void __launch_bounds__(SORT_THREADS) count_digits(const K *keys, size_t n, Order order, digit_range digits,
                                                             unsigned long long *counts, digit_findings findings)
{
    constexpr int MOST = sizeof(K); // RADIX_BITS is a byte
    __shared__ uint32_t shared[MOST][RADIX];
    if (findings.survey != nullptr && !findings.survey->is_for_digits())
        return;
    for (int i = threadIdx.x; i < MOST * RADIX; i += SORT_THREADS)
        shared[i / RADIX][i % RADIX] = 0;
    __syncthreads();
    auto add = [&](K value) {
        K key = order.key(value);
#pragma unroll
        for (int p = 0; p < MOST; p++)
            if (p < digits.count())
                atomicAdd(&shared[p][digit_of(key, digits.first_bit(p), digits.mask(p))], 1);
    };
    key_vectors<K> vectors(keys, n);
    if (blockIdx.x == 0)
        vectors.for_ends(add);
    constexpr size_t EACH = size_t(SORT_THREADS) * DIGIT_VECTORS;
    for (size_t begin = blockIdx.x * EACH; begin < vectors.whole; begin += gridDim.x * EACH) {
        uint4 found[DIGIT_VECTORS];
#pragma unroll
        for (int i = 0; i < DIGIT_VECTORS; i++) {
            size_t at = begin + i * SORT_THREADS + threadIdx.x;
            if (at < vectors.whole)
                found[i] = __ldcs(&vectors.first[at]);
        }
#pragma unroll
        for (int i = 0; i < DIGIT_VECTORS; i++)
            if (begin + i * SORT_THREADS + threadIdx.x < vectors.whole)
                key_vectors<K>::for_each(found[i], add);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < MOST * RADIX; i += SORT_THREADS)
        if (shared[i / RADIX][i % RADIX] > 0) {
            unsigned long long own = shared[i / RADIX][i % RADIX], before = atomicAdd(&counts[i], own);
            if (findings.constant != nullptr && before + own == n)
                atomicOr(findings.constant, 1u << i / RADIX);
        }
}

// A block a digit position: counts become the places where the digits begin.
static __global__ void __launch_bounds__(RADIX) digit_offsets(unsigned long long *counts)
{
    __shared__ unsigned long long warp_total[RADIX / WARP];
    unsigned long long *row = counts + blockIdx.x * RADIX;
    unsigned long long count = row[threadIdx.x];
    unsigned long long inclusive = warp_scan<op_sum<sk_u64>>(count);
    if (lane_id() == WARP - 1)
        warp_total[threadIdx.x / WARP] = inclusive;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / WARP; w++)
        inclusive += warp_total[w];
    row[threadIdx.x] = inclusive - count;
}

#endif
