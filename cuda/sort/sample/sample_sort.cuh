// sample_sort.cuh - the sort of keys alone where they are neither few nor very many.
#ifndef SK_CUDA_SAMPLE_SORT_CUH
#define SK_CUDA_SAMPLE_SORT_CUH

#include "device/device.cuh"

// Measured on an H100: it is best for all keys, and for some where others have been looked at.
constexpr size_t SAMPLE_SORT_LEAST = (size_t(1) << 17) + 1, SAMPLE_SORT_MOST = size_t(1) << 21;
constexpr size_t SAMPLE_SORT_SKEWED_MOST = size_t(1) << 22;

// Sorts n keys of 4 or 8 bytes, from SAMPLE_SORT_LEAST to SAMPLE_SORT_SKEWED_MOST, by the order of the piece, which is
// all of them; in may be out. spare: as the backend's. few_values: a small sample has nearly all. Does not wait.
scankit_error sample_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare, size_t n,
                          bool few_values);

#endif
