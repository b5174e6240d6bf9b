// box_map.cuh - box filters with a radius for each pixel.
#ifndef SK_CUDA_BOX_MAP_CUH
#define SK_CUDA_BOX_MAP_CUH

#include "device/device.cuh"

scankit_error box_by_map(cuda_device *gpu, const scankit_image *in, const scankit_image *out, const sk_box *box);

#endif
