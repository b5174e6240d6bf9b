// flag_counts.cuh - the scan that the compactions of the gallery begin with: how many elements up to each one are kept.
#ifndef SK_CUDA_FLAG_COUNTS_CUH
#define SK_CUDA_FLAG_COUNTS_CUH

#include <type_traits>

#include "common/map.cuh"
#include "gallery/grid/three_kernel.cuh"

template <class I> struct flag_as_count {
    const uint8_t *flags;
    I *counts;
    __device__ void operator()(size_t i) const
    {
        counts[i] = flags[i] != 0;
    }
};

// Counts of 4 bytes where they suffice.
template <class I> scankit_error count_flags(cuda_device *gpu, const sk_selection &selection, I *counts)
{
    using Op = std::conditional_t<sizeof(I) == 4, op_sum<sk_u32>, op_sum<sk_u64>>;
    flag_as_count<I> count = {selection.flags, counts};
    map_kernel<<<map_blocks(selection.n), MAP_THREADS, 0, gpu->stream>>>(selection.n, count);
    CHECK_LAUNCH();
    return three_kernel<Op>(gpu, {counts, counts, selection.n, true, 0});
}

// A compaction over counts: move(in, counts) is to launch what moves elements, of `in` to selection.matching. In place,
// it is a copy that they come from: one thread writes where another has not yet read.
template <class U, class I, class F>
scankit_error compact_counted(cuda_device *gpu, const sk_selection &selection, size_t *count, F move)
{
    workspace scratch(gpu);
    size_t n = selection.n;
    const U *in = static_cast<const U *>(selection.in);
    I *counts, total;
    U *copy;
    if (!scratch.take(&counts, n))
        return SCANKIT_E_MEMORY;
    if (selection.in == selection.matching) {
        if (!scratch.take(&copy, n))
            return SCANKIT_E_MEMORY;
        CHECK(cudaMemcpyAsync(copy, in, n * sizeof(U), cudaMemcpyDeviceToDevice, gpu->stream));
        in = copy;
    }
    TRY(count_flags(gpu, selection, counts));
    move(in, counts);
    CHECK_LAUNCH();
    if (count == nullptr)
        return SCANKIT_OK;
    TRY(cuda_fetch(gpu, &total, counts + n - 1, sizeof total));
    *count = total;
    return SCANKIT_OK;
}

#endif
