// long_segments.cu - long segments: one sort for each, or sorts of all of them by key, then by segment.
#include "sort/segments/long_segments.cuh"

#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "operators.h"

namespace
{

// A sort of its own costs a launch or ten: so it pays for few segments, or for giant ones.
constexpr unsigned FEW_SEGMENTS = 16, RANGES = RESULT_BYTES / 16;

template <class F> scankit_error map(cuda_device *gpu, size_t n, F f)
{
    map_kernel<<<map_blocks(n), MAP_THREADS, 0, gpu->stream>>>(n, f);
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
        TRY(map(gpu, part, find_range{offsets, list.segment + done, ranges}));
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

// Where gathered elements come from. start[s]: the place of the first one of segment s of the list.
struct gathered_places {
    const uint64_t *offsets, *start;
    segment_list list;
    __device__ unsigned segment_of(uint64_t place) const
    {
        unsigned least = 0, most = list.count - 1;
        while (least < most) {
            unsigned middle = most - (most - least) / 2;
            if (start[middle] <= place)
                least = middle;
            else
                most = middle - 1;
        }
        return least;
    }
    __device__ uint64_t origin(uint64_t place) const
    {
        unsigned s = segment_of(place);
        return offsets[list.segment[s]] + (place - start[s]);
    }
};

// The gathered keys and values, and the pairs that are sorted: words and places.
template <class K, class V, class I> struct gathered {
    using word = typename word_of<(sizeof(K) < 4 ? 4 : sizeof(K))>::type;
    K *keys;
    V *values;
    word *words;
    I *places;
};

template <class K, class V, class I> struct gather_long {
    gathered_places from;
    segment_columns<K, V> columns;
    gathered<K, V, I> to;
    __device__ void operator()(size_t i) const
    {
        uint64_t origin = from.origin(i);
        K key = columns.keys_in[origin];
        to.keys[i] = key;
        to.words[i] = key;
        to.places[i] = I(i);
        if constexpr (HAS_VALUE<V>)
            to.values[i] = columns.values_in[origin];
    }
};

template <class I> struct find_number {
    gathered_places from;
    const I *places;
    unsigned *number;
    __device__ void operator()(size_t i) const
    {
        number[i] = from.segment_of(places[i]);
    }
};

template <class K, class V, class I> struct put_back {
    gathered_places to;
    gathered<K, V, I> from;
    segment_columns<K, V> columns;
    __device__ void operator()(size_t i) const
    {
        uint64_t origin = to.origin(i);
        I place = from.places[i];
        columns.keys_out[origin] = from.keys[place];
        if constexpr (HAS_VALUE<V>)
            columns.values_out[origin] = from.values[place];
    }
};

template <class W, class I> scankit_error sort_places(cuda_device *gpu, W *words, I *places, size_t n, unsigned end_bit)
{
    sk_shape shape = {sizeof(W), sizeof(I)};
    return cuda_sort(&gpu->base, shape, {words, places}, {words, places}, nullptr, n, 0, end_bit, SCANKIT_AUTO);
}

unsigned bits_of(unsigned most)
{
    unsigned bits = 1;
    while (bits < 32 && most >> bits > 0)
        bits++;
    return bits;
}

// The numbers of segments take the room of the keys' words, which are no longer needed then.
template <class K, class V, class I>
scankit_error sort_gathered(cuda_device *gpu, segment_columns<K, V> columns, const gathered_places &places, size_t n)
{
    workspace scratch(gpu);
    gathered<K, V, I> g = {};
    if (!scratch.take(&g.keys, n) || (HAS_VALUE<V> && !scratch.take(&g.values, n)) || !scratch.take(&g.words, n) ||
        !scratch.take(&g.places, n))
        return SCANKIT_E_MEMORY;
    TRY(map(gpu, n, gather_long<K, V, I>{places, columns, g}));
    TRY(sort_places(gpu, g.words, g.places, n, 8 * sizeof(K)));
    unsigned *numbers = reinterpret_cast<unsigned *>(g.words);
    TRY(map(gpu, n, find_number<I>{places, g.places, numbers}));
    TRY(sort_places(gpu, numbers, g.places, n, bits_of(places.list.count - 1)));
    return map(gpu, n, put_back<K, V, I>{places, g, columns});
}

template <class K, class V>
scankit_error sort_together(cuda_device *gpu, segment_columns<K, V> columns, segment_list list, size_t n)
{
    workspace scratch(gpu);
    uint64_t *start;
    size_t places = list.count + size_t(1);
    if (!scratch.take(&start, places))
        return SCANKIT_E_MEMORY;
    TRY(map(gpu, places, find_length{columns.offsets, list, start}));
    TRY(cuda_scan(&gpu->base, sk_canonical_type(SCANKIT_U64, SCANKIT_SUM), SCANKIT_SUM, SCANKIT_EXCLUSIVE, nullptr,
                  start, start, places));
    gathered_places from = {columns.offsets, start, list};
    return n > UINT32_MAX ? sort_gathered<K, V, uint64_t>(gpu, columns, from, n)
                          : sort_gathered<K, V, uint32_t>(gpu, columns, from, n);
}

} // namespace

scankit_error sort_giant_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, segment_list list)
{
    return sort_each(gpu, shape, in, out, offsets, list);
}

scankit_error sort_long_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, segment_list list, size_t elements)
{
    if (list.count <= FEW_SEGMENTS)
        return sort_each(gpu, shape, in, out, offsets, list);
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        segment_columns<K, V> columns = {static_cast<const K *>(in.keys), static_cast<const V *>(in.values),
                                         static_cast<K *>(out.keys), static_cast<V *>(out.values), offsets};
        return sort_together(gpu, columns, list, elements);
    });
}
