// narrow.cu - keys of 1 and 2 bytes are equal wherever they have the same bits. So a histogram of them says all, and
// each value is written as often as it was counted (Seward, Information Sorting, 1954). The host waits for nothing.
#include "sort/narrow/narrow.cuh"

#include "device/check.cuh"
#include "rle/expand_launch.cuh"
#include "scan/scan.cuh"
#include "sort/choose/choose.h"
#include "sort/narrow/byte_runs.cuh"

namespace
{

// counts[v] = the number of keys whose bits are v.
template <class K> scankit_error count_values(cuda_device *gpu, const void *in, size_t n, uint64_t *counts)
{
    sk_histogram what = {};
    what.type = sizeof(K) == 1 ? SCANKIT_U8 : SCANKIT_U16;
    what.keys = in;
    what.n = n;
    what.bins.kind = SCANKIT_BINS_VALUES;
    what.bins.count = 1u << 8 * sizeof(K);
    return cuda_histogram(&gpu->base, &what, counts);
}

scankit_error by_bytes(cuda_device *gpu, number_order<uint8_t> order, const uint8_t *in, uint8_t *out, size_t n)
{
    if (n <= FEW_BYTES)
        return launch(gpu, sort_bytes, 1, BYTE_SORT_THREADS, 0, in, out, n, order);
    workspace scratch(gpu);
    uint64_t *counts;
    if (!scratch.take(&counts, BYTE_VALUES))
        return SCANKIT_E_MEMORY;
    TRY(count_values<uint8_t>(gpu, in, n, counts));
    size_t most = size_t(gpu->processors) * BYTE_WRITE_BLOCKS, blocks = n / (BYTE_WRITE_THREADS * sizeof(uint4)) + 1;
    return launch(gpu, write_bytes, unsigned(blocks < most ? blocks : most), BYTE_WRITE_THREADS, 0, counts, out, n,
                  order);
}

using half_order = number_order<uint16_t>;

// The counts in the order of the values.
struct put_in_order {
    const uint64_t *counts;
    half_order order;
    sk_u64 *to;
    __device__ void operator()(size_t key) const
    {
        to[key] = counts[order.value(uint16_t(key))];
    }
};

// The value of a run of the sorted array.
struct ordered_values {
    using type = uint16_t;
    half_order order;
    __device__ __forceinline__ uint16_t operator()(size_t run) const
    {
        return order.value(uint16_t(run));
    }
};

scankit_error by_halves(cuda_device *gpu, half_order order, const uint16_t *in, uint16_t *out, size_t n)
{
    constexpr size_t VALUES = size_t(1) << 16;
    workspace scratch(gpu);
    uint64_t *counts;
    sk_u64 *ends;
    if (!scratch.take(&counts, VALUES) || !scratch.take(&ends, VALUES))
        return SCANKIT_E_MEMORY;
    TRY(count_values<uint16_t>(gpu, in, n, counts));
    TRY(map_elements(gpu, VALUES, put_in_order{counts, order, ends}));
    TRY((single_pass_scan<op_saturating_sum, warp_looks_back>(gpu, {ends, ends, VALUES, true, 0})));
    expand_arguments to = {};
    to.ends = ends;
    to.runs = VALUES;
    to.out = out;
    to.n = n;
    return expand_tiles<expand_tile<uint16_t>>(gpu, ordered_values{order}, to);
}

} // namespace

scankit_error sort_by_counts(cuda_device *gpu, const sk_piece &piece, const void *in, void *out, size_t n)
{
    if (piece.size == 1)
        return by_bytes(gpu, number_order<uint8_t>(piece), static_cast<const uint8_t *>(in),
                        static_cast<uint8_t *>(out), n);
    return by_halves(gpu, half_order(piece), static_cast<const uint16_t *>(in), static_cast<uint16_t *>(out), n);
}
