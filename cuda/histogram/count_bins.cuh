// count_bins.cuh - the kernel of histograms. Tiles of keys are dealt to blocks; a warp counts 32 keys at a time.
//
// Where all of them have one bin, lanes count in registers, until another bin fills a warp: so arrays of one value, and
// long runs, need hardly any atomic additions.
#ifndef SK_CUDA_COUNT_BINS_CUH
#define SK_CUDA_COUNT_BINS_CUH

#include "backend.h"
#include "histogram/bin_counts.cuh"

constexpr int HISTOGRAM_THREADS = 512, HISTOGRAM_ITEMS = 8;
constexpr size_t HISTOGRAM_TILE = size_t(HISTOGRAM_THREADS) * HISTOGRAM_ITEMS;

// bin_of(key, bins) for every type.
#define X(enumerator, name, ctype, kind)                                              \
    __device__ __forceinline__ uint32_t bin_of(const ctype &key, const sk_bins &bins) \
    {                                                                                 \
        return sk_bin_##name(key, &bins);                                             \
    }
SCANKIT_TYPES(X)
#undef X

__device__ __forceinline__ device_count sum_of_lanes(device_count value)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(FULL_WARP, value, distance);
    return value;
}

// What a warp counts. All lanes call its functions together.
template <class C, class Counts> struct warp_counts {
    Counts *block;
    uint64_t *counts;
    uint32_t count;    // of bins; also the bin of keys that are not counted
    uint32_t usual;    // the bin that last filled the warp
    device_count here; // its keys in this lane

    __device__ void flush()
    {
        device_count sum = sum_of_lanes(here);
        if (usual < count && sum != 0 && lane_id() == 0)
            block->add(counts, usual, C(sum));
        here = 0;
    }
    __device__ void add(uint32_t bin, C amount)
    {
        uint32_t first = __shfl_sync(FULL_WARP, bin, 0);
        if (__all_sync(FULL_WARP, bin == first)) {
            if (first != usual)
                flush();
            usual = first;
            here += amount;
        } else {
            add_mixed(bin, amount);
        }
    }
    __device__ void add_mixed(uint32_t bin, C amount)
    {
        bool speaks = bin < count;
        if constexpr (Counts::MATCHES && sizeof(C) == 4) {
            unsigned same = __match_any_sync(FULL_WARP, bin);
            amount = __popc(same);
            speaks = speaks && (same & lanes_below()) == 0;
        }
        if (speaks)
            block->add(counts, bin, amount);
    }
};

// C: unsigned, or device_count with weights. Unsigned counts of a block do not overflow: see blocks_for().
template <class T, class C, template <class> class Counts>
__global__ void __launch_bounds__(HISTOGRAM_THREADS) count_bins(sk_histogram what, uint64_t *counts, unsigned copies)
{
    extern __shared__ uint64_t room[];
    Counts<C> block;
    block.open(room, what.bins.count, copies);
    __syncthreads();
    warp_counts<C, Counts<C>> warp = {&block, counts, what.bins.count, what.bins.count, 0};
    const T *keys = static_cast<const T *>(what.keys);
    for (size_t tile = blockIdx.x * HISTOGRAM_TILE; tile < what.n; tile += gridDim.x * HISTOGRAM_TILE) {
        size_t first = tile + threadIdx.x;
        uint32_t bins[HISTOGRAM_ITEMS];
#pragma unroll
        for (int i = 0; i < HISTOGRAM_ITEMS; i++) {
            size_t at = first + size_t(i) * HISTOGRAM_THREADS;
            bins[i] = at < what.n ? bin_of(keys[at], what.bins) : what.bins.count;
        }
#pragma unroll
        for (int i = 0; i < HISTOGRAM_ITEMS; i++) {
            C amount = 1;
            if constexpr (sizeof(C) == 8)
                amount = bins[i] < what.bins.count
                             ? sk_weight_at(what.weight_type, what.weights, first + size_t(i) * HISTOGRAM_THREADS)
                             : 0;
            warp.add(bins[i], amount);
        }
    }
    warp.flush();
    __syncthreads();
    block.close(counts);
}

#endif
