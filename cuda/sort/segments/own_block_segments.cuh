// own_block_segments.cuh - the sort of segments each by a block of its own.
#ifndef SK_CUDA_OWN_BLOCK_SEGMENTS_CUH
#define SK_CUDA_OWN_BLOCK_SEGMENTS_CUH

#include "device/device.cuh"
#include "sort/segments/segments.cuh"
#include "sort/segments/short_segments.cuh"

// True if these sort few segments faster than slices and merges do.
bool are_for_own_blocks(const cuda_device *gpu, sk_shape shape, segment_totals all);

// Sorts the segments of all classes before LONG_CLASS. Asks for the report of what is left.
scankit_error sort_segments_in_own_blocks(cuda_device *gpu, const segment_data &data, segment_totals all);

// From this class on, own blocks sort segments also where these are many. LONG_CLASS if they sort none.
unsigned first_own_class(const cuda_device *gpu, sk_shape shape);

// Sorts the listed segments from that class to the last one before LONG_CLASS.
scankit_error sort_own_classes(cuda_device *gpu, const segment_data &data, segment_totals all,
                               const segment_lists &lists);

#endif
