// segmented_few.h - segmented reduce of at most SEGMENTED_FEW segments, by a commutative operator.
#ifndef SK_CUDA_SEGMENTED_FEW_H
#define SK_CUDA_SEGMENTED_FEW_H

#include "device/device.cuh"

scankit_error cuda_reduce_few_segments(cuda_device *gpu, scankit_type type, scankit_operator op, const void *in,
                                       const uint64_t *offsets, void *results, size_t segments);

#endif
