// gallery_block.cu - block scans of the gallery, each within the hierarchical scan.
#include "gallery/gallery.cuh"
#include "gallery/grid/hierarchical.cuh"

#include <cuda/gallery.inc> // the files of all rows

scankit_error cuda_gallery_block_scan(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                      scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    return dispatch_scan<false>(type, op, kind, initial, in, out, n, [&](auto chosen, const auto &call) {
        using Op = decltype(chosen);
        switch (row) {
#define X(function, name, ...)      \
    case SK_ROW_##function:         \
        gpu->base.algorithm = name; \
        return hierarchical_scan<function, Op>(gpu, call);
            SK_BLOCK_SCANS(X)
#undef X
        default: return SCANKIT_E_ARGUMENT;
        }
    });
}
