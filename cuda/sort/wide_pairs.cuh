// wide_pairs.cuh - a stable sort of few pairs with keys of 8 bytes, in one launch.
#ifndef SK_CUDA_WIDE_PAIRS_CUH
#define SK_CUDA_WIDE_PAIRS_CUH

#include "device/device.cuh"

// Sorts n pairs by whole keys. in and out do not overlap. order: of the keys; NULL: they are words.
scankit_error sort_wide_pairs(cuda_device *gpu, unsigned value_size, sk_const_columns in, sk_columns out, size_t n,
                              const sk_piece *order);

#endif
