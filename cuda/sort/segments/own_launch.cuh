// own_launch.cuh - what launches of sorts by own blocks share.
#ifndef SK_CUDA_OWN_LAUNCH_CUH
#define SK_CUDA_OWN_LAUNCH_CUH

#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/radix/split.cuh"
#include "sort/segments/own_blocks.cuh"
#include "sort/segments/short_segments.cuh"

// Keys of 8 bytes with values: elements in slices and merges have 16 bytes.
inline bool are_wide(sk_shape shape)
{
    return shape.key_size == 8 && shape.value_size > 0;
}

inline bool has_room(const cuda_device *gpu, sk_shape shape)
{
    size_t room = 0;
    (void)dispatch_shape(shape, [&](auto key, auto value) {
        room = sizeof(own_memory<decltype(key), decltype(value), OWN_EACH>);
        return SCANKIT_OK;
    });
    return room <= gpu->shared_most;
}

// act(columns, way) with the columns' types and the way to rank, unless this is a rehearsal.
template <class Act> scankit_error with_columns(cuda_device *gpu, const segment_data &data, Act act)
{
    rank_by way;
    TRY(split_way(gpu, &way));
    END_REHEARSAL(gpu);
    return dispatch_shape(
        data.shape, [&](auto key, auto value) { return act(columns_of<decltype(key), decltype(value)>(data), way); });
}

// A block for each segment, and one that lists what is left.
template <bool ARE_WORDS>
scankit_error launch_own_blocks(cuda_device *gpu, const segment_data &data, segment_totals all, unsigned *list)
{
    return with_columns(gpu, data, [&]<class K, class V>(const segment_columns<K, V> &columns, rank_by way) {
        unsigned segments = unsigned(all.segments);
        return launch(gpu, sort_in_own_blocks<K, V, ARE_WORDS>, segments + 1, OWN_THREADS,
                      sizeof(own_memory<K, V, OWN_EACH>), columns, segments, way,
                      {cuda_next_word(gpu), all.elements, list});
    });
}

// The launch for other numbers than words, in an object of its own: it takes long to compile.
scankit_error sort_numbers_in_own_blocks(cuda_device *gpu, const segment_data &data, segment_totals all,
                                         unsigned *list);

#endif
