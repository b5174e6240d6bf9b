// gallery_compact.cu - compactions of the gallery.
#include "gallery/gallery.cuh"

#include <cuda/gallery.inc> // the files of all rows

// Calls f(element, index) for the element size, and for an index type that fits n.
template <class F> static scankit_error dispatch_sizes(const sk_selection &selection, F f)
{
    auto with_index = [&](auto element) {
        return selection.n <= UINT32_MAX ? f(element, uint32_t()) : f(element, uint64_t());
    };
    switch (selection.element_size) {
    case 1: return with_index(uint8_t());
    case 2: return with_index(uint16_t());
    case 4: return with_index(uint32_t());
    default: return with_index(uint64_t());
    }
}

#define RUN_any(function) function(device, selection, count)
#define RUN_sizes(function)                                                          \
    dispatch_sizes(*selection, [&](auto element, auto index) {                       \
        return function<decltype(element), decltype(index)>(gpu, *selection, count); \
    })

scankit_error cuda_gallery_compact(sk_device *device, unsigned row, const sk_selection *selection, size_t *count)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    TRY(cuda_begin_gallery(gpu));
    switch (row) {
#define X(function, name, operators, ...) \
    case SK_ROW_##function: gpu->base.algorithm = name; return RUN_##operators(function);
        SK_COMPACTIONS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}
