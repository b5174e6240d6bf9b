// short_segments.cu - the launches of sorts by threads, by lanes and by blocks: each class of lengths has its own.
#include "sort/segments/short_segments.cuh"

#include "common/shape.cuh"
#include "device/check.cuh"
#include "sort/segments/block_segments.cuh"
#include "sort/segments/few_segments.cuh"
#include "sort/segments/lane_segments.cuh"
#include "sort/segments/own_block_segments.cuh"
#include "sort/segments/tiny_segments.cuh"

namespace
{

template <class K, class V>
scankit_error sort_tiny_in(cuda_device *gpu, const segment_columns<K, V> &columns, size_t segments, unsigned classes,
                           segment_counts *found)
{
    size_t blocks = (segments - 1) / TINY_THREADS + 1;
    blocks = blocks < TINY_BLOCKS ? blocks : TINY_BLOCKS;
    sort_tiny<K, V><<<unsigned(blocks), TINY_THREADS, 0, gpu->stream>>>(columns, segments, classes, found);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Up to this many elements, a launch has as many blocks as any lengths could need, and the host does not wait for
// counts.
constexpr size_t UNCOUNTED_MOST = size_t(1) << 22;

// With a lesser mean length, launches for own blocks that likely find no segments cost more than they save.
constexpr size_t UNCOUNTED_MEAN_LEAST = 512;

// Most of them, as a multiple of those that run at a time. With more, blocks take several shares: most have none.
constexpr size_t WAVES_MOST = 8;

template <class K, class V>
scankit_error sort_by_all_lanes(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                                const segment_lists &lists)
{
    constexpr size_t LEAST = LANE_THREADS / WARP;    // segments of a share, but for a class's last
    constexpr size_t RESIDENT = 2048 / LANE_THREADS; // blocks of a multiprocessor
    size_t most = all.segments / LEAST + BLOCK_CLASS, full = size_t(gpu->processors) * RESIDENT;
    if (!lists.known && most > full * WAVES_MOST)
        return launch(gpu, sort_short<true, K, V>, unsigned(full), LANE_THREADS, 0, columns, lists.listed());
    unsigned blocks = share_blocks(lists, 0, BLOCK_CLASS - 1, lane_segments, most);
    if (blocks == 0)
        return SCANKIT_OK;
    return launch(gpu, sort_short<false, K, V>, blocks, LANE_THREADS, 0, columns, lists.listed());
}

// Most shares of work: they are filled to a third at least, but for the last one of each class.
size_t share_bound(segment_totals all, unsigned threads, unsigned classes)
{
    return all.elements / (threads * BLOCK_EACH / 3) + classes;
}

// The classes from first to last.
template <unsigned THREADS, class K, class V>
scankit_error sort_blocks(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                          const segment_lists &lists, unsigned first, unsigned last)
{
    size_t room = block_room(THREADS) * sizeof(block_element<K, V>), most = share_bound(all, THREADS, last - first + 1);
    most = most < all.segments ? most : all.segments;
    unsigned blocks = share_blocks(lists, first, last, groups_of<THREADS>, most);
    if (blocks == 0)
        return SCANKIT_OK;
    return launch(gpu, sort_by_blocks<K, V, THREADS>, blocks, THREADS, room, columns, lists.listed(), first, last);
}

// Elements of 16 bytes leave room for few large blocks.
template <class K, class V> constexpr bool WIDE = sizeof(block_element<K, V>) > 8;

// All classes in one launch if the GPU can hold all elements at a time: then the longest segment takes the time.
template <class K, class V>
scankit_error sort_by_all_blocks(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                                 const segment_lists &lists, unsigned classes)
{
    constexpr unsigned FIRST = BLOCK_CLASS, USUAL = WIDE<K, V> ? 4 : 5;
    constexpr unsigned THREADS = block_threads(FIRST + USUAL - 1), MORE = 2 * THREADS;
    unsigned usual = classes < USUAL ? classes : USUAL;
    bool has_more = classes > USUAL;
    if (has_more && all.elements <= size_t(gpu->processors) * MORE * BLOCK_EACH)
        return sort_blocks<MORE>(gpu, columns, all, lists, FIRST, FIRST + USUAL);
    if (has_more && all.elements > block_most(FIRST + USUAL - 1))
        TRY(sort_blocks<MORE>(gpu, columns, all, lists, FIRST + USUAL, FIRST + USUAL));
    return sort_blocks<THREADS>(gpu, columns, all, lists, FIRST, FIRST + usual - 1);
}

template <class K, class V> unsigned classes_with_room(const cuda_device *gpu)
{
    unsigned most = WIDE<K, V> ? BLOCK_CLASSES - 1 : BLOCK_CLASSES, classes = 0;
    while (classes < most &&
           block_room(block_threads(BLOCK_CLASS + classes)) * sizeof(block_element<K, V>) <= gpu->shared_most)
        classes++;
    return classes;
}

// Threads of the largest block.
template <class K, class V> constexpr unsigned MOST_THREADS = WIDE<K, V> ? 512 : 1024;

template <class K, class V>
scankit_error sort_few_in(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all)
{
    constexpr unsigned THREADS = MOST_THREADS<K, V>;
    size_t room = block_room(THREADS) * sizeof(block_element<K, V>);
    size_t spread = size_t(gpu->processors), most = spread + share_bound(all, THREADS, BLOCK_CLASSES);
    most = most < all.segments ? most : all.segments;
    return launch(gpu, sort_few<K, V, THREADS>, unsigned(most), THREADS, room, columns, unsigned(all.segments),
                  classes_with_room<K, V>(gpu), unsigned(spread), {cuda_next_word(gpu), all.elements});
}

} // namespace

unsigned block_classes(const cuda_device *gpu, sk_shape shape)
{
    return first_own_class(gpu, shape) < LONG_CLASS ? BLOCK_CLASSES : few_classes(gpu, shape);
}

unsigned few_classes(const cuda_device *gpu, sk_shape shape)
{
    unsigned classes = 0;
    (void)dispatch_shape(shape, [&](auto key, auto value) {
        classes = classes_with_room<decltype(key), decltype(value)>(gpu);
        return SCANKIT_OK;
    });
    return classes;
}

bool are_few(const cuda_device *gpu, sk_shape shape, segment_totals all)
{
    constexpr size_t ROOM = 1024 * BLOCK_EACH;
    return all.segments <= FEW_MOST && all.elements <= size_t(gpu->processors) * ROOM &&
           few_classes(gpu, shape) >= BLOCK_CLASSES - (shape.key_size == 8 && shape.value_size > 0);
}

scankit_error sort_few_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                const uint64_t *offsets, segment_totals all)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        return sort_few_in(gpu, columns_of<decltype(key), decltype(value)>(in, out, offsets), all);
    });
}

scankit_error sort_tiny_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, segment_totals all, const segment_lists &lists)
{
    unsigned classes = block_classes(gpu, shape);
    CHECK(cudaMemsetAsync(lists.found, 0, sizeof *lists.found, gpu->stream));
    TRY(dispatch_shape(shape, [&](auto key, auto value) {
        return sort_tiny_in(gpu, columns_of<decltype(key), decltype(value)>(in, out, offsets), all.segments, classes,
                            lists.found);
    }));
    return list_counted(gpu, longer_lengths{{offsets, classes}}, all.segments, lists,
                        {cuda_next_word(gpu), all.elements});
}

scankit_error sort_short_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, segment_totals all, segment_lists *lists)
{
    if (all.elements > UNCOUNTED_MOST)
        TRY(fetch_counts(gpu, lists));
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        segment_columns<K, V> columns = columns_of<K, V>(in, out, offsets);
        TRY(sort_by_all_lanes(gpu, columns, all, *lists));
        unsigned classes = classes_with_room<K, V>(gpu), own = first_own_class(gpu, shape);
        bool likely_empty = !lists->known && all.elements / all.segments < UNCOUNTED_MEAN_LEAST;
        if (own == LONG_CLASS || (likely_empty && classes == BLOCK_CLASSES))
            return sort_by_all_blocks(gpu, columns, all, *lists, classes);
        TRY(sort_own_classes(gpu, shape, in, out, offsets, all, *lists));
        return sort_by_all_blocks(gpu, columns, all, *lists, own - BLOCK_CLASS);
    });
}
