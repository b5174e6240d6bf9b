// pairs.cuh - the stable sort of pairs by buckets.
#ifndef SK_CUDA_PAIRS_CUH
#define SK_CUDA_PAIRS_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

// Sorts n keys of 4 or 8 bytes by request.bits bits from begin_bit on, with values of 4 or 8 bytes beside them. in
// may be out; other is a second array. If radix sort is better, *done is false and in is unchanged.
// Waits for the counts.
scankit_error bucket_sort_pairs(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                                sk_columns other, unsigned begin_bit, bool *done);

#endif
