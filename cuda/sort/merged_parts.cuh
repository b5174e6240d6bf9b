// merged_parts.cuh - sorts of parts of the keys, and merges of the parts.
#ifndef SK_CUDA_MERGED_PARTS_CUH
#define SK_CUDA_MERGED_PARTS_CUH

#include "device/device.cuh"

// Sorts as cuda_sort_values(). *done is false if memory for a second array is short, or if keys of 4 bytes are sorted
// by digits, of which they have few: the keys are still there then.
scankit_error sort_merged_parts(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, size_t n,
                                bool *done);

#endif
