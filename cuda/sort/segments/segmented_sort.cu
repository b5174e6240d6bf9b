// segmented_sort.cu - segmented sort: few elements are sorted by slices, and few segments, or segments of narrow keys,
// by a block each. Others are listed by length, and each class of lengths has its own kernel. So no distribution of
// lengths is bad (after Hou, Liu, Wang and Feng, Fast Segmented Sort on GPUs, 2017).
#include "common/algorithm.h"
#include "common/copy.cuh"
#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/narrow/narrow_segments.cuh"
#include "sort/radix/split.cuh"
#include "sort/segments/captured_segments.cuh"
#include "sort/segments/long_keys.cuh"
#include "sort/segments/long_segments.cuh"
#include "sort/segments/own_block_segments.cuh"
#include "sort/segments/short_segments.cuh"
#include "sort/segments/sliced_segments.cuh"

SK_ALGORITHMS(segment_algorithm, SK_CUDA_SEGMENT_SORTS)

namespace
{

constexpr size_t GROUP = size_t(1) << 31; // most segments that are listed at a time

struct segmented_sorting {
    cuda_device *gpu;
    segment_algorithm way;
    segment_data data;
    size_t n; // of elements
};

// Long segments are sorted as words: their keys are encoded in the output first.
segment_data of_words(segment_data data)
{
    if (data.piece != nullptr)
        data.in.keys = data.out.keys;
    data.piece = nullptr;
    return data;
}

struct segment_ends {
    size_t first, last;
};

scankit_error rehearse(const segmented_sorting &sort, size_t segments)
{
    rank_by way; // of own blocks
    TRY(split_way(sort.gpu, &way));
    const segment_data data = of_words(sort.data);
    size_t most = sort.n / longest_short(sort.gpu, data.shape);
    most = segments < most ? segments : most;
    return most > 0 ? rehearse_long_segments(sort.gpu, data.shape, data.in, data.out, most, sort.n) : SCANKIT_OK;
}

// Keys are words.
scankit_error sort_long_words(const segmented_sorting &sort, const segment_data &data, const segment_lists &lists)
{
    cuda_device *gpu = sort.gpu;
    segment_list giant = lists.of(GIANT_CLASS), longer = lists.of(LONG_CLASS);
    if (giant.count > 0)
        TRY(sort_giant_segments(gpu, data.shape, data.in, data.out, data.offsets, giant));
    if (longer.count == 0)
        return SCANKIT_OK;
    return sort_long_segments(gpu, data.shape, data.in, data.out, data.offsets, longer, lists.counts.long_elements,
                              sort.n);
}

// Sorts what is longer than a block has room for.
scankit_error sort_longer(const segmented_sorting &sort, const segment_data &data, const segment_places &places,
                          const segment_lists &lists)
{
    size_t elements = lists.counts.long_elements;
    if (lists.counts.count[GIANT_CLASS] + lists.counts.count[LONG_CLASS] == 0)
        return SCANKIT_OK;
    if (lists.counts.count[GIANT_CLASS] == 0 && can_share_long(data, elements))
        return sort_shared_segments(sort.gpu, data, lists.of(LONG_CLASS), elements);
    if (data.piece == nullptr)
        return sort_long_words(sort, data, lists);
    TRY(map_long<encode_key>(sort.gpu, data, data.in.keys, places, sort.n));
    scankit_error error = sort_long_words(sort, of_words(data), lists);
    scankit_error decoded = map_long<decode_key>(sort.gpu, data, data.out.keys, places, sort.n);
    return error != SCANKIT_OK ? error : decoded;
}

// Sorts the segments that are listed as long ones. ends: of the group's segments.
scankit_error sort_rest(const segmented_sorting &sort, const segment_data &data, const segment_places &places,
                        segment_lists *lists, segment_ends *ends)
{
    TRY(fetch_counts(sort.gpu, lists));
    TRY(sort_longer(sort, data, places, *lists));
    *ends = {lists->counts.first, lists->counts.last};
    return SCANKIT_OK;
}

scankit_error sort_group_in_own_blocks(const segmented_sorting &sort, const segment_data &data, segment_totals all,
                                       segment_lists &lists, segment_ends *ends)
{
    cuda_device *gpu = sort.gpu;
    uint64_t word;
    TRY(sort_segments_in_own_blocks(gpu, data, all, lists.memory));
    TRY(cuda_wait_word(gpu, &word, sizeof word));
    const own_rest rest = own_rest::from(word);
    if (!rest.has_outside && rest.segments == 0)
        return SCANKIT_OK;
    if (!rest.has_outside && can_share_long(data, rest.elements))
        return sort_shared_segments(gpu, data, {lists.memory, unsigned(rest.segments)}, rest.elements);
    const segment_places places = {data.offsets, all.segments, BLOCK_CLASSES};
    TRY(list_segments(gpu, segment_lengths{data.offsets, BLOCK_CLASSES}, all.segments, lists));
    return sort_rest(sort, data, places, &lists, ends);
}

// ends: of the group's segments, found if there is something before or behind them.
scankit_error sort_group(const segmented_sorting &sort, const uint64_t *offsets, size_t segments, segment_ends *ends)
{
    cuda_device *gpu = sort.gpu;
    segment_data data = sort.data;
    data.offsets = offsets;
    workspace scratch(gpu);
    segment_lists lists;
    segment_totals all = {segments, sort.n};
    bool has_rest = false;
    if (!lists.take(scratch, segments))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(&gpu->base))
        return rehearse(sort, segments);
    if (sort.way == segment_algorithm::OWN_BLOCKS)
        return sort_group_in_own_blocks(sort, data, {segments, sort.n}, lists, ends);
    bool unlisted = are_few(gpu, data.shape, all);
    if (unlisted) {
        TRY(sort_few_segments(gpu, data, all));
    } else {
        TRY(sort_tiny_segments(gpu, data, all, lists));
        TRY(sort_short_segments(gpu, data, all, &lists));
    }
    TRY(cuda_wait_word(gpu, &has_rest, sizeof has_rest));
    if (!has_rest)
        return SCANKIT_OK;
    unsigned classes = unlisted ? few_classes(gpu, data.shape) : block_classes(gpu, data.shape);
    if (unlisted) // what a block has sorted must not be listed: it would be sorted again
        TRY(list_segments(gpu, segment_lengths{offsets, classes}, segments, lists));
    return sort_rest(sort, data, {offsets, segments, classes}, &lists, ends);
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
    const segment_data &data = sort.data;
    TRY(copy_column(sort.gpu, data.in.keys, data.out.keys, data.shape.key_size, begin, end));
    return copy_column(sort.gpu, data.in.values, data.out.values, data.shape.value_size, begin, end);
}

// What a capture of the call needs.
scankit_error rehearse_capture(const segmented_sorting &sort, size_t segments)
{
    if (can_be_sliced(segments, sort.n))
        return sort_sliced_segments(sort.gpu, sort.data, segments, sort.n);
    if (segments >= UINT32_MAX) // refused
        return SCANKIT_OK;
    return sort_captured_segments(sort.gpu, sort.data, segments, sort.n);
}

segment_algorithm choose(const cuda_device *gpu, sk_shape shape, segment_totals all)
{
    if (!gpu->captures && are_for_own_blocks(gpu, shape, all))
        return segment_algorithm::OWN_BLOCKS;
    bool sliced =
        gpu->captures ? can_be_sliced(all.segments, all.elements) : are_for_slices(shape, all.segments, all.elements);
    return sliced ? segment_algorithm::SLICES : segment_algorithm::NETWORKS;
}

// Keys of 1 or 2 bytes, with values or without. *done is false if other sorts are better.
scankit_error sort_narrow_keys(cuda_device *gpu, const segment_data &data, size_t segments, size_t n, bool *done)
{
    const narrow_data narrow = {data.shape, data.piece, data.in, data.out, data.offsets, segments, n};
    bool has_values = data.shape.value_size > 0;
    *done = false;
    if (sk_rehearses(&gpu->base) || are_for_narrow_blocks(gpu, narrow)) {
        report(gpu, segment_algorithm::OWN_BLOCKS);
        TRY(sort_narrow_segments(gpu, narrow, done));
    }
    if (!*done && has_values && can_be_sliced(segments, n)) {
        report(gpu, segment_algorithm::SLICES);
        TRY(sort_sliced_segments(gpu, data, segments, n));
        *done = !sk_rehearses(&gpu->base);
    }
    return SCANKIT_OK;
}

} // namespace

scankit_error cuda_segmented_sort(sk_device *device, const sk_piece *piece, sk_shape shape, sk_const_columns in,
                                  sk_columns out, const uint64_t *offsets, size_t segments, size_t n, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    *done = piece->kind != SK_PIECE_BYTES && !piece->swap;
    if (!*done)
        return SCANKIT_OK;
    if (piece->kind == SK_PIECE_UNSIGNED && !piece->descending)
        piece = nullptr;
    const segment_data data = {shape, piece, in, out, offsets};
    CHECK(cudaSetDevice(gpu->ordinal));
    if (shape.key_size < 4) {
        TRY(sort_narrow_keys(gpu, data, segments, n, done));
        if (*done || shape.value_size > 0)
            return SCANKIT_OK;
        *done = true;
    }
    segmented_sorting sort = {gpu, choose(gpu, shape, {segments, n}), data, n};
    report(gpu, sort.way);
    if (sort.way == segment_algorithm::SLICES)
        return sort_sliced_segments(gpu, data, segments, n);
    if (gpu->captures)
        return sort_captured_segments(gpu, data, segments, n);
    if (sk_rehearses(device))
        TRY(rehearse_capture(sort, segments));
    size_t end = 0; // of the last segment
    for (size_t begun = 0, part; begun < segments; begun += part) {
        segment_ends ends = {0, n};
        part = segments - begun < GROUP ? segments - begun : GROUP;
        TRY(sort_group(sort, offsets + begun, part, &ends));
        if (begun == 0)
            TRY(copy_outside(sort, 0, ends.first));
        end = ends.last;
    }
    return copy_outside(sort, end, n);
}
