// segmented_sort.cu - segmented sort: segments are listed by length, and each class of lengths has its own kernel. So
// no distribution of lengths is bad (after Hou, Liu, Wang and Feng, Fast Segmented Sort on GPUs, 2017).
#include "common/algorithm.h"
#include "common/copy.cuh"
#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/segments/long_segments.cuh"
#include "sort/segments/short_segments.cuh"

SK_ALGORITHMS(segment_algorithm, SK_CUDA_SEGMENT_SORTS)

namespace
{

constexpr size_t GROUP = size_t(1) << 31; // most segments that are listed at a time

struct segmented_sorting {
    cuda_device *gpu;
    sk_shape shape;
    sk_const_columns in;
    sk_columns out;
    size_t n; // of elements
};

// A block may have no room for the longest of the short segments.
scankit_error rehearse(const segmented_sorting &sort, size_t segments)
{
    size_t most = sort.n / BLOCK_ROOM[3];
    most = segments < most ? segments : most;
    return most > 0 ? rehearse_long_segments(sort.gpu, sort.shape, sort.in, sort.out, most, sort.n) : SCANKIT_OK;
}

scankit_error sort_group(const segmented_sorting &sort, const uint64_t *offsets, unsigned segments,
                         segment_counts *counts)
{
    cuda_device *gpu = sort.gpu;
    workspace scratch(gpu);
    segment_lists lists;
    if (!lists.take(scratch, segments))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(&gpu->base))
        return rehearse(sort, segments);
    TRY(sort_tiny_segments(gpu, sort.shape, sort.in, sort.out, offsets, segments, &lists));
    *counts = lists.counts;
    TRY(sort_short_segments(gpu, sort.shape, sort.in, sort.out, offsets, lists));
    if (lists.of[GIANT_CLASS].count > 0)
        TRY(sort_giant_segments(gpu, sort.shape, sort.in, sort.out, offsets, lists.of[GIANT_CLASS]));
    if (lists.of[LONG_CLASS].count == 0)
        return SCANKIT_OK;
    return sort_long_segments(gpu, sort.shape, sort.in, sort.out, offsets, lists.of[LONG_CLASS], counts->long_elements,
                              sort.n);
}

// ---- elements outside of segments ----

scankit_error copy_column(cuda_device *gpu, const void *in, void *out, size_t size, size_t begin, size_t end)
{
    if (in == out || size == 0 || begin >= end)
        return SCANKIT_OK;
    return copy_array(gpu, static_cast<const char *>(in) + begin * size, static_cast<char *>(out) + begin * size,
                      (end - begin) * size);
}

scankit_error copy_outside(const segmented_sorting &sort, size_t begin, size_t end)
{
    TRY(copy_column(sort.gpu, sort.in.keys, sort.out.keys, sort.shape.key_size, begin, end));
    return copy_column(sort.gpu, sort.in.values, sort.out.values, sort.shape.value_size, begin, end);
}

} // namespace

scankit_error cuda_segmented_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, size_t segments, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    segmented_sorting sort = {gpu, shape, in, out, n};
    segment_counts counts = {};
    CHECK(cudaSetDevice(gpu->ordinal));
    report(gpu, segment_algorithm::NETWORKS);
    for (size_t done = 0, part; done < segments; done += part) {
        part = segments - done < GROUP ? segments - done : GROUP;
        TRY(sort_group(sort, offsets + done, unsigned(part), &counts));
        if (done == 0)
            TRY(copy_outside(sort, 0, counts.first));
    }
    return copy_outside(sort, counts.last, n);
}
