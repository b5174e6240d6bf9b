// few_words.cuh - a stable sort of few elements, with or without values, in one launch.
#ifndef SK_CUDA_FEW_WORDS_CUH
#define SK_CUDA_FEW_WORDS_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

// Sorts request.n elements that are not in place by request.bits bits from begin_bit on, as block-ranges does. order:
// of the keys, if they are whole numbers; NULL: they are words.
scankit_error sort_few_words(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                             unsigned begin_bit, const sk_piece *order);

#endif
