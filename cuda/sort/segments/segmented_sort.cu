// segmented_sort.cu - segmented sort: segments are listed by length, and each class of lengths has its own kernel. So
// no distribution of lengths is bad (after Hou, Liu, Wang and Feng, Fast Segmented Sort on GPUs, 2017).
#include "common/algorithm.h"
#include "common/copy.cuh"
#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/segments/block_segments.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/lane_segments.cuh"
#include "sort/segments/long_segments.cuh"

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

// ---- launches for one class ----

template <class K, class V, int LANES, int EACH>
scankit_error sort_lanes(cuda_device *gpu, const segment_columns<K, V> &columns, segment_list list)
{
    constexpr unsigned EACH_BLOCK = LANE_THREADS / LANES;
    if (list.count == 0)
        return SCANKIT_OK;
    unsigned blocks = (list.count - 1) / EACH_BLOCK + 1;
    sort_by_lanes<K, V, LANES, EACH><<<blocks, LANE_THREADS, 0, gpu->stream>>>(columns, list);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class V, unsigned ROOM>
scankit_error sort_blocks(cuda_device *gpu, const segment_columns<K, V> &columns, segment_list list)
{
    if (list.count == 0)
        return SCANKIT_OK;
    size_t room = sizeof(block_room<K, V, ROOM>);
    auto kernel = sort_by_blocks<K, V, ROOM>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room)));
    kernel<<<list.count, ROOM / BLOCK_EACH, room, gpu->stream>>>(columns, list);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class V>
scankit_error sort_classes(cuda_device *gpu, const segment_columns<K, V> &columns, const segment_list *list)
{
    TRY((sort_lanes<K, V, 2, 4>(gpu, columns, list[0])));
    TRY((sort_lanes<K, V, 4, 4>(gpu, columns, list[1])));
    TRY((sort_lanes<K, V, 8, 4>(gpu, columns, list[2])));
    TRY((sort_lanes<K, V, 16, 4>(gpu, columns, list[3])));
    TRY((sort_lanes<K, V, 32, 4>(gpu, columns, list[4])));
    TRY((sort_lanes<K, V, 32, 8>(gpu, columns, list[5])));
    TRY((sort_blocks<K, V, BLOCK_ROOM[0]>(gpu, columns, list[BLOCK_CLASS])));
    TRY((sort_blocks<K, V, BLOCK_ROOM[1]>(gpu, columns, list[BLOCK_CLASS + 1])));
    TRY((sort_blocks<K, V, BLOCK_ROOM[2]>(gpu, columns, list[BLOCK_CLASS + 2])));
    TRY((sort_blocks<K, V, BLOCK_ROOM[3]>(gpu, columns, list[BLOCK_CLASS + 3])));
    return sort_blocks<K, V, BLOCK_ROOM[4]>(gpu, columns, list[BLOCK_CLASS + 4]);
}

// Bytes of shared memory for the longest segment that a block can sort.
scankit_error find_most_room(sk_shape shape, size_t *room)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        *room = sizeof(block_room<decltype(key), decltype(value), BLOCK_ROOM[4]>);
        return SCANKIT_OK;
    });
}

scankit_error sort_short_segments(const segmented_sorting &sort, const uint64_t *offsets, const segment_list *list)
{
    return dispatch_shape(sort.shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        segment_columns<K, V> columns = {static_cast<const K *>(sort.in.keys), static_cast<const V *>(sort.in.values),
                                         static_cast<K *>(sort.out.keys), static_cast<V *>(sort.out.values), offsets};
        return sort_classes(sort.gpu, columns, list);
    });
}

// ---- the lists ----

scankit_error count_segments(cuda_device *gpu, const uint64_t *offsets, unsigned segments, segment_counts *found,
                             segment_counts *host)
{
    CHECK(cudaMemsetAsync(found, 0, sizeof *found, gpu->stream));
    count_classes<<<map_blocks(segments), CLASS_THREADS, 0, gpu->stream>>>(offsets, segments, found);
    CHECK_LAUNCH();
    return cuda_fetch(gpu, host, found, sizeof *host);
}

// Fills in the lists. used: CLASSES counters.
scankit_error list_segments(cuda_device *gpu, const uint64_t *offsets, unsigned segments, const segment_counts &counts,
                            unsigned *used, unsigned *memory, segment_list *list)
{
    class_begins begins;
    for (unsigned c = 0, at = 0; c < CLASSES; c++) {
        begins.at[c] = at;
        list[c] = {memory + at, unsigned(counts.count[c])};
        at += unsigned(counts.count[c]);
    }
    CHECK(cudaMemsetAsync(used, 0, CLASSES * sizeof *used, gpu->stream));
    list_classes<<<map_blocks(segments), CLASS_THREADS, 0, gpu->stream>>>(offsets, segments, begins, used, memory);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Segments that this GPU's blocks have no room for count as long ones, whose list follows theirs.
scankit_error make_room(const segmented_sorting &sort, segment_list *list, segment_counts *counts)
{
    size_t room = 0;
    TRY(find_most_room(sort.shape, &room));
    if (room <= sort.gpu->shared_most)
        return SCANKIT_OK;
    segment_list &blocks = list[LONG_CLASS - 1];
    list[LONG_CLASS] = {blocks.segment, blocks.count + list[LONG_CLASS].count};
    blocks.count = 0;
    counts->long_elements += counts->block_elements;
    return SCANKIT_OK;
}

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
    segment_counts *found;
    unsigned *used, *memory;
    segment_list list[CLASSES];
    if (!scratch.take(&found, 1) || !scratch.take(&used, CLASSES) || !scratch.take(&memory, segments))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(&gpu->base))
        return rehearse(sort, segments);
    TRY(count_segments(gpu, offsets, segments, found, counts));
    TRY(list_segments(gpu, offsets, segments, *counts, used, memory, list));
    TRY(make_room(sort, list, counts));
    TRY(sort_short_segments(sort, offsets, list));
    if (list[GIANT_CLASS].count > 0)
        TRY(sort_giant_segments(gpu, sort.shape, sort.in, sort.out, offsets, list[GIANT_CLASS]));
    if (list[LONG_CLASS].count == 0)
        return SCANKIT_OK;
    return sort_long_segments(gpu, sort.shape, sort.in, sort.out, offsets, list[LONG_CLASS], counts->long_elements);
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
