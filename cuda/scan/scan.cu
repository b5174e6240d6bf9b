// scan.cu - scan: chooses the algorithm, launches.
#include <type_traits>

#include "common/lookback_state.cuh"
#include "common/ring_launch.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "scan/choose.h"
#include "scan/ordered_scan.cuh"
#include "scan/scan.cuh"

template <class Op> using call_of = scan_call<typename Op::type, typename Op::element>;

template <class Op, class Map> static scankit_error on_ring(cuda_device *gpu, const call_of<Op> &call)
{
    using T = typename Op::type;
    ring_arguments to = ring_over(call.in, call.out, call.n * sizeof *call.in);
    lookback_state<T> state;
    TRY(take_state(gpu, ring_tiles<scan_shape>(to), &state));
    return ring_launch<T, scan_shape>(gpu, scan_ring<Op, Map>, to, state, call.inclusive, call.initial);
}

template <class Op> static scankit_error three_kernels(cuda_device *gpu, const call_of<Op> &call)
{
    using T = typename Op::type;
    ring_arguments to = {};
    to.in = reinterpret_cast<const unsigned char *>(call.in);
    to.out = reinterpret_cast<unsigned char *>(call.out);
    to.high = call.n * sizeof *call.in;
    unsigned tiles = unsigned(ring_tiles<scan_shape>(to));
    workspace scratch(gpu);
    T *totals;
    if (!scratch.take(&totals, tiles))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    reduce_tiles<Op><<<tiles, ORDERED_THREADS, 0, gpu->stream>>>(to, totals);
    CHECK_LAUNCH();
    order_totals<Op><<<1, ORDERED_THREADS, 0, gpu->stream>>>(totals, tiles, call.initial);
    CHECK_LAUNCH();
    scan_tiles<Op><<<tiles, ORDERED_THREADS, 0, gpu->stream>>>(to, call.inclusive, totals);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Only rounding makes the order of operations visible.
template <class Op>
constexpr bool DEPENDS_ON_ORDER = std::is_floating_point_v<typename Op::type> &&
                                  (std::is_same_v<Op, op_sum<typename Op::element>> ||
                                   std::is_same_v<Op, op_prod<typename Op::element>>);

template <class Op, class Map> static scankit_error scan(cuda_device *gpu, const call_of<Op> &call)
{
    scan_facts facts = {};
    facts.n = call.n;
    facts.element_size = sizeof *call.in;
    facts.fixed_order = DEPENDS_ON_ORDER<Op> && gpu->base.deterministic;
    facts.aligned = uintptr_t(call.in) % 16 == 0;
    facts.ring_least = gpu->ring_least;
    scan_algorithm algorithm = choose_scan(facts);
    report(gpu, algorithm);
    if (algorithm == scan_algorithm::RING)
        return on_ring<Op, Map>(gpu, call);
    if constexpr (DEPENDS_ON_ORDER<Op>)
        if (algorithm == scan_algorithm::THREE_KERNEL)
            return three_kernels<Op>(gpu, call);
    return single_pass_scan<Op, warp_looks_back, Map>(gpu, call);
}

template <class Op, class Map>
static call_of<Op> make_call(scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n)
{
    using E = typename Op::element;
    return {static_cast<const E *>(in), static_cast<E *>(out), n, kind == SCANKIT_INCLUSIVE,
            initial_word<Op, Map>(initial)};
}

scankit_error cuda_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                        const void *initial, const void *in, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using words = in_words<decltype(chosen)>;
        using Op = typename words::op;
        using Map = typename words::map;
        return scan<Op, Map>(gpu, make_call<Op, Map>(kind, initial, in, out, n));
    });
}

scankit_error cuda_scan_tiles(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                              const void *initial, const void *in, void *out, size_t n)
{
    return dispatch(type, op, [&](auto chosen) {
        using words = in_words<decltype(chosen)>;
        using Op = typename words::op;
        using Map = typename words::map;
        return single_pass_scan<Op, warp_looks_back, Map>(as_cuda(device),
                                                          make_call<Op, Map>(kind, initial, in, out, n));
    });
}
