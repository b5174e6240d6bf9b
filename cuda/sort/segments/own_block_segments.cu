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

// Keys of 8 bytes with values: elements in slices and merges have 16 bytes.
bool are_wide(sk_shape shape)
{
    return shape.key_size == 8 && shape.value_size > 0;
}

// Mean lengths for which own blocks are faster: below, blocks that merge, or slices, are as fast. With more segments
// for each multiprocessor than FEW_EACH, also such keys count that crowd bins, and are slower.
constexpr size_t FEW_EACH = 2, SEGMENTS_EACH = 8, FEW_LEAST = 512, LEAST = 2048, WIDE_LEAST = 256, SLICED_PAIRS = 5000;

size_t least_mean(sk_shape shape, bool few)
{
    return are_wide(shape) ? WIDE_LEAST : few ? FEW_LEAST : LEAST;
}

size_t most_mean(sk_shape shape, segment_totals all)
{
    bool are_narrow_pairs = shape.value_size > 0 && !are_wide(shape);
    return are_narrow_pairs && can_be_sliced(all.segments, all.elements) ? SLICED_PAIRS : OWN_MOST;
}

// The first class of listed segments for which own blocks are faster.
unsigned first_class(sk_shape shape)
{
    return BLOCK_CLASS + (are_wide(shape) ? 1 : 3);
}

// The last class whose segments leave a multiprocessor room for two blocks.
template <class K, class V> constexpr unsigned LAST_OF_TWO = BLOCK_CLASS + (EACH_OF_TWO<K, V> < 16 ? 3 : 4);

bool has_room(const cuda_device *gpu, sk_shape shape)
{
    size_t room = 0;
    (void)dispatch_shape(shape, [&](auto key, auto value) {
        room = sizeof(own_memory<decltype(key), decltype(value), OWN_EACH>);
        return SCANKIT_OK;
    });
    return room <= gpu->shared_most;
}

// act(columns, way) with the columns' types and the way to rank, unless this is a rehearsal.
template <class Act>
scankit_error with_columns(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                           const uint64_t *offsets, Act act)
{
    rank_by way;
    TRY(split_way(gpu, &way));
    END_REHEARSAL(gpu);
    return dispatch_shape(shape, [&](auto key, auto value) {
        return act(columns_of<decltype(key), decltype(value)>(in, out, offsets), way);
    });
}

// The classes from first to last.
template <int MOST_EACH, class K, class V>
scankit_error sort_classes(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                           const segment_lists &lists, unsigned first, unsigned last, rank_by way)
{
    size_t most = all.elements / block_most(first - 1);
    unsigned blocks = share_blocks(lists, first, last, one_segment, most < all.segments ? most : all.segments);
    if (blocks == 0)
        return SCANKIT_OK;
    return launch(gpu, sort_listed_in_own_blocks<K, V, MOST_EACH>, blocks, OWN_THREADS,
                  sizeof(own_memory<K, V, MOST_EACH>), columns, lists.listed(), first, last, way);
}

} // namespace

bool are_for_own_blocks(const cuda_device *gpu, sk_shape shape, segment_totals all)
{
    size_t mean = all.elements / all.segments, each = (all.segments - 1) / size_t(gpu->processors) + 1;
    return each <= SEGMENTS_EACH && mean >= least_mean(shape, each <= FEW_EACH) && mean <= most_mean(shape, all) &&
           has_room(gpu, shape);
}

scankit_error sort_segments_in_own_blocks(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                          const uint64_t *offsets, segment_totals all)
{
    return with_columns(
        gpu, shape, in, out, offsets, [&]<class K, class V>(const segment_columns<K, V> &columns, rank_by way) {
            unsigned segments = unsigned(all.segments);
            return launch(gpu, sort_in_own_blocks<K, V>, segments + 1, OWN_THREADS, sizeof(own_memory<K, V, OWN_EACH>),
                          columns, segments, way, {cuda_next_word(gpu), all.elements});
        });
}

unsigned first_own_class(const cuda_device *gpu, sk_shape shape)
{
    return shape.key_size < 4 || !has_room(gpu, shape) ? LONG_CLASS : first_class(shape);
}

scankit_error sort_own_classes(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                               const uint64_t *offsets, segment_totals all, const segment_lists &lists)
{
    return with_columns(gpu, shape, in, out, offsets,
                        [&]<class K, class V>(const segment_columns<K, V> &columns, rank_by way) {
                            if constexpr (sizeof(K) >= 4) {
                                constexpr unsigned LAST = LAST_OF_TWO<K, V>;
                                constexpr int EACH = EACH_OF_TWO<K, V>;
                                static_assert(block_most(LAST) <= OWN_THREADS * EACH, "blocks have room");
                                TRY((sort_classes<OWN_EACH>(gpu, columns, all, lists, LAST + 1, LONG_CLASS - 1, way)));
                                return sort_classes<EACH>(gpu, columns, all, lists, first_class(shape), LAST, way);
                            } else {
                                return SCANKIT_E_ARGUMENT; // see first_own_class()
                            }
                        });
}
