// own_class_segments.cu - the launches of sorts by own blocks of segments that are listed by length.
#include "sort/segments/own_block_segments.cuh"
#include "sort/segments/own_launch.cuh"

namespace
{

// The first class of listed segments for which own blocks are faster.
unsigned first_class(sk_shape shape)
{
    return BLOCK_CLASS + (are_wide(shape) ? 1 : 3);
}

// The last class whose segments leave a multiprocessor room for two blocks.
template <class K, class V> constexpr unsigned LAST_OF_TWO = BLOCK_CLASS + (EACH_OF_TWO<K, V> < 16 ? 3 : 4);

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

unsigned first_own_class(const cuda_device *gpu, sk_shape shape)
{
    return shape.key_size < 4 || !has_room(gpu, shape) ? LONG_CLASS : first_class(shape);
}

scankit_error sort_own_classes(cuda_device *gpu, const segment_data &data, segment_totals all,
                               const segment_lists &lists)
{
    return with_columns(gpu, data, [&]<class K, class V>(const segment_columns<K, V> &columns, rank_by way) {
        if constexpr (sizeof(K) >= 4) {
            constexpr unsigned LAST = LAST_OF_TWO<K, V>;
            constexpr int EACH = EACH_OF_TWO<K, V>;
            static_assert(block_most(LAST) <= OWN_THREADS * EACH, "blocks have room");
            TRY((sort_classes<OWN_EACH>(gpu, columns, all, lists, LAST + 1, LONG_CLASS - 1, way)));
            return sort_classes<EACH>(gpu, columns, all, lists, first_class(data.shape), LAST, way);
        } else {
            return SCANKIT_E_ARGUMENT; // see first_own_class()
        }
    });
}
