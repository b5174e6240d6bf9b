// words.cuh - the stable sort of few pairs as words: each word is a key above its position. So words are distinct, the
// sort of words need not be stable, and it moves no values.
#ifndef SK_CUDA_WORDS_CUH
#define SK_CUDA_WORDS_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

// Sorts fewer than 2^32 keys of 4 bytes by request.bits bits from begin_bit on, with values of 4 or 8 bytes beside
// them. in may be out; other is a second array. order: of the keys; NULL: they are words.
scankit_error sort_words(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                         sk_columns other, unsigned begin_bit, const sk_piece *order);

#endif
