// predicate.cuh - a predicate on its way to the GPU: as steps for the interpreter, or as a kernel compiled for it.
#ifndef SK_CUDA_PREDICATE_CUH
#define SK_CUDA_PREDICATE_CUH

#include <string>

#include "device/arena.cuh"
#include "compact/interpret.cuh"

// ---- program.cu ----

struct uploaded_program {
    device_program program;
    const set_range *ranges;
    bool narrow; // slots of 4 bytes do
};

// Into workspace of the caller's.
scankit_error upload_program(cuda_device *gpu, workspace &scratch, const sk_program &program,
                             uploaded_program *uploaded);

// The ranges alone, which compiled kernels read too.
scankit_error upload_ranges(cuda_device *gpu, workspace &scratch, const sk_program &program, const set_range **ranges);

// ---- source.cu ----

// How a selection of scalars is passed over.
enum compact_engine {
    ENGINE_TILES, // a block a tile
    ENGINE_RING,
};

// The kernel that a predicate is compiled into: the call that its body is.
enum kernel_shape {
    SHAPE_SCALARS,                           // elements of 1, 2, 4 and 8 bytes by tiles, and on the ring
    SHAPE_RECORDS_1 = SHAPE_SCALARS + 2 * 4, // compact_records<uint8_t>
    SHAPE_RECORDS_4,
    SHAPE_RECORDS_8,
    SHAPE_RECORDS_16,
    SHAPE_FLAGS, // flag_records, with flags as its second argument
};

inline kernel_shape scalars_shape(compact_engine engine, size_t element_size)
{
    return kernel_shape(SHAPE_SCALARS + 4 * engine + __builtin_ctzll(element_size));
}

// The text of a kernel named "kernel".
std::string kernel_source(const sk_program &program, kernel_shape shape);

// ---- compile.cu ----

// Compiled at once, or kept from before. SCANKIT_E_NO_DEVICE where NVRTC is not installed.
scankit_error compiled_kernel(cuda_device *gpu, const sk_program &program, kernel_shape shape, cudaKernel_t *kernel);

// The same where that pays: answers true and the kernel once interpreting the predicate has taken about as long as
// compiling it. n: elements that are to be looked at now.
bool compiled_kernel_pays(cuda_device *gpu, const sk_program &program, kernel_shape shape, size_t n,
                          cudaKernel_t *kernel);

#endif
