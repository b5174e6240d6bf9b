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

// True if slices can sort long segments with so few elements in all: columns are not in place, and keys are not narrow.
bool can_share_long(const segment_data &data, size_t elements);

// Sorts listed segments, each longer than a block has room for, with `elements` in all at most.
scankit_error sort_shared_segments(cuda_device *gpu, const segment_data &data, segment_list list, size_t elements);

#endif
