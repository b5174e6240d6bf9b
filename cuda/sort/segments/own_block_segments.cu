// own_block_segments.cu - the launches of sorts by own blocks.
#include "sort/segments/own_block_segments.cuh"

#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/radix/split.cuh"
#include "sort/segments/own_blocks.cuh"
#include "sort/segments/sliced_segments.cuh"

namespace
{

static_assert(OWN_MOST == block_most(LONG_CLASS - 1), "blocks sort the classes before the long segments");

// Mean lengths, and segments for each multiprocessor. From there on blocks that merge, or slices, are as fast.
constexpr size_t MEAN_LEAST = 512, MEAN_MOST = 5000, SEGMENTS_EACH = 2;

// Keys of 8 bytes with values stay with slices and merges: with 22 elements a thread their values came out wrong.
bool are_wide(sk_shape shape)
{
    return shape.key_size == 8 && shape.value_size > 0;
}

bool has_room(const cuda_device *gpu, sk_shape shape)
{
    size_t room = 0;
    (void)dispatch_shape(shape, [&](auto key, auto value) {
        room = sizeof(own_memory<decltype(key), decltype(value)>);
        return SCANKIT_OK;
    });
    return room <= gpu->shared_most;
}

} // namespace

bool are_for_own_blocks(const cuda_device *gpu, sk_shape shape, segment_totals all)
{
    size_t mean = all.elements / all.segments;
    bool may_be_long = shape.value_size > 0 && !can_be_sliced(all.segments, all.elements);
    return !are_wide(shape) && all.segments <= SEGMENTS_EACH * size_t(gpu->processors) && mean >= MEAN_LEAST &&
           mean <= (may_be_long ? OWN_MOST : MEAN_MOST) && has_room(gpu, shape);
}

scankit_error sort_segments_in_own_blocks(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                          const uint64_t *offsets, segment_totals all)
{
    rank_by way;
    TRY(split_way(gpu, &way));
    END_REHEARSAL(gpu);
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        if constexpr (sizeof(K) == 8 && HAS_VALUE<V>) {
            return SCANKIT_E_ARGUMENT; // there is no kernel: see are_wide()
        } else {
            unsigned segments = unsigned(all.segments);
            return launch(gpu, sort_in_own_blocks<K, V>, segments + 1, OWN_THREADS, sizeof(own_memory<K, V>),
                          columns_of<K, V>(in, out, offsets), segments, way, {cuda_next_word(gpu), all.elements});
        }
    });
}
