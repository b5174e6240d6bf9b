// pairs.cuh - the stable sort of pairs, by buckets.
#ifndef SK_CUDA_PAIRS_CUH
#define SK_CUDA_PAIRS_CUH

#include "device/device.cuh"

// Sorts n keys of 4 or 8 bytes by bits [begin_bit, end_bit), values of 4 or 8 bytes beside them. Keys and values of in
// may be those of out; other is a second array to move to. Not *done, and in as it was, where another way is better.
// Waits for what was counted.
scankit_error bucket_sort_pairs(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, sk_columns other,
                                size_t n, unsigned begin_bit, unsigned end_bit, bool *done);

#endif
