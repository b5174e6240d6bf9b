// launch.cuh - programmatic launches: the kernel may begin before the previous launch has ended, and waits for it
// (overlap.cuh). Saves about a microsecond a launch where many short kernels follow one another.
#ifndef SK_CUDA_LAUNCH_CUH
#define SK_CUDA_LAUNCH_CUH

#include <type_traits>

#include "device/check.cuh"

// Bytes of shared memory that every kernel may have.
constexpr size_t USUAL_ROOM = size_t(48) << 10;

// room: bytes of dynamic shared memory, for which the kernel need not ask.
template <class... Parameters>
scankit_error launch_usual(cuda_device *gpu, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                           size_t room, std::type_identity_t<Parameters>... arguments)
{
    END_REHEARSAL(gpu);
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = room;
    config.stream = gpu->stream;
    config.attrs = &overlap;
    config.numAttrs = gpu->overlaps && !gpu->captures ? 1 : 0;
    CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
    return SCANKIT_OK;
}

// The same with any room that a block may have. To ask for it takes the host some tenths of a microsecond.
template <class... Parameters>
scankit_error launch(cuda_device *gpu, void (*kernel)(Parameters...), unsigned blocks, unsigned threads, size_t room,
                     std::type_identity_t<Parameters>... arguments)
{
    END_REHEARSAL(gpu);
    if (room > 0)
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    return launch_usual(gpu, kernel, blocks, threads, room, arguments...);
}

#endif
