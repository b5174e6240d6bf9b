// scan.cu - scan: chooses the algorithm, launches.
#include <type_traits>

#include "device/arena.cuh"
#include "device/check.cuh"
#include "scan/ordered_scan.cuh"
#include "scan/scan.cuh"
#include "common/ring_launch.cuh"
#include "common/lookback_state.cuh"

template <class Op>
static scankit_error on_ring(cuda_device *gpu, bool inclusive, typename Op::type initial, const typename Op::element *in,
                             typename Op::element *out, size_t n)
{
    using T = typename Op::type;
    ring_arguments to = ring_over(in, out, n * sizeof *in);
    lookback_state<T> state;
    TRY(take_state(gpu, ring_tiles(to), &state));
    TRY(ring_launch<T>(gpu, scan_ring<Op>, to, state, inclusive, initial));
    gpu->base.algorithm = "ring";
    return SCANKIT_OK;
}

template <class Op>
static scankit_error three_kernels(cuda_device *gpu, bool inclusive, typename Op::type initial,
                                   const typename Op::element *in, typename Op::element *out, size_t n)
{
    using T = typename Op::type;
    ring_arguments to = {};
    to.in = reinterpret_cast<const unsigned char *>(in);
    to.out = reinterpret_cast<unsigned char *>(out);
    to.high = n * sizeof *in;
    unsigned tiles = unsigned(ring_tiles(to));
    workspace scratch(gpu);
    T *totals;
    if (!scratch.take(&totals, tiles))
        return SCANKIT_E_MEMORY;
    reduce_tiles<Op><<<tiles, ORDERED_THREADS, 0, gpu->stream>>>(to, totals);
    CHECK_LAUNCH();
    order_totals<Op><<<1, ORDERED_THREADS, 0, gpu->stream>>>(totals, tiles, initial);
    CHECK_LAUNCH();
    scan_tiles<Op><<<tiles, ORDERED_THREADS, 0, gpu->stream>>>(to, inclusive, totals);
    CHECK_LAUNCH();
    gpu->base.algorithm = "three-kernel";
    return SCANKIT_OK;
}

// Only rounding makes the order of operations visible.
template <class Op>
constexpr bool DEPENDS_ON_ORDER = std::is_floating_point_v<typename Op::type> &&
                                  (std::is_same_v<Op, op_sum<typename Op::element>> ||
                                   std::is_same_v<Op, op_prod<typename Op::element>>);

scankit_error cuda_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                        const void *initial, const void *in, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using Op = decltype(chosen);
        using E = typename Op::element;
        auto first = initial_value<Op>(initial);
        auto *from = static_cast<const E *>(in);
        auto *to = static_cast<E *>(out);
        bool inclusive = kind == SCANKIT_INCLUSIVE;
        if constexpr (DEPENDS_ON_ORDER<Op>)
            if (gpu->base.deterministic)
                return ring_is_there(gpu) && uintptr_t(in) % 16 == 0
                           ? on_ring<Op>(gpu, inclusive, first, from, to, n)
                           : three_kernels<Op>(gpu, inclusive, first, from, to, n);
        if (ring_pays<E>(gpu, n))
            return on_ring<Op>(gpu, inclusive, first, from, to, n);
        gpu->base.algorithm = "look-back";
        return single_pass_scan<Op, warp_looks_back>(gpu, {from, to, n, inclusive, first});
    });
}

scankit_error cuda_scan_tiles(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                              const void *initial, const void *in, void *out, size_t n)
{
    return dispatch(type, op, [&](auto chosen) {
        using Op = decltype(chosen);
        using E = typename Op::element;
        return single_pass_scan<Op, warp_looks_back>(as_cuda(device),
                                                     {static_cast<const E *>(in), static_cast<E *>(out), n,
                                                      kind == SCANKIT_INCLUSIVE, initial_value<Op>(initial)});
    });
}
