// rle.cuh - what the files about runs share: heads, a flag an element where a run begins.
#ifndef SK_CUDA_RLE_CUH
#define SK_CUDA_RLE_CUH

#include "device.cuh"

// Reduces the runs that the heads mark; *count (or NULL) gets how many there are.
scankit_error reduce_flagged_runs(cuda_device *gpu, const sk_runs &runs, const uint8_t *heads, size_t *count);

// The same of ones, so that it counts: run lengths, of 64 bits.
scankit_error count_flagged_runs(cuda_device *gpu, const uint8_t *heads, uint64_t *counts, size_t n, size_t *count);

#endif
