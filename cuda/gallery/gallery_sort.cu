// gallery_sort.cu - sorts of the gallery.
#include <cuda/gallery.inc>       // the block scans
#include <cuda/gallery_sorts.inc> // the files of all rows

#include "common/shape.cuh"
#include "gallery.h"

template <class K, class V> static sort_call<K, V> call_of(sk_const_columns in, sk_columns out, size_t n)
{
    return {{static_cast<const K *>(in.keys), static_cast<const V *>(in.values)},
            {static_cast<K *>(out.keys), static_cast<V *>(out.values)},
            n};
}

// Calls f(K(), V()) for keys of 4 or 8 bytes.
template <class F> static scankit_error dispatch_words(sk_shape shape, F f)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        if constexpr (sizeof(key) >= 4)
            return f(key, value);
        else
            return SCANKIT_E_ARGUMENT;
    });
}

#define RUN_words(function)                                                        \
    dispatch_words(shape, [&](auto key, auto value) {                              \
        return function(gpu, call_of<decltype(key), decltype(value)>(in, out, n)); \
    })
#define RUN_keys(function)                                                        \
    (shape.key_size == 4 ? function(gpu, call_of<uint32_t, no_value>(in, out, n)) \
                         : function(gpu, call_of<uint64_t, no_value>(in, out, n)))

// split-radix with another block scan, for keys of 4 bytes alone.
static scankit_error split_radix_with(cuda_device *gpu, unsigned scan, const sort_call<uint32_t, no_value> &call)
{
    switch (scan) {
#define X(function, ...) \
    case SK_ROW_##function: return split_radix_sort_by<function>(gpu, call);
        SK_BLOCK_SCANS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}

scankit_error cuda_gallery_sort(sk_device *device, unsigned row, unsigned scan, sk_shape shape, sk_const_columns in,
                                sk_columns out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    TRY(cuda_begin_gallery(gpu));
    if (scan != SK_GALLERY_ROWS) {
        gpu->base.algorithm = "split-radix";
        return split_radix_with(gpu, scan, call_of<uint32_t, no_value>(in, out, n));
    }
    switch (row) {
#define X(function, name, takes, ...) \
    case SK_ROW_##function: gpu->base.algorithm = name; return RUN_##takes(function);
        SK_GALLERY_CUDA_SORTS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}
