// short_segments.cu - the launches of sorts by threads, by lanes and by blocks: each class of lengths has its own.
#include "sort/segments/short_segments.cuh"

#include "common/shape.cuh"
#include "device/check.cuh"
#include "sort/segments/block_segments.cuh"
#include "sort/segments/lane_segments.cuh"
#include "sort/segments/tiny_segments.cuh"

namespace
{

template <class K, class V>
scankit_error sort_tiny_in(cuda_device *gpu, const segment_columns<K, V> &columns, size_t segments,
                           segment_counts *found)
{
    size_t blocks = (segments - 1) / TINY_THREADS + 1;
    blocks = blocks < TINY_BLOCKS ? blocks : TINY_BLOCKS;
    sort_tiny<K, V><<<unsigned(blocks), TINY_THREADS, 0, gpu->stream>>>(columns, segments, found);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

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
    TRY((sort_lanes<K, V, 4, 4>(gpu, columns, list[0])));
    TRY((sort_lanes<K, V, 8, 4>(gpu, columns, list[1])));
    TRY((sort_lanes<K, V, 16, 4>(gpu, columns, list[2])));
    TRY((sort_lanes<K, V, 32, 4>(gpu, columns, list[3])));
    TRY((sort_lanes<K, V, 32, 8>(gpu, columns, list[4])));
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

} // namespace

scankit_error make_segment_room(cuda_device *gpu, sk_shape shape, segment_lists *lists)
{
    size_t room = 0;
    TRY(find_most_room(shape, &room));
    if (room <= gpu->shared_most)
        return SCANKIT_OK;
    segment_list &blocks = lists->of[LONG_CLASS - 1], &longer = lists->of[LONG_CLASS];
    longer = {blocks.segment, blocks.count + longer.count}; // one list follows the other
    blocks.count = 0;
    lists->counts.long_elements += lists->counts.block_elements;
    return SCANKIT_OK;
}

scankit_error sort_tiny_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, size_t segments, segment_lists *lists)
{
    CHECK(cudaMemsetAsync(lists->found, 0, sizeof *lists->found, gpu->stream));
    TRY(dispatch_shape(shape, [&](auto key, auto value) {
        return sort_tiny_in(gpu, columns_of<decltype(key), decltype(value)>(in, out, offsets), segments, lists->found);
    }));
    return list_counted(gpu, shape, longer_lengths{{offsets}}, segments, lists);
}

scankit_error sort_short_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, const segment_lists &lists)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        return sort_classes(gpu, columns_of<K, V>(in, out, offsets), lists.of);
    });
}
