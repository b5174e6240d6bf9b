// long_segments.cu - long segments: one sort for each, or sorts of all of them by key, then by segment.
#include "sort/segments/long_segments.cuh"

#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "operators.h"
#include "sort/segments/gathered.cuh"

namespace
{

// A sort of its own costs a launch or ten: so it pays for few segments, or for giant ones.
constexpr unsigned FEW_SEGMENTS = 3, RANGES = RESULT_BYTES / 16;

template <class F> scankit_error gather(cuda_device *gpu, size_t n, F f)
{
    END_REHEARSAL(gpu);
    size_t tiles = (n - 1) / GATHER_TILE + 1;
    gather_kernel<<<unsigned(tiles < 65536 ? tiles : 65536), GATHER_THREADS, 0, gpu->stream>>>(n, f);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

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

// ---- all together: the elements are gathered, in places that follow one another ----

struct find_length {
    const uint64_t *offsets;
    segment_list list;
    uint64_t *length;
    __device__ void operator()(size_t i) const
    {
        const uint64_t *at = offsets + (i < list.count ? list.segment[i] : 0);
        length[i] = i < list.count ? at[1] - at[0] : 0;
    }
};

unsigned bits_of(unsigned most)
{
    unsigned bits = 1;
    while (bits < 32 && most >> bits > 0)
        bits++;
    return bits;
}

scankit_error sort_columns(cuda_device *gpu, sk_shape shape, sk_columns in, sk_columns out, size_t n, unsigned end_bit)
{
    return cuda_sort(&gpu->base, shape, {in.keys, in.values}, out, nullptr, n, 0, end_bit, SCANKIT_AUTO);
}

scankit_error sort_in_place(cuda_device *gpu, sk_shape shape, sk_columns columns, size_t n, unsigned end_bit)
{
    return sort_columns(gpu, shape, columns, columns, n, end_bit);
}

// Keys of up to 4 bytes: one sort of words, each a segment's number above a key, with the values.
template <class K, class V>
scankit_error sort_numbered(cuda_device *gpu, segment_columns<K, V> columns, const gathered_places &places, size_t n)
{
    workspace scratch(gpu);
    numbered_words<K, V> in = {}, out = {};
    for (numbered_words<K, V> *words : {&in, &out})
        if (!scratch.take(&words->word, n) || (HAS_VALUE<V> && !scratch.take(&words->value, n)))
            return SCANKIT_E_MEMORY;
    TRY(gather(gpu, n, gather_words<K, V>{places, columns, in}));
    TRY(sort_columns(gpu, {8, VALUE_SIZE<V>}, {in.word, in.value}, {out.word, out.value}, n, 64));
    return map_elements(gpu, n, put_words<K, V>{places, out, columns});
}

// Keys of 8 bytes: a sort by key with the segments' numbers, then a stable one by number with the keys.
template <class K>
scankit_error sort_twice(cuda_device *gpu, segment_columns<K, no_value> columns, const gathered_places &places,
                         size_t n)
{
    workspace scratch(gpu);
    numbered_keys<K> a = {}, b = {};
    for (numbered_keys<K> *keys : {&a, &b})
        if (!scratch.take(&keys->key, n) || !scratch.take(&keys->number, n))
            return SCANKIT_E_MEMORY;
    TRY(gather(gpu, n, gather_keys<K>{places, columns, a}));
    TRY(sort_columns(gpu, {sizeof(K), 4}, {a.key, a.number}, {b.key, b.number}, n, 8 * sizeof(K)));
    TRY(sort_columns(gpu, {4, sizeof(K)}, {b.number, b.key}, {a.number, a.key}, n, bits_of(places.list.count - 1)));
    return map_elements(gpu, n, put_keys<K>{places, a, columns});
}

// Keys of 8 bytes with values: the same with places, which find the numbers and the values. The numbers take the room
// of the keys, which are no longer needed then.
template <class K, class V, class I>
scankit_error sort_by_places(cuda_device *gpu, segment_columns<K, V> columns, const gathered_places &places, size_t n)
{
    workspace scratch(gpu);
    placed_pairs<K, V, I> pairs = {};
    if (!scratch.take(&pairs.keys, n) || !scratch.take(&pairs.values, n) || !scratch.take(&pairs.words, n) ||
        !scratch.take(&pairs.places, n))
        return SCANKIT_E_MEMORY;
    TRY(gather(gpu, n, gather_pairs<K, V, I>{places, columns, pairs}));
    TRY(sort_in_place(gpu, {sizeof(K), sizeof(I)}, {pairs.words, pairs.places}, n, 8 * sizeof(K)));
    unsigned *numbers = reinterpret_cast<unsigned *>(pairs.words);
    TRY(map_elements(gpu, n, find_number<I>{places, pairs.places, numbers}));
    TRY(sort_in_place(gpu, {4, sizeof(I)}, {numbers, pairs.places}, n, bits_of(places.list.count - 1)));
    return map_elements(gpu, n, put_pairs<K, V, I>{places, pairs, numbers, columns});
}

template <class K, class V>
scankit_error sort_gathered(cuda_device *gpu, segment_columns<K, V> columns, const gathered_places &places, size_t n)
{
    if constexpr (sizeof(K) <= 4)
        return sort_numbered(gpu, columns, places, n);
    else if constexpr (!HAS_VALUE<V>)
        return sort_twice(gpu, columns, places, n);
    else
        return n > UINT32_MAX ? sort_by_places<K, V, uint64_t>(gpu, columns, places, n)
                              : sort_by_places<K, V, uint32_t>(gpu, columns, places, n);
}

template <class K, class V>
scankit_error sort_together(cuda_device *gpu, segment_columns<K, V> columns, segment_list list, size_t n)
{
    workspace scratch(gpu);
    uint64_t *start;
    size_t places = list.count + size_t(1);
    if (!scratch.take(&start, places))
        return SCANKIT_E_MEMORY;
    TRY(map_elements(gpu, places, find_length{columns.offsets, list, start}));
    TRY(cuda_scan(&gpu->base, sk_canonical_type(SCANKIT_U64, SCANKIT_SUM), SCANKIT_SUM, SCANKIT_EXCLUSIVE, nullptr,
                  start, start, places));
    return sort_gathered(gpu, columns, gathered_places{columns.offsets, start, list}, n);
}

} // namespace

scankit_error sort_giant_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, segment_list list)
{
    return sort_each(gpu, shape, in, out, offsets, list);
}

static scankit_error sort_all_together(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                       const uint64_t *offsets, segment_list list, size_t elements)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        segment_columns<K, V> columns = {static_cast<const K *>(in.keys), static_cast<const V *>(in.values),
                                         static_cast<K *>(out.keys), static_cast<V *>(out.values), offsets};
        return sort_together(gpu, columns, list, elements);
    });
}

scankit_error sort_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, segment_list list, size_t elements)
{
    if (list.count <= FEW_SEGMENTS)
        return sort_each(gpu, shape, in, out, offsets, list);
    return sort_all_together(gpu, shape, in, out, offsets, list, elements);
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
    return sort_all_together(gpu, shape, in, out, nullptr, {nullptr, unsigned(segments)}, n);
}
