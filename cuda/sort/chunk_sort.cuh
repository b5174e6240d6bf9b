// chunk_sort.cuh - sorts chunks at once, each on chip by a block.
#ifndef SK_CUDA_CHUNK_SORT_CUH
#define SK_CUDA_CHUNK_SORT_CUH

#include "device/device.cuh"
#include "sort/radix/radix_rank.cuh"

// Sorts each chunk of the array, stably, by the bits of the keys in their order. in may be out. order: NULL: keys are
// words. own_begin: NULL, or where each digit begins in the output: of one chunk that is sorted by one digit.
scankit_error sort_chunks(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                          digit_range bits, const sk_piece *order, unsigned long long *own_begin, rank_by way);

#endif
