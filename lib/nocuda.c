/* nocuda.c - the CUDA backend of a build without CUDA: there is no such device. */
#include "backend.h"

static int count(void)
{
    return 0;
}

static scankit_error refuse(sk_device **device, int number)
{
    (void)number;
    *device = NULL;
    return SCANKIT_E_NO_DEVICE;
}

const sk_backend sk_cuda_backend = {.prefix = "cuda", .count = count, .open = refuse};
