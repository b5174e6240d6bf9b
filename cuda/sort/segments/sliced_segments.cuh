// sliced_segments.cuh - a segmented sort of few elements, which never waits.
#ifndef SK_CUDA_SLICED_SEGMENTS_CUH
#define SK_CUDA_SLICED_SEGMENTS_CUH

#include "device/device.cuh"
#include "sort/segments/segments.cuh"

// True if slices can sort n elements: they are few enough.
bool can_be_sliced(size_t segments, size_t n);

// True if that is faster.
bool are_for_slices(sk_shape shape, size_t segments, size_t n);

// Sorts any segments, and copies other elements. Takes workspace for each column that is sorted in place.
scankit_error sort_sliced_segments(cuda_device *gpu, segment_data data, size_t segments, size_t n);

#endif
