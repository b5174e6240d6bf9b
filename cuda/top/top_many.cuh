// top_many.cuh - the first elements in order, where a block alone has no room for them.
#ifndef SK_CUDA_TOP_MANY_CUH
#define SK_CUDA_TOP_MANY_CUH

#include "device/device.cuh"

// As the backend's top_first(), for words of 4 and 8 bytes, and positions of words of 4. Otherwise *end stays as it is.
scankit_error top_many(cuda_device *gpu, const sk_top_first &what, sk_top_end *end);

#endif
