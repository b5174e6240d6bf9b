// sliced_segments.cu - the launch of the sort by slices.
#include "sort/segments/sliced_segments.cuh"

#include "common/copy.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/segments/slices.cuh"

namespace
{

// A key of 8 bytes is an element of 16 in a slice. From this mean length on, blocks sort such keys alone faster.
constexpr size_t WIDE_KEYS_MOST = 512;

// Segments are sorted in groups, of GROUP_MEAN elements on average, up to this mean length. If there are many elements,
// slices sort narrow keys in longer segments faster.
constexpr size_t GROUPED_MEAN_MOST = 40, NARROW_MEAN_MOST = 20, NARROW_GROUPED_MOST = size_t(1) << 15;
constexpr size_t GROUP_MEAN = 256;

segment_groups groups_of(sk_shape shape, size_t segments, size_t n)
{
    const size_t mean = n / segments + 1;
    const bool are_narrow = shape.key_size < 4 && n > NARROW_GROUPED_MOST;
    segment_groups groups = {unsigned(segments), 0};
    if (mean > (are_narrow ? NARROW_MEAN_MOST : GROUPED_MEAN_MOST))
        return groups;
    groups.each = GROUP_SEGMENTS;
    while (groups.each * mean > GROUP_MEAN)
        groups.each /= 2;
    return groups;
}

// Blocks read what others write: a column in place is sorted from a copy.
scankit_error copy_from_place(cuda_device *gpu, workspace &scratch, const void **in, const void *out, size_t n,
                              unsigned size)
{
    void *copy;
    if (size == 0 || *in != out)
        return SCANKIT_OK;
    if (!scratch.take_bytes(&copy, n, size))
        return SCANKIT_E_MEMORY;
    TRY(copy_array(gpu, *in, copy, n * size));
    *in = copy;
    return SCANKIT_OK;
}

} // namespace

bool can_be_sliced(size_t segments, size_t n)
{
    return n <= SLICED_MOST && segments <= SLICED_SEGMENTS_MOST;
}

bool are_for_slices(sk_shape shape, size_t segments, size_t n)
{
    bool are_short = n / segments < WIDE_KEYS_MOST;
    return can_be_sliced(segments, n) && (shape.key_size < 8 || shape.value_size > 0 || are_short);
}

scankit_error sort_sliced_segments(cuda_device *gpu, segment_data data, size_t segments, size_t n)
{
    workspace scratch(gpu);
    TRY(copy_from_place(gpu, scratch, &data.in.keys, data.out.keys, n, data.shape.key_size));
    TRY(copy_from_place(gpu, scratch, &data.in.values, data.out.values, n, data.shape.value_size));
    const segment_groups groups = groups_of(data.shape, segments, n);
    const auto slices = unsigned((n - 1) / SLICE) + 1;
    return dispatch_narrow_keys(data.shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        const segment_columns<K, V> columns = columns_of<K, V>(data);
        if (groups.each == 0) {
            auto *kernel = data.piece == nullptr ? sort_slices<K, V, true> : sort_slices<K, V, false>;
            return launch(gpu, kernel, 2 * slices, SLICE_THREADS, 0, columns, groups.segments, n);
        }
        auto *kernel = data.piece == nullptr ? sort_slices_and_groups<K, V, true> : sort_slices_and_groups<K, V, false>;
        const unsigned blocks = 2 * slices + (groups.segments - 1) / groups.each + 1;
        return launch(gpu, kernel, blocks, SLICE_THREADS, 0, columns, slices, groups, n);
    });
}

bool can_share_long(const segment_data &data, size_t elements)
{
    bool is_in_place =
        data.in.keys == data.out.keys || (data.shape.value_size > 0 && data.in.values == data.out.values);
    return elements <= SLICED_MOST && !is_in_place && data.shape.key_size >= 4;
}

scankit_error sort_shared_segments(cuda_device *gpu, const segment_data &data, segment_list list, size_t elements)
{
    return dispatch_shape(data.shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        if constexpr (sizeof(K) >= 4)
            return launch(gpu, sort_shares<K, V>, unsigned(elements / SLICE), SLICE_THREADS, 0, columns_of<K, V>(data),
                          list);
        else
            return SCANKIT_E_ARGUMENT; // see can_share_long()
    });
}
