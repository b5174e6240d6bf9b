// gallery_scan.cu - scans of whole arrays of the gallery.
#include "gallery/gallery.cuh"

#include <cuda/gallery.inc> // the files of all rows

// Rows of production are functions for every type; the others are templates for what they are compiled for.
#define RUN_TEMPLATE(all, function)                         \
    dispatch_scan<all>(type, op, kind, initial, in, out, n, \
                       [&](auto chosen, const auto &call) { return function<decltype(chosen)>(gpu, call); })
#define RUN_any(function) function(device, type, op, kind, initial, in, out, n)
#define RUN_all(function) RUN_TEMPLATE(true, function)
#define RUN_few(function) RUN_TEMPLATE(false, function)
#define RUN_commutative(function) RUN_few(function)

scankit_error cuda_gallery_scan(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    TRY(cuda_begin_gallery(gpu));
    switch (row) {
#define X(function, name, operators, ...) \
    case SK_ROW_##function: gpu->base.algorithm = name; return RUN_##operators(function);
        SK_GRID_SCANS(X)
#undef X
    default: return cuda_gallery_block_scan(device, row, type, op, kind, initial, in, out, n);
    }
}
