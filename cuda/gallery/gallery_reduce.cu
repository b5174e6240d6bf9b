// gallery_reduce.cu - reductions of the gallery.
#include "gallery/gallery.cuh"
#include "gallery/grid/tree_reduce.cuh"

#include <cuda/gallery.inc> // the files of all rows

#define RUN_any(function) function(device, type, op, in, result, n)
#define RUN_few(function)                                                                             \
    dispatch_few(type, op, [&](auto chosen) {                                                         \
        using Op = decltype(chosen);                                                                  \
        return tree_reduce<function, Op>(gpu, static_cast<const typename Op::type *>(in), n, result); \
    })
#define RUN_commutative(function) RUN_few(function)

scankit_error cuda_gallery_reduce(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                  const void *in, void *result, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    TRY(cuda_begin_gallery(gpu));
    switch (row) {
#define X(function, name, operators, ...) \
    case SK_ROW_##function: gpu->base.algorithm = name; return RUN_##operators(function);
        SK_REDUCTIONS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}
