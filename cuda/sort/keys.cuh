// hybrid.cuh - the sort of keys alone, by buckets.
#ifndef SK_CUDA_HYBRID_CUH
#define SK_CUDA_HYBRID_CUH

#include "device/device.cuh"

// Sorts n keys of 4 or 8 bytes by the order of the piece, which is all of them; in may be out. spare: as the backend's.
// Not *done, and all as it was, where another way is better. Waits for what was counted.
scankit_error hybrid_sort(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, void *spare, size_t n,
                          bool *done);

#endif
