// short_segments.cu - the launches of sorts by threads, by lanes and by blocks. Where the host knows the counts of the
// classes of lengths, each class has a launch of its own.
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
    auto *kernel = columns.order.are_words ? sort_tiny<K, V, true> : sort_tiny<K, V, false>;
    kernel<<<unsigned(blocks), TINY_THREADS, 0, gpu->stream>>>(columns, segments, classes, found);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Up to this many elements, a launch has as many blocks as any lengths could need, and the host does not wait for
// counts.
constexpr size_t UNCOUNTED_MOST = size_t(1) << 21;

// With a lesser mean length, launches for own blocks that likely find no segments cost more than they save.
constexpr size_t UNCOUNTED_MEAN_LEAST = 512;

// act(c) for each class from LAST down to FIRST, as a constant.
template <unsigned FIRST, unsigned LAST, class Act> scankit_error for_classes(Act act)
{
    TRY(act(std::integral_constant<unsigned, LAST>{}));
    if constexpr (FIRST < LAST)
        return for_classes<FIRST, LAST - 1>(act);
    return SCANKIT_OK;
}

// ---- lanes ----

// Most shares: a segment after class 0 fills its lanes by half at least. In class 0 are some buckets at most, and these
// have hundreds of elements on average.
template <class E> size_t most_lane_shares(segment_totals all)
{
    size_t least = LANE_THREADS * lane_each<E>(1) / 2, by_length = all.elements / least;
    size_t by_number = all.segments / (LANE_THREADS / WARP);
    return (by_length < by_number ? by_length : by_number) + LANE_CLASSES<E>;
}

template <class K, class V>
scankit_error sort_by_all_lanes(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                                const segment_lists &lists)
{
    using E = segment_element<K, V>;
    constexpr unsigned LAST = LANE_CLASSES<E> - 1;
    if (!lists.known)
        return launch(gpu, sort_lane_classes<0, LAST, K, V>, unsigned(most_lane_shares<E>(all)), LANE_THREADS, 0,
                      columns, lists.listed());
    return for_classes<0, LAST>([&](auto c) {
        unsigned blocks = share_blocks(lists, c, c, lane_segments<E>, 0);
        if (blocks == 0)
            return SCANKIT_OK;
        return launch(gpu, sort_lane_classes<c, c, K, V>, blocks, LANE_THREADS, 0, columns, lists.listed());
    });
}

// ---- blocks ----

// The first class that blocks sort.
template <class K, class V> constexpr unsigned FIRST_BLOCK_CLASS = LANE_CLASSES<segment_element<K, V>>;

// Most shares of work: they are filled to a third at least, but for the last one of each class.
size_t share_bound(segment_totals all, unsigned threads, unsigned classes)
{
    return all.elements / (threads * BLOCK_EACH / 3) + classes;
}

// The classes from first to last, whose counts are not known.
template <unsigned THREADS, class K, class V>
scankit_error sort_blocks(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                          const segment_lists &lists, unsigned first, unsigned last)
{
    size_t room = block_room(THREADS) * sizeof(segment_element<K, V>);
    size_t most = share_bound(all, THREADS, last - first + 1);
    most = most < all.segments ? most : all.segments;
    return launch(gpu, sort_by_blocks<K, V, THREADS>, unsigned(most), THREADS, room, columns, lists.listed(), first,
                  last);
}

// Elements of more than 8 bytes leave room for few large blocks.
template <class K, class V> constexpr bool WIDE = sizeof(segment_element<K, V>) > 8;

// All classes up to `last` in one launch if the GPU can hold all elements at a time: then the longest segment takes the
// time.
template <class K, class V>
scankit_error sort_uncounted(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                             const segment_lists &lists, unsigned last)
{
    constexpr unsigned FIRST = FIRST_BLOCK_CLASS<K, V>, USUAL = BLOCK_CLASS + (WIDE<K, V> ? 3 : 4);
    constexpr unsigned THREADS = block_threads(USUAL), MORE = 2 * THREADS;
    bool has_more = last > USUAL;
    if (has_more && all.elements <= size_t(gpu->processors) * MORE * BLOCK_EACH)
        return sort_blocks<MORE>(gpu, columns, all, lists, FIRST, USUAL + 1);
    if (has_more && all.elements > block_most(USUAL))
        TRY(sort_blocks<MORE>(gpu, columns, all, lists, USUAL + 1, USUAL + 1));
    return sort_blocks<THREADS>(gpu, columns, all, lists, FIRST, last < USUAL ? last : USUAL);
}

// Threads of the largest block.
template <class K, class V> constexpr unsigned MOST_THREADS = WIDE<K, V> ? 512 : 1024;

// The classes up to `last`.
template <class K, class V>
scankit_error sort_by_all_blocks(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all,
                                 const segment_lists &lists, unsigned last)
{
    constexpr unsigned FIRST = FIRST_BLOCK_CLASS<K, V>, LAST = LONG_CLASS - 1 - WIDE<K, V>;
    static_assert(block_threads(LAST) == MOST_THREADS<K, V>);
    if (last < FIRST)
        return SCANKIT_OK;
    if (!lists.known)
        return sort_uncounted(gpu, columns, all, lists, last);
    return for_classes<FIRST, LAST>([&](auto c) {
        if (c > last || lists.counts.count[c] == 0)
            return SCANKIT_OK;
        segment_list list = lists.of(c);
        size_t room = group_room(block_threads(c)) * sizeof(segment_element<K, V>);
        return launch(gpu, sort_class_by_blocks<c, K, V>, list.count, block_threads(c), room, columns, list);
    });
}

template <class K, class V> unsigned classes_with_room(const cuda_device *gpu)
{
    unsigned most = WIDE<K, V> ? BLOCK_CLASSES - 1 : BLOCK_CLASSES, classes = 0;
    while (classes < most &&
           block_room(block_threads(BLOCK_CLASS + classes)) * sizeof(segment_element<K, V>) <= gpu->shared_most)
        classes++;
    return classes;
}

template <class K, class V>
scankit_error sort_few_in(cuda_device *gpu, const segment_columns<K, V> &columns, segment_totals all)
{
    constexpr unsigned THREADS = MOST_THREADS<K, V>;
    size_t room = block_room(THREADS) * sizeof(segment_element<K, V>);
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

scankit_error sort_few_segments(cuda_device *gpu, const segment_data &data, segment_totals all)
{
    return dispatch_shape(data.shape, [&](auto key, auto value) {
        return sort_few_in(gpu, columns_of<decltype(key), decltype(value)>(data), all);
    });
}

scankit_error sort_tiny_segments(cuda_device *gpu, const segment_data &data, segment_totals all,
                                 const segment_lists &lists)
{
    unsigned classes = block_classes(gpu, data.shape);
    CHECK(cudaMemsetAsync(lists.found, 0, sizeof *lists.found, gpu->stream));
    TRY(dispatch_shape(data.shape, [&](auto key, auto value) {
        return sort_tiny_in(gpu, columns_of<decltype(key), decltype(value)>(data), all.segments, classes, lists.found);
    }));
    return list_counted(gpu, longer_lengths{{data.offsets, classes}}, all.segments, lists,
                        {cuda_next_word(gpu), all.elements});
}

scankit_error sort_short_segments(cuda_device *gpu, const segment_data &data, segment_totals all, segment_lists *lists)
{
    if (all.elements > UNCOUNTED_MOST)
        TRY(fetch_counts(gpu, lists));
    return dispatch_shape(data.shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        segment_columns<K, V> columns = columns_of<K, V>(data);
        TRY(sort_by_all_lanes(gpu, columns, all, *lists));
        unsigned classes = classes_with_room<K, V>(gpu), own = first_own_class(gpu, data.shape);
        bool likely_empty = !lists->known && all.elements / all.segments < UNCOUNTED_MEAN_LEAST;
        if (own == LONG_CLASS || (likely_empty && classes == BLOCK_CLASSES))
            return sort_by_all_blocks(gpu, columns, all, *lists, BLOCK_CLASS + classes - 1);
        TRY(sort_own_classes(gpu, data, all, *lists));
        return sort_by_all_blocks(gpu, columns, all, *lists, own - 1);
    });
}
