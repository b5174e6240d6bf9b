// ring_launch.cuh - the host's side of the ring (ring.cuh): its arguments and its launch.
#ifndef SK_CUDA_RING_LAUNCH_CUH
#define SK_CUDA_RING_LAUNCH_CUH

#include "common/choose_ring.h"
#include "common/ring.cuh"
#include "device/check.cuh"

inline ring_arguments ring_over(const void *in, void *out, size_t bytes)
{
    unsigned lead = unsigned(uintptr_t(in) % 16);
    ring_arguments to = {};
    to.in = static_cast<const unsigned char *>(in) - lead;
    to.out = static_cast<unsigned char *>(out) - lead;
    to.low = lead;
    to.high = lead + bytes;
    to.bulk_out = uintptr_t(to.out) % 16 == 0;
    return to;
}

template <class Shape> size_t ring_tiles(const ring_arguments &to)
{
    return (to.high - 1) / Shape::TILE_BYTES + 1;
}

// kernel calls ring_run<Op, Shape>(), T is Op's type. A block has the whole shared memory of a multiprocessor.
template <class T, class Shape, class... Parameters, class... Arguments>
scankit_error ring_launch(cuda_device *gpu, void (*kernel)(Parameters...), const ring_arguments &to,
                          Arguments... arguments)
{
    constexpr int BYTES = sizeof(ring_memory<T, Shape>);
    END_REHEARSAL(gpu);
    size_t tiles = ring_tiles<Shape>(to), blocks = tiles < size_t(gpu->processors) ? tiles : size_t(gpu->processors);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    kernel<<<unsigned(blocks), Shape::THREADS, BYTES, gpu->stream>>>(to, arguments...);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

#endif
