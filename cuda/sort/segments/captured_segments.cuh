// captured_segments.cuh - a segmented sort that never waits: what a CUDA graph can hold.
#ifndef SK_CUDA_CAPTURED_SEGMENTS_CUH
#define SK_CUDA_CAPTURED_SEGMENTS_CUH

#include "device/device.cuh"

// As the backend's segmented_sort, n > 0. In a rehearsal takes the same workspace. Refuses more than 2^32 - 2 segments.
scankit_error sort_captured_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                     const uint64_t *offsets, size_t segments, size_t n);

#endif
