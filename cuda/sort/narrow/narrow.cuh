// narrow.cuh - the counting sort of keys of 1 and 2 bytes.
#ifndef SK_CUDA_NARROW_CUH
#define SK_CUDA_NARROW_CUH

#include "device/device.cuh"

// Sorts n keys of 1 or 2 bytes, which are numbers, by the order of the piece. in may be out.
scankit_error sort_by_counts(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, size_t n);

#endif
