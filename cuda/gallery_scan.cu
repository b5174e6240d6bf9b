// gallery_scan.cu - scans of whole arrays of the gallery.
#include "gallery.cuh"

#include <cuda/gallery.inc> // the files of all rows

// Rows of production take every type; the others are templates for those that they are compiled for.
#define RUN_any(function) function(device, type, op, kind, initial, in, out, n)
#define RUN_few(function)                              \
    dispatch_scan(type, op, kind, initial, in, out, n, \
                  [&](auto chosen, const auto &call) { return function<decltype(chosen)>(gpu, call); })
#define RUN_commutative(function) RUN_few(function)

scankit_error cuda_gallery_scan(sk_device *device, sk_gallery_row row, scankit_type type, scankit_operator op,
                                scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    switch (int(row)) {
#define X(function, name, operators, ...) \
    case SK_ROW_##function: gpu->base.algorithm = name; return RUN_##operators(function);
        SK_GRID_SCANS(X)
#undef X
    default: return cuda_gallery_block_scan(device, row, type, op, kind, initial, in, out, n);
    }
}
