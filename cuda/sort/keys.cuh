// keys.cuh - the sort of keys alone.
#ifndef SK_CUDA_KEYS_CUH
#define SK_CUDA_KEYS_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

// Sorts keys that are numbers (request.are_numbers) by the order of the piece, by any algorithm but chunk-merge; in may
// be out. spare: as the backend's. Waits for the survey if there is one. digits: if not NULL, keys that the survey
// would have sorted by digits stay as they are, and *digits is true.
scankit_error sort_keys(cuda_device *gpu, const sort_request &request, const sk_piece &piece, const void *in, void *out,
                        void *spare, bool *digits = nullptr);

#endif
