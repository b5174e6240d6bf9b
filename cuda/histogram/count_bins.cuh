// count_bins.cuh - the kernel of histograms with weights, or with more bins than fit. Tiles of keys are dealt to
// blocks.
#ifndef SK_CUDA_COUNT_BINS_CUH
#define SK_CUDA_COUNT_BINS_CUH

#include "backend.h"
#include "common/key_vectors.cuh"
#include "device/overlap.cuh"
#include "histogram/bin_counts.cuh"

constexpr int HISTOGRAM_THREADS = 1024, HISTOGRAM_VECTORS = 4;
constexpr size_t HISTOGRAM_TILE_BYTES = size_t(HISTOGRAM_THREADS) * HISTOGRAM_VECTORS * 16;
constexpr int WATCHED_LEAST = WARP / 8; // lanes that must have a bin for it to be the usual one

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

// What a warp counts. A lane counts keys of the usual bin in a register: so data that mostly have one bin, and long
// runs, need hardly any atomic additions.
template <class C, class Counts> struct warp_counts {
    Counts *block;
    uint64_t *counts;
    uint32_t count;    // of bins; also the bin of keys that are not counted
    uint32_t usual;    // the same bin for all lanes
    uint32_t last;     // the bin that this lane found last
    unsigned turn;     // of the lane whose bin is the next to become the usual one
    device_count held; // keys of the usual bin in this lane

    __device__ __forceinline__ void add(uint32_t bin, C amount)
    {
        last = bin;
        held += bin == usual ? amount : 0;
        block->add(counts, bin, amount, bin < count && bin != usual);
    }
    // By all lanes together.
    __device__ __forceinline__ void flush()
    {
        device_count sum = sum_of_lanes(held);
        block->add(counts, usual, C(sum), usual < count && sum != 0 && lane_id() == 0);
        held = 0;
    }
    // By all lanes together, now and then: another bin becomes the usual one if more lanes have it.
    __device__ __forceinline__ void watch()
    {
        uint32_t other = __shfl_sync(FULL_WARP, last, turn++ % WARP);
        int others = __popc(__ballot_sync(FULL_WARP, last == other));
        if (others > WATCHED_LEAST && others > __popc(__ballot_sync(FULL_WARP, last == usual))) {
            flush();
            usual = other;
        }
    }
};

// C: unsigned, or device_count with weights. Unsigned counts of a block do not overflow: see blocks_for(). EVEN: the
// kind of bins is known. is_done: NULL, or a word that is not 0 if there is nothing left to do.
template <class T, class C, class Counts, bool EVEN>
__global__ void __launch_bounds__(HISTOGRAM_THREADS, 1)
    count_bins(sk_histogram what, uint64_t *counts, unsigned copies, const unsigned *is_done)
{
    extern __shared__ uint64_t room[];
    wait_for_launches();
    if (is_done != nullptr && *is_done != 0)
        return;
    Counts block;
    block.open(room, what.bins.count, copies);
    __syncthreads();
    warp_counts<C, Counts> warp = {&block, counts, what.bins.count, what.bins.count, what.bins.count, 0, 0};
    sk_bins bins = what.bins;
    if (EVEN)
        bins.kind = SCANKIT_BINS_EVEN;
    const key_vectors<T> keys(static_cast<const T *>(what.keys), what.n);
    if constexpr (sizeof(C) == sizeof(unsigned)) {
        keys.template for_all<HISTOGRAM_THREADS, HISTOGRAM_VECTORS>([&](T key) { warp.add(bin_of(key, bins), 1); },
                                                                    [&] {
                                                                        warp.watch();
                                                                        return false;
                                                                    });
    } else {
        for (size_t begin = size_t(blockIdx.x) * HISTOGRAM_THREADS; begin < what.n;
             begin += size_t(gridDim.x) * HISTOGRAM_THREADS) {
            size_t i = begin + threadIdx.x;
            if (i < what.n)
                warp.add(bin_of(keys.keys[i], bins), sk_weight_at(what.weight_type, what.weights, i));
            warp.watch();
        }
    }
    warp.flush();
    __syncthreads();
    block.close(counts);
}

#endif
