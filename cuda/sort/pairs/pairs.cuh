// pairs.cuh - the stable sort of pairs by buckets.
#ifndef SK_CUDA_PAIRS_CUH
#define SK_CUDA_PAIRS_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

// Sorts n keys of 4 or 8 bytes by request.bits bits from begin_bit on, with values of 4 or 8 bytes beside them. Keys
// and values of in may be those of out; other is a second array. Not *done, and in as it was, if radix sort is better.
// Waits for the counts.
scankit_error bucket_sort_pairs(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                                sk_columns other, unsigned begin_bit, bool *done);

#endif
