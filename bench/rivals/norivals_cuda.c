/* norivals_cuda.c - replaces rivals_cuda.cu in a build without CUDA. */
#include "rivals.h"

const rivals *rivals_cuda(void)
{
    return NULL;
}
