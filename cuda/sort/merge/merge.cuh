// merge.cuh - the passes that merge.cu offers to the sorts.
#ifndef SK_CUDA_MERGE_CUH
#define SK_CUDA_MERGE_CUH

#include "device/device.cuh"

// Merges neighbouring sorted runs of `run` elements, two at a time, from in to out, stably by bits [begin_bit,
// end_bit).
scankit_error merge_runs(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n, size_t run,
                         unsigned begin_bit, unsigned end_bit);

// The same for whole keys of 4 or 8 bytes alone, 2 or 4 runs at a time.
scankit_error merge_key_runs(cuda_device *gpu, unsigned key_size, const void *in, void *out, size_t n, size_t run,
                             int runs);

// Keys per chunk of the sort below.
size_t key_chunk(unsigned key_size);

// Sorts each chunk of whole keys of 4 or 8 bytes alone; in may be out.
scankit_error sort_key_chunks(cuda_device *gpu, unsigned key_size, const void *in, void *out, size_t n);

#endif
