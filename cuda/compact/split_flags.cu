// split_flags.cu - split by flags: counts the zeros, then launches the single pass.
#include "common/lookback_state.cuh"
#include "common/map.cuh"
#include "common/unit.cuh"
#include "compact/choose.h"
#include "compact/split_flags.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"

template <class U>
static scankit_error run(cuda_device *gpu, size_t element_size, const void *in, const uint8_t *flags, void *out,
                         size_t n, const unsigned long long *zeros)
{
    size_t tiles = (n - 1) / FLAG_TILE + 1;
    lookback_state<sk_u64> state;
    TRY(take_state(gpu, tiles, &state));
    split_by_flags<U><<<unsigned(tiles), MAP_THREADS, 0, gpu->stream>>>(
        static_cast<const U *>(in), flags, static_cast<U *>(out), n, element_size / sizeof(U), zeros, state);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error cuda_split_flags(sk_device *device, size_t element_size, const void *in, const uint8_t *flags, void *out,
                               size_t n, size_t *zeros)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    workspace scratch(gpu);
    unsigned long long *count;
    if (!scratch.take(&count, 1))
        return SCANKIT_E_MEMORY;
    CHECK(cudaMemsetAsync(count, 0, sizeof *count, gpu->stream));
    count_zeros<<<gpu->processors * 8, MAP_THREADS, 0, gpu->stream>>>(flags, n, count);
    CHECK_LAUNCH();
    uintptr_t places = uintptr_t(in) | uintptr_t(out) | element_size;
    TRY(with_unit(places, [&](auto unit) { return run<decltype(unit)>(gpu, element_size, in, flags, out, n, count); }));
    report(gpu, compact_algorithm::LOOKBACK);
    return zeros == nullptr ? SCANKIT_OK : cuda_fetch(gpu, zeros, count, sizeof *zeros);
}
