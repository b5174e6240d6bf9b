// launch.cuh - a launch that may begin before the one in front of it has ended, for which its kernel then waits
// (grid/overlap.cuh): where many short ones follow one another, each would lose a microsecond.
#ifndef SK_CUDA_LAUNCH_CUH
#define SK_CUDA_LAUNCH_CUH

#include <type_traits>

#include "device/check.cuh"

// room: bytes of shared memory that the kernel does not declare itself.
template <class... Parameters>
scankit_error launch(cuda_device *gpu, void (*kernel)(Parameters...), unsigned blocks, unsigned threads, size_t room,
                     std::type_identity_t<Parameters>... arguments)
{
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = room;
    config.stream = gpu->stream;
    config.attrs = &overlap;
    config.numAttrs = gpu->overlaps ? 1 : 0;
    if (room > 0)
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
    return SCANKIT_OK;
}

#endif
