// captured_segments.cu - a segmented sort that never waits. The host cannot read lengths while a graph is captured, so
// nothing depends on them: the positions of all elements are sorted by their keys, and then, as that sort is stable, by
// the numbers of their segments. At last elements are moved once.
#include "sort/segments/captured_segments.cuh"

#include "common/copy.cuh"
#include "common/map.cuh"
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"

namespace
{

// The number of an element's segment, from 1; 0 before the first segment, and one more than all behind the last one.
struct segment_search {
    const uint64_t *offsets;
    unsigned segments;
    __device__ unsigned operator()(size_t i) const
    {
        unsigned low = 0, high = segments + 1;
        while (low < high) {
            unsigned middle = low + (high - low) / 2;
            if (offsets[middle] <= i)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
    __device__ bool is_inside(size_t i) const
    {
        return offsets[0] <= i && i < offsets[segments];
    }
};

// Outside of segments all keys count as equal, so that elements keep their places.
template <class K, class W, class I> struct number_elements {
    segment_search search;
    number_order<K> order;
    const K *in;
    W *key;
    I *position;
    __device__ void operator()(size_t i) const
    {
        key[i] = search.is_inside(i) ? W(order.key(in[i])) : W(0);
        position[i] = I(i);
    }
};

template <class I> struct find_segments {
    segment_search search;
    const I *position;
    unsigned *segment;
    __device__ void operator()(size_t i) const
    {
        segment[i] = search(position[i]);
    }
};

unsigned bits_of(unsigned number)
{
    unsigned bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

struct captured_sort {
    cuda_device *gpu;
    segment_search search;
    size_t n;

    // Moves a column to its sorted positions. spare: n elements, used in place.
    template <class I>
    scankit_error move(unsigned size, const void *in, void *out, const I *position, void *spare) const
    {
        void *to = in == out ? spare : out;
        TRY(cuda_gather(&gpu->base, size, in, n, in, sizeof *position, position, to, n));
        return copy_array(gpu, to, out, n * size);
    }

    template <class W, class I> scankit_error sort_positions(W *words, I *position, unsigned bits) const
    {
        return cuda_sort(&gpu->base, {sizeof(W), sizeof(I)}, {words, position}, {words, position}, nullptr, n, 0, bits,
                         SCANKIT_AUTO);
    }

    template <class K, class I> scankit_error run(const segment_data &data) const
    {
        const sk_shape shape = data.shape;
        const sk_const_columns in = data.in;
        const sk_columns out = data.out;
        using W = std::conditional_t<sizeof(K) == 8, uint64_t, uint32_t>; // sorts of positions have no shorter keys
        workspace scratch(gpu);
        W *words;
        I *position;
        unsigned *segment;
        void *values = nullptr;
        if (!scratch.take(&words, n) || !scratch.take(&position, n) || !scratch.take(&segment, n) ||
            (in.values == out.values && shape.value_size > 0 && !scratch.take_bytes(&values, n, shape.value_size)))
            return SCANKIT_E_MEMORY;
        const number_elements<K, W, I> number = {search, order_of<K>(data.piece), static_cast<const K *>(in.keys),
                                                 words, position};
        TRY(map_elements(gpu, n, number));
        TRY(sort_positions(words, position, 8 * sizeof(K)));
        TRY(map_elements(gpu, n, find_segments<I>{search, position, segment}));
        TRY(sort_positions(segment, position, bits_of(search.segments + 1)));
        TRY(move(shape.key_size, in.keys, out.keys, position, words));
        return shape.value_size > 0 ? move(shape.value_size, in.values, out.values, position, values) : SCANKIT_OK;
    }
};

} // namespace

scankit_error sort_captured_segments(cuda_device *gpu, const segment_data &data, size_t segments, size_t n)
{
    if (segments >= UINT32_MAX)
        return cuda_refuse_capture(gpu, "more than 2^32 - 2 segments");
    captured_sort sort = {gpu, {data.offsets, unsigned(segments)}, n};
    return dispatch_word(data.shape.key_size, [&](auto key) {
        using K = decltype(key);
        return n > UINT32_MAX ? sort.run<K, uint64_t>(data) : sort.run<K, uint32_t>(data);
    });
}
