// count_halves.cuh - the kernels of histograms whose bins fit into shared memory with counters of 16 bits, but not
// of 32.
//
// A thread that finds a counter half full empties it into the device's counts at the end of the step. Until then all
// add no more than the other half holds.
#ifndef SK_CUDA_COUNT_HALVES_CUH
#define SK_CUDA_COUNT_HALVES_CUH

#include "common/aggregate.cuh"
#include "histogram/count_bins.cuh"

constexpr unsigned HALF_FULL = 1u << 15;
constexpr uint32_t NO_BIN = ~0u;

// Of a block's counters: whole rows of all banks.
__host__ __device__ __forceinline__ uint32_t half_words(uint32_t bins)
{
    return (bins + 2 * BANKS - 1) / (2 * BANKS) * BANKS;
}

// A block's counters.
struct half_counters {
    uint32_t *words;
    uint32_t count; // of bins

    // Returns true if the counter was half full. What is no bin is left out.
    __device__ __forceinline__ bool add(uint32_t bin, unsigned amount) const
    {
        unsigned half = bin % 2 * 16;
        return bin < count && (atomicAdd(word_of(bin), amount << half) & HALF_FULL << half) != 0;
    }
    // Once for each time that the counter becomes half full, however many call it.
    __device__ __forceinline__ void empty(uint32_t bin, uint64_t *counts) const
    {
        unsigned full = HALF_FULL << bin % 2 * 16;
        if (atomicAnd(word_of(bin), ~full) & full)
            add_to_device(counts, bin, HALF_FULL);
    }

  private:
    __device__ __forceinline__ uint32_t *word_of(uint32_t bin) const
    {
        return &words[table_row(bin / 2)];
    }
};

// EVEN: the kind of bins is known. The block's counters go to its row of `rows`.
template <class T, bool EVEN>
__global__ void __launch_bounds__(HISTOGRAM_THREADS, 1)
    count_halves(sk_histogram what, uint64_t *counts, uint32_t *rows)
{
    constexpr int EACH = key_vectors<T>::EACH, VECTORS = EACH >= 16 ? 1 : EACH > 4 ? 16 / EACH : HISTOGRAM_VECTORS;
    static_assert(VECTORS * EACH * HISTOGRAM_THREADS < HALF_FULL, "a step adds less than half of a counter");
    extern __shared__ uint32_t words[];
    wait_for_launches();
    half_counters counters = {words, what.bins.count};
    const uint32_t all = half_words(what.bins.count);
    sk_bins bins = what.bins;
    if (EVEN)
        bins.kind = SCANKIT_BINS_EVEN;
    for (uint32_t w = threadIdx.x; w < all; w += HISTOGRAM_THREADS)
        words[w] = 0;
    __syncthreads();
    const key_vectors<T> keys(static_cast<const T *>(what.keys), what.n);
    size_t at = size_t(blockIdx.x) * VECTORS * HISTOGRAM_THREADS + threadIdx.x; // the thread's first vector of a step
    keys.template stream<HISTOGRAM_THREADS, VECTORS>(
        [&](const uint4(&found)[VECTORS], int valid) {
            uint32_t usual = NO_BIN;
            unsigned held = 0, full = 0; // a bit for each key whose counter was half full
#pragma unroll
            for (int i = 0; i < VECTORS; i++) {
                const T *key = reinterpret_cast<const T *>(&found[i]);
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    uint32_t bin = i < valid ? bin_of(key[k], bins) : NO_BIN;
                    if (i == 0 && k == 0 && are_lanes_alike(bin))
                        usual = bin;
                    held += bin == usual;
                    if (bin != usual && counters.add(bin, 1))
                        full |= 1u << (i * EACH + k);
                }
            }
            if (usual != NO_BIN) { // for all lanes alike
                held = warp_sum(held);
                if (lane_id() == 0 && counters.add(usual, held))
                    counters.empty(usual, counts);
            }
            for (; full != 0; full &= full - 1) {
                int k = __ffs(int(full)) - 1;
                counters.empty(bin_of(keys.of_vector(at + k / EACH * HISTOGRAM_THREADS, k % EACH), bins), counts);
            }
            at += size_t(gridDim.x) * VECTORS * HISTOGRAM_THREADS;
            __syncthreads(); // counters are hardly more than half full
        },
        [&](size_t place, bool is_there) {
            if (is_there)
                counters.add(bin_of(keys.keys[place], bins), 1);
        });
    __syncthreads();
    for (uint32_t w = threadIdx.x; w < all; w += HISTOGRAM_THREADS)
        rows[size_t(blockIdx.x) * all + w] = words[w];
}

// Adds the rows of all blocks to the counts. Additions by each block took longer.
struct add_rows {
    const uint32_t *rows;
    unsigned blocks;
    uint32_t bins;
    uint64_t *counts;

    // By a thread for each word.
    __device__ void operator()(size_t word) const
    {
        unsigned lower = 0, upper = 0;
#pragma unroll 8
        for (unsigned b = 0; b < blocks; b++) {
            uint32_t both = rows[size_t(b) * half_words(bins) + word];
            lower += both & 0xffff;
            upper += both >> 16;
        }
        uint32_t bin = 2 * table_row(unsigned(word)); // its own inverse
        if (bin < bins)
            counts[bin] += lower;
        if (bin + 1 < bins)
            counts[bin + 1] += upper;
    }
};

#endif
