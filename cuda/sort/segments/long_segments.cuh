// long_segments.cuh - sorts segments that no block can hold.
#ifndef SK_CUDA_LONG_SEGMENTS_CUH
#define SK_CUDA_LONG_SEGMENTS_CUH

#include "device/device.cuh"
#include "sort/segments/segments.cuh"

// Sorts the segments of the list, which is not empty; `elements` in all. Few or very long ones are sorted one after the
// other; many are sorted together.
scankit_error sort_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, segment_list list, size_t elements);

#endif
