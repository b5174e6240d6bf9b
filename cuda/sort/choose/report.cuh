// report.cuh - tells the library which algorithm sorts.
#ifndef SK_CUDA_REPORT_CUH
#define SK_CUDA_REPORT_CUH

#include "device/device.cuh"
#include "sort/choose/choose.h"

inline void report(cuda_device *gpu, sort_algorithm algorithm)
{
    gpu->base.algorithm = sort_algorithm_name(algorithm);
}

#endif
