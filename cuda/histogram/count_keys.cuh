// count_keys.cuh - the kernel of histograms whose keys count 1 each and whose bins all fit into shared memory.
//
// A multiprocessor adds the ones of all lanes with one address at once, so frequent bins cost nothing. Different bins
// in one bank wait for each other. Of several copies of the table, each lane has one, so few lanes can meet in a bank.
#ifndef SK_CUDA_COUNT_KEYS_CUH
#define SK_CUDA_COUNT_KEYS_CUH

#include "histogram/count_bins.cuh"

constexpr unsigned TABLE_COPIES = 8; // at most; then at most BANKS / 8 lanes meet in a bank

// One row more than bins, of the keys that are not counted, and then whole blocks of rows.
__host__ __device__ __forceinline__ uint32_t table_rows(uint32_t bins)
{
    return bins / BANKS * BANKS + BANKS;
}

// EVEN: the kind of bins is known. Few keys are dealt in tiles of one vector a thread, so that more blocks have some.
template <class T, bool EVEN>
__global__ void __launch_bounds__(HISTOGRAM_THREADS, 1) count_keys(sk_histogram what, uint64_t *counts, unsigned copies)
{
    extern __shared__ unsigned table[];
    sk_bins bins = what.bins;
    if (EVEN)
        bins.kind = SCANKIT_BINS_EVEN;
    for (unsigned i = threadIdx.x; i < table_rows(bins.count) * copies; i += HISTOGRAM_THREADS)
        table[i] = 0;
    __syncthreads();
    unsigned *own = table + lane_id() % copies;
    const key_vectors<T> keys(static_cast<const T *>(what.keys), what.n);
    auto count = [&](T key) { atomicAdd(&own[table_row(bin_of(key, bins)) * copies], 1u); };
    if (keys.whole <= size_t(gridDim.x) * HISTOGRAM_THREADS * HISTOGRAM_VECTORS)
        keys.template for_keys<HISTOGRAM_THREADS, 1>(count);
    else
        keys.template for_keys<HISTOGRAM_THREADS, HISTOGRAM_VECTORS>(count);
    __syncthreads();
    for (uint32_t bin = threadIdx.x; bin < bins.count; bin += HISTOGRAM_THREADS) {
        unsigned sum = 0;
        for (unsigned copy = 0; copy < copies; copy++)
            sum += table[table_row(bin) * copies + copy];
        if (sum != 0)
            add_to_device(counts, bin, sum);
    }
}

#endif
