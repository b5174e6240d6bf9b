// sample_sort.cuh - sample sort of keys alone.
#ifndef SK_CUDA_SAMPLE_SORT_CUH
#define SK_CUDA_SAMPLE_SORT_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

// Sorts sizes.n keys of 4 or 8 bytes by the order of the piece, which is the whole key; in may be out. spare: as the
// backend's. Does not wait.
scankit_error sample_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare,
                          sample_sizes sizes);

#endif
