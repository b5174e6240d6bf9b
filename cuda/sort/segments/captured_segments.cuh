// captured_segments.cuh - a segmented sort that never waits: what a CUDA graph can hold.
#ifndef SK_CUDA_CAPTURED_SEGMENTS_CUH
#define SK_CUDA_CAPTURED_SEGMENTS_CUH

#include "device/device.cuh"
#include "sort/segments/segments.cuh"

// As the backend's segmented_sort, n > 0. In a rehearsal takes the same workspace. Refuses more than 2^32 - 2 segments.
scankit_error sort_captured_segments(cuda_device *gpu, const segment_data &data, size_t segments, size_t n);

#endif
