// rle.cuh - what the files about runs share.
#ifndef SK_CUDA_RLE_CUH
#define SK_CUDA_RLE_CUH

#include "device/device.cuh"

// Whether there is shared memory for what keys and values of that size take.
bool reduces_scalar_runs(const cuda_device *gpu, const sk_runs &runs);

// Reduces runs of scalars, compared whole; *count (or NULL) gets how many there are.
scankit_error reduce_scalar_runs(cuda_device *gpu, const sk_runs &runs, size_t *count);

// Reduces the runs that the heads mark, a flag an element where a run begins.
scankit_error reduce_flagged_runs(cuda_device *gpu, const sk_runs &runs, const uint8_t *heads, size_t *count);

// The same of ones, so that it counts: run lengths, of 64 bits.
scankit_error count_flagged_runs(cuda_device *gpu, const uint8_t *heads, uint64_t *counts, size_t n, size_t *count);

#endif
