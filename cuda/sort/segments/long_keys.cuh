// long_keys.cuh - encodes and decodes the keys of those segments that no block can hold: these are sorted as words.
#ifndef SK_CUDA_LONG_KEYS_CUH
#define SK_CUDA_LONG_KEYS_CUH

#include "common/shape.cuh"
#include "device/launch.cuh"
#include "sort/segments/classes.cuh"

// A long segment is longer than a tile. So it has the first or the last element of each tile that it meets.
constexpr unsigned KEY_THREADS = 256, KEY_TILE = 2048;
static_assert(KEY_TILE < block_most(BLOCK_CLASS + 3), "blocks sort four classes at least");

// Segments that follow one another, and the classes of blocks.
struct segment_places {
    const uint64_t *offsets;
    size_t segments;
    unsigned block_classes;

    struct range {
        uint64_t begin, end;
    };
    // The segment of an element, if it is a long one; else it is empty.
    __device__ __forceinline__ range long_at(uint64_t element) const
    {
        size_t low = 0, high = segments + 1;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (offsets[middle] <= element)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == 0 || low > segments)
            return {0, 0};
        range own = {offsets[low - 1], offsets[low]};
        return class_of(own.end - own.begin, block_classes) >= LONG_CLASS ? own : range{0, 0};
    }
};

template <class K, class Act>
__global__ void __launch_bounds__(KEY_THREADS)
    map_long_keys(const K *in, K *out, size_t n, segment_places places, Act act)
{
    wait_for_launches();
    const uint64_t begin = uint64_t(blockIdx.x) * KEY_TILE, end = min(begin + KEY_TILE, uint64_t(n));
    const auto first = places.long_at(begin), last = places.long_at(end - 1);
    for (uint64_t i = begin + threadIdx.x; i < end; i += KEY_THREADS)
        if (i < first.end || (i >= last.begin && i < last.end))
            out[i] = act(in[i]);
}

template <class K> struct encode_key {
    number_order<K> order;
    __device__ K operator()(K value) const
    {
        return order.key(value);
    }
};

template <class K> struct decode_key {
    number_order<K> order;
    __device__ K operator()(K key) const
    {
        return order.value(key);
    }
};

// Of n elements.
template <template <class> class Act>
scankit_error map_long(cuda_device *gpu, const segment_data &data, const void *in, const segment_places &places,
                       size_t n)
{
    return dispatch_word(data.shape.key_size, [&](auto key) {
        using K = decltype(key);
        return launch(gpu, map_long_keys<K, Act<K>>, unsigned((n - 1) / KEY_TILE + 1), KEY_THREADS, 0,
                      static_cast<const K *>(in), static_cast<K *>(data.out.keys), n, places,
                      Act<K>{order_of<K>(data.piece)});
    });
}

#endif
