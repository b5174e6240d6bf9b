// predicate.cuh - predicates for the GPU: as steps for the interpreter, or as compiled kernels.
#ifndef SK_CUDA_PREDICATE_CUH
#define SK_CUDA_PREDICATE_CUH

#include <string>

#include "compact/interpret.cuh"
#include "device/arena.cuh"

// ---- program.cu ----

struct uploaded_program {
    device_program program;
    const set_range *ranges;
    bool narrow; // slots of 4 bytes suffice
};

// Into the caller's workspace.
scankit_error upload_program(cuda_device *gpu, workspace &scratch, const sk_program &program,
                             uploaded_program *uploaded);

// The ranges alone: compiled kernels read them too.
scankit_error upload_ranges(cuda_device *gpu, workspace &scratch, const sk_program &program, const set_range **ranges);

// ---- source.cu ----

// The body of a compiled kernel.
enum kernel_body {
    BODY_SCALARS,                   // compact_scalars() of elements of 1, 2, 4 and 8 bytes
    BODY_RING = BODY_SCALARS + 4,   // compact_on_ring(), likewise
    BODY_RECORDS_1 = BODY_RING + 4, // compact_records<uint8_t>()
    BODY_RECORDS_4,
    BODY_RECORDS_8,
    BODY_RECORDS_16,
    BODY_FLAGS, // flag_records(); the kernel's second argument is the flags
};

constexpr kernel_body scalars_body(bool on_ring, size_t element_size)
{
    return kernel_body((on_ring ? BODY_RING : BODY_SCALARS) + __builtin_ctzll(element_size));
}

constexpr kernel_body records_body(size_t unit_size)
{
    return unit_size == 16  ? BODY_RECORDS_16
           : unit_size == 8 ? BODY_RECORDS_8
           : unit_size == 4 ? BODY_RECORDS_4
                            : BODY_RECORDS_1;
}

// The text of a kernel named "kernel".
std::string kernel_source(const sk_program &program, kernel_body body);

// ---- compile.cu ----

// Compiles the kernel, unless it is in the cache. SCANKIT_E_NO_DEVICE if NVRTC is not installed.
scankit_error compiled_kernel(cuda_device *gpu, const sk_program &program, kernel_body body, cudaKernel_t *kernel);

// Returns true and the kernel if it is in the cache, or if interpreting the predicate has taken about as long so far as
// compiling it takes (COMPILE_AFTER_STEPS). n: elements of this call.
bool compiled_kernel_pays(cuda_device *gpu, const sk_program &program, kernel_body body, size_t n,
                          cudaKernel_t *kernel);

#endif
