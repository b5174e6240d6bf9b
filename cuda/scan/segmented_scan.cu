// segmented_scan.cu - segmented scan: launches.
#include "common/lookback_state.cuh"
#include "device/check.cuh"
#include "scan/choose.h"
#include "scan/segmented_scan.cuh"

template <class Op>
static scankit_error scan(cuda_device *gpu, bool inclusive, const void *initial, const void *in, const uint8_t *heads,
                          void *out, size_t n)
{
    using E = typename Op::element;
    size_t tiles = (n - 1) / segmented_tile<Op>::elements::SIZE + 1;
    lookback_state<segment<typename Op::type>> state;
    TRY(take_state(gpu, tiles, &state));
    scan_segments<Op><<<unsigned(tiles), SCAN_THREADS, 0, gpu->stream>>>(
        static_cast<const E *>(in), heads, static_cast<E *>(out), n, inclusive, initial_value<Op>(initial), state);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error cuda_segmented_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                  const void *initial, const void *in, const uint8_t *heads, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    report(gpu, scan_algorithm::LOOKBACK);
    return dispatch(type, op, [&](auto chosen) {
        return scan<decltype(chosen)>(gpu, kind == SCANKIT_INCLUSIVE, initial, in, heads, out, n);
    });
}
