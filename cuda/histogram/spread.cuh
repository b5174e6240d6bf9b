// spread.cuh - the kernel that tells from a sample whether keys are spread over many bins. If they are not, the cache
// of frequent bins (bin_counts.cuh) counts them faster than parts do.
#ifndef SK_CUDA_SPREAD_CUH
#define SK_CUDA_SPREAD_CUH

#include "histogram/bin_parts.cuh"
#include "histogram/count_bins.cuh"

constexpr unsigned SPREAD_THREADS = 1024, SPREAD_KEYS = 4096, LOG_SPREAD_SLOTS = 13;

// Sampled keys whose bin was met before: with more of them, the cache is the faster one.
constexpr unsigned SPREAD_MOST = SPREAD_KEYS / 6 * 5;

// By one block, for SPREAD_KEYS keys or more. Also makes the parts' sums zero.
template <class T> __global__ void __launch_bounds__(SPREAD_THREADS) find_spread(sk_histogram what, bin_parts parts)
{
    constexpr unsigned FREE = ~0u, SLOTS = 1u << LOG_SPREAD_SLOTS, EACH = SPREAD_KEYS / SPREAD_THREADS;
    __shared__ unsigned owners[SLOTS], sum;
    let_next_begin();
    wait_for_launches();
    const size_t stretch = what.n / SPREAD_KEYS; // of keys, one of which is sampled
    uint32_t bin[EACH];
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const unsigned s = k * SPREAD_THREADS + threadIdx.x;
        bin[k] = bin_of(static_cast<const T *>(what.keys)[s * stretch + scattered<24>(s) % stretch], what.bins);
    }
    for (unsigned i = threadIdx.x; i < SLOTS; i += SPREAD_THREADS)
        owners[i] = FREE;
    if (threadIdx.x == 0)
        sum = 0;
    if (threadIdx.x < parts.count)
        parts.vectors[threadIdx.x] = 0;
    __syncthreads();
    unsigned met = 0;
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        met += atomicCAS(&owners[scattered<LOG_SPREAD_SLOTS>(bin[k])], FREE, bin[k]) == bin[k];
    met = warp_sum(met);
    if (lane_id() == 0)
        atomicAdd(&sum, met);
    __syncthreads();
    if (threadIdx.x == 0)
        *parts.is_wanted = sum <= SPREAD_MOST;
}

#endif
