// long_segments.cuh - sorts segments that no block can hold.
#ifndef SK_CUDA_LONG_SEGMENTS_CUH
#define SK_CUDA_LONG_SEGMENTS_CUH

#include "device/device.cuh"
#include "sort/segments/segments.cuh"

// Sorts the segments of the list one after the other.
scankit_error sort_giant_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, segment_list list);

// Sorts the segments of the list, which is not empty; they have `elements` of the n elements. Few are sorted one after
// the other, and many together.
scankit_error sort_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, segment_list list, size_t elements, size_t n);

// Takes the workspace that one giant segment or up to `segments` long ones may need, with n elements in all.
scankit_error rehearse_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                     size_t segments, size_t n);

#endif
