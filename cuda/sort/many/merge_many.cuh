// merge_many.cuh - the pass that merge_many.cu offers to the sorts.
#ifndef SK_CUDA_MERGE_MANY_CUH
#define SK_CUDA_MERGE_MANY_CUH

#include "device/device.cuh"
#include "device/tuning.cuh"

// Levels of merging by two that one pass does, at most.
constexpr unsigned MANY_LEVELS = 5;
static_assert(MANY_RUNS == 1 << MANY_LEVELS);

// Merges all sorted runs of `run` elements, 2 to MANY_RUNS, from in to out. Stable; keys have 4 or 8 bytes and count
// whole.
scankit_error merge_many_runs(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                              size_t run);

#endif
