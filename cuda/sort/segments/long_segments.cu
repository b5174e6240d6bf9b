// long_segments.cu - long segments: one sort for each; or all of them are split into buckets, which are short segments.
#include "sort/segments/long_segments.cuh"

#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "operators.h"
#include "sort/radix/split.cuh"
#include "sort/segments/short_segments.cuh"
#include "sort/segments/split_segments.cuh"

namespace
{

// A sort of its own costs a launch or ten: so it pays for few segments, or for giant ones.
constexpr unsigned FEW_SEGMENTS = 3, RANGES = RESULT_BYTES / 16;

// ---- one after the other ----

struct segment_range {
    uint64_t begin, length;
};

struct find_range {
    const uint64_t *offsets;
    const unsigned *segment;
    segment_range *range;
    __device__ void operator()(size_t i) const
    {
        const uint64_t *at = offsets + segment[i];
        range[i] = {at[0], at[1] - at[0]};
    }
};

template <class T> T *at(T *memory, size_t bytes)
{
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return memory == nullptr ? memory : static_cast<byte *>(memory) + bytes;
}

scankit_error sort_range(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, segment_range range)
{
    size_t key = range.begin * shape.key_size, value = range.begin * shape.value_size;
    return cuda_sort(&gpu->base, shape, {at(in.keys, key), at(in.values, value)},
                     {at(out.keys, key), at(out.values, value)}, nullptr, range.length, 0, 8 * shape.key_size,
                     SCANKIT_AUTO);
}

scankit_error sort_each(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, const uint64_t *offsets,
                        segment_list list)
{
    workspace scratch(gpu);
    segment_range *ranges, host[RANGES];
    if (!scratch.take(&ranges, RANGES))
        return SCANKIT_E_MEMORY;
    for (unsigned done = 0; done < list.count; done += RANGES) {
        unsigned part = list.count - done < RANGES ? list.count - done : RANGES;
        TRY(map_elements(gpu, part, find_range{offsets, list.segment + done, ranges}));
        TRY(cuda_fetch(gpu, host, ranges, part * sizeof *host));
        for (unsigned i = 0; i < part; i++)
            TRY(sort_range(gpu, shape, in, out, host[i]));
    }
    return SCANKIT_OK;
}

// ---- all together: rounds of splits. A bucket that is still long is a segment of the next round ----

// Data for which this many rounds are too few are against all odds. What is left is sorted one by one.
constexpr int ROUNDS = 6;

// The buckets of a round's segments. The next round reads them while it fills in its own.
struct round_buckets {
    uint64_t *offsets;
    uint8_t *equal;
    segment_lists lists;

    bool take(workspace &scratch, size_t segments)
    {
        return scratch.take(&offsets, segments * BUCKET_ROW) && scratch.take(&equal, segments * BUCKET_ROW) &&
               lists.take(scratch, segments * BUCKETS);
    }
};

// The segments of a round.
struct long_segments {
    const uint64_t *offsets;
    segment_list list;
    size_t elements;
};

template <class K, class V> struct segment_rounds {
    cuda_device *gpu;
    sk_shape shape;
    sk_columns out;
    unsigned classes;      // of blocks
    sk_const_columns from; // the round's input

    static size_t tiles_of(const long_segments &segments)
    {
        return segments.elements / split_tile<K, V>::SIZE + segments.list.count;
    }

    scankit_error find_buckets(const long_segments &segments, const segment_buckets<K> &buckets) const
    {
        return launch(gpu, find_splitters<K>, segments.list.count, SPLITTER_THREADS, sizeof(splitter_sample<K>),
                      static_cast<const K *>(from.keys), segments.offsets, segments.list, buckets);
    }

    scankit_error split(const segment_tiles &tiles, size_t most, const segment_buckets<K> &buckets, sk_columns to) const
    {
        segment_columns<K, V> columns = columns_of<K, V>({shape, nullptr, from, to, tiles.offsets});
        rank_by way;
        TRY(split_way(gpu, &way));
        TRY(launch(gpu, count_buckets<K, V>, unsigned(most), SEGMENT_THREADS, 0, columns.keys_in, tiles, buckets));
        TRY(scan_words(tiles.counts, most * BUCKETS));
        return launch(gpu, split_tiles<K, V>, unsigned(most), SEGMENT_THREADS, sizeof(split_memory<K, V>), columns,
                      tiles, buckets, way);
    }

    scankit_error scan_words(unsigned *words, size_t n) const
    {
        return cuda_scan(&gpu->base, sk_canonical_type(SCANKIT_U32, SCANKIT_SUM), SCANKIT_SUM, SCANKIT_EXCLUSIVE,
                         nullptr, words, words, n);
    }

    // Splits the segments of `from` into buckets at the same places of `to`.
    scankit_error split_segments(const long_segments &segments, sk_columns to, round_buckets *found) const
    {
        workspace scratch(gpu);
        size_t count = segments.list.count, most = tiles_of(segments);
        segment_tiles tiles = {segments.offsets, segments.list, nullptr, nullptr, nullptr};
        segment_buckets<K> buckets;
        if (!scratch.take(&tiles.start, count + 1) || !scratch.take(&tiles.segment, most) ||
            !scratch.take(&tiles.counts, most * BUCKETS) || !scratch.take(&buckets.splitter, count * BUCKETS) ||
            !scratch.take(&buckets.count, count))
            return SCANKIT_E_MEMORY;
        TRY(map_elements(gpu, count + 1, count_tiles{tiles, unsigned(split_tile<K, V>::SIZE)}));
        TRY(scan_words(tiles.start, count + 1));
        TRY(map_elements(gpu, count, place_tiles{tiles}));
        TRY(find_buckets(segments, buckets));
        TRY(split(tiles, most, buckets, to));
        return map_elements(gpu, count * BUCKET_ROW, place_buckets<K>{tiles, buckets, found->offsets, found->equal});
    }

    // Sorts the short buckets of `split`, and copies buckets of one value.
    scankit_error finish_buckets(sk_columns split, segment_totals all, round_buckets *found) const
    {
        const segment_data data = {shape, nullptr, {split.keys, split.values}, out, found->offsets};
        TRY(sort_short_segments(gpu, data, all, &found->lists));
        TRY(fetch_counts(gpu, &found->lists));
        segment_list same = found->lists.of(EQUAL_CLASS);
        if (same.count == 0 || split.keys == out.keys)
            return SCANKIT_OK;
        return launch(gpu, copy_buckets<K, V>, same.count * COPY_BLOCKS, COPY_THREADS, 0, columns_of<K, V>(data), same);
    }

    // Elements go from `in` to `spare`, from there to `out`, and so on.
    scankit_error run(long_segments segments, sk_const_columns in, sk_columns spare, round_buckets (&found)[2])
    {
        from = in;
        for (int round = 0; segments.list.count > 0; round++) {
            if (round == ROUNDS || segments.list.count <= FEW_SEGMENTS)
                return sort_each(gpu, shape, from, out, segments.offsets, segments.list);
            round_buckets &own = found[round % 2];
            sk_columns to = round % 2 == 0 ? spare : out;
            TRY(split_segments(segments, to, &own));
            END_REHEARSAL(gpu);
            segment_totals all = {segments.list.count * BUCKET_ROW - 1, segments.elements};
            own.lists.known = false;
            TRY(list_segments(gpu, bucket_lengths{own.offsets, own.equal, classes}, all.segments, own.lists));
            TRY(finish_buckets(to, all, &own));
            segments = {own.offsets, own.lists.of(LONG_CLASS), own.lists.counts.long_elements};
            from = {to.keys, to.values};
        }
        return SCANKIT_OK;
    }
};

// n: of all elements, which keep their places. Later rounds have no more segments than could be long ones.
template <class K, class V>
scankit_error sort_together(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                            long_segments segments, size_t n)
{
    workspace scratch(gpu);
    K *keys;
    V *values = nullptr;
    round_buckets found[2];
    size_t most = segments.elements / longest_short(gpu, shape);
    most = most > segments.list.count ? most : segments.list.count;
    if (!scratch.take(&keys, n) || (HAS_VALUE<V> && !scratch.take(&values, n)) || !found[0].take(scratch, most) ||
        !found[1].take(scratch, most))
        return SCANKIT_E_MEMORY;
    return segment_rounds<K, V>{gpu, shape, out, block_classes(gpu, shape), {}}.run(segments, in, {keys, values},
                                                                                    found);
}

} // namespace

scankit_error sort_giant_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, segment_list list)
{
    return sort_each(gpu, shape, in, out, offsets, list);
}

static scankit_error sort_all_together(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                       long_segments segments, size_t n)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        return sort_together<decltype(key), decltype(value)>(gpu, shape, in, out, segments, n);
    });
}

scankit_error sort_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, segment_list list, size_t elements, size_t n)
{
    if (list.count <= FEW_SEGMENTS)
        return sort_each(gpu, shape, in, out, offsets, list);
    return sort_all_together(gpu, shape, in, out, {offsets, list, elements}, n);
}

scankit_error rehearse_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                     size_t segments, size_t n)
{
    workspace scratch(gpu);
    segment_range *ranges;
    if (!scratch.take(&ranges, RANGES))
        return SCANKIT_E_MEMORY;
    TRY(sort_range(gpu, shape, in, out, {0, n}));
    if (segments <= FEW_SEGMENTS)
        return SCANKIT_OK;
    return sort_all_together(gpu, shape, in, out, {nullptr, {nullptr, unsigned(segments)}, n}, n);
}
