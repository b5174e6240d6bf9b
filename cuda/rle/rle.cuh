// rle.cuh - reductions of runs (reduce_by_key.cu).
#ifndef SK_CUDA_RLE_CUH
#define SK_CUDA_RLE_CUH

#include "device/device.cuh"

// True if a tile of keys and values fits the shared memory of a block.
bool reduces_scalar_runs(const cuda_device *gpu, const sk_runs &runs);

// Reduces runs of scalars, compared whole. *count (or NULL) gets the number of runs.
scankit_error reduce_scalar_runs(cuda_device *gpu, const sk_runs &runs, size_t *count);

// Reduces runs whose heads are flagged.
scankit_error reduce_flagged_runs(cuda_device *gpu, const sk_runs &runs, const uint8_t *heads, size_t *count);

// Counts the elements of runs whose heads are flagged.
scankit_error count_flagged_runs(cuda_device *gpu, const uint8_t *heads, uint64_t *counts, size_t n, size_t *count);

#endif
