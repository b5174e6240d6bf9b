// gallery.cuh - the gallery's rows on a GPU (gallery.h): a switch over the rows of each kind, made from their list,
// which calls the function of the row's own file in block/ or grid/, or production's function.
#ifndef SK_CUDA_GALLERY_CUH
#define SK_CUDA_GALLERY_CUH

#include "device/check.cuh"
#include "gallery.h"
#include "scan/scan_call.cuh"
#include "common/op.cuh"

// Calls f(op_sum<sk_u32>()) and so on, for the operators that textbook algorithms are compiled for.
template <class F> scankit_error dispatch_few(scankit_type type, scankit_operator op, F f)
{
    switch (SK_TYPE_AND_OP(type, op)) {
#define X(T, op_name) \
    case SK_TYPE_AND_OP(SK_TYPE_##T, SK_OP_##op_name): return f(op_##op_name<sk_##T>());
        SK_GALLERY_OPERATORS(X)
#undef X
    }
    return SCANKIT_E_ARGUMENT;
}

scankit_error cuda_gallery_scan(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n);
scankit_error cuda_gallery_reduce(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                  const void *in, void *result, size_t n);
scankit_error cuda_gallery_compact(sk_device *device, unsigned row, const sk_selection *selection, size_t *count);

// Block scans, apart from the others: each kind is compiled alone.
scankit_error cuda_gallery_block_scan(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                      scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n);

// Calls scan(op, call) for a scan by a textbook algorithm. ALL: for all operators, else for the few of dispatch_few().
template <bool ALL, class F>
scankit_error dispatch_scan(scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *initial,
                            const void *in, void *out, size_t n, F scan)
{
    auto run = [&](auto chosen) {
        using Op = decltype(chosen);
        using E = typename Op::element;
        return scan(chosen, scan_call<typename Op::type, E>{static_cast<const E *>(in), static_cast<E *>(out), n,
                                                             kind == SCANKIT_INCLUSIVE, initial_value<Op>(initial)});
    };
    if constexpr (ALL)
        return dispatch(type, op, run);
    else
        return dispatch_few(type, op, run);
}

#endif
