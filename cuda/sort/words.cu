// words.cu - see words.cuh.
#include "sort/words.cuh"

#include "common/copy.cuh"
#include "common/map.cuh"
#include "device/arena.cuh"
#include "sort/keys.cuh"
#include "sort/survey/key_order.cuh"

namespace
{

// The bits that keys compare by.
struct key_bits {
    number_order<uint32_t> order;
    unsigned begin;
    uint32_t mask;
    __device__ __forceinline__ uint64_t of(uint32_t key) const
    {
        return order.key(key) >> begin & mask;
    }
};

struct make_word {
    const uint32_t *keys;
    key_bits bits;
    uint64_t *words;
    __device__ void operator()(size_t i) const
    {
        words[i] = bits.of(keys[i]) << 32 | i;
    }
};

// keys: NULL where the word has the whole key.
template <class V> struct put_pair {
    const uint64_t *words;
    number_order<uint32_t> order;
    const uint32_t *keys;
    const V *values;
    uint32_t *keys_out;
    V *values_out;
    __device__ void operator()(size_t i) const
    {
        uint64_t word = words[i];
        uint32_t from = uint32_t(word);
        keys_out[i] = keys != nullptr ? keys[from] : order.value(uint32_t(word >> 32));
        values_out[i] = values[from];
    }
};

// What is written in place is read from a copy.
scankit_error read_apart(cuda_device *gpu, const void **from, const void *out, void *other, size_t bytes)
{
    if (*from != out)
        return SCANKIT_OK;
    TRY(copy_array(gpu, *from, other, bytes));
    *from = other;
    return SCANKIT_OK;
}

scankit_error sort_whole_words(cuda_device *gpu, uint64_t *words, uint64_t *sorted, size_t n)
{
    const sk_piece piece = {~uint64_t(0), 0, 8, SK_PIECE_UNSIGNED, false, false, 0};
    sort_request request = {n, 8, 0, 64, true, SCANKIT_AUTO, false, true, gpu->shared_most};
    return sort_keys(gpu, request, piece, words, sorted, words);
}

} // namespace

scankit_error sort_words(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                         sk_columns other, unsigned begin_bit, const sk_piece *order)
{
    workspace scratch(gpu);
    size_t n = request.n;
    uint64_t *words, *sorted;
    key_bits bits = {order_of<uint32_t>(order), begin_bit, uint32_t(~0u >> (32 - request.bits))};
    if (!scratch.take(&words, n) || !scratch.take(&sorted, n))
        return SCANKIT_E_MEMORY;
    const uint32_t *keys = static_cast<const uint32_t *>(in.keys);
    TRY(map_elements(gpu, n, make_word{keys, bits, words}));
    TRY(sort_whole_words(gpu, words, sorted, n));
    TRY(read_apart(gpu, &in.values, out.values, other.values, n * request.value_size));
    bool has_all = request.bits == 32;
    if (!has_all)
        TRY(read_apart(gpu, &in.keys, out.keys, other.keys, n * sizeof(uint32_t)));
    const uint32_t *from = has_all ? nullptr : static_cast<const uint32_t *>(in.keys);
    auto put = [&](auto value) {
        using V = decltype(value);
        return map_elements(gpu, n,
                            put_pair<V>{sorted, bits.order, from, static_cast<const V *>(in.values),
                                        static_cast<uint32_t *>(out.keys), static_cast<V *>(out.values)});
    };
    switch (request.value_size) {
    case 1: return put(uint8_t());
    case 2: return put(uint16_t());
    case 4: return put(uint32_t());
    case 8: return put(uint64_t());
    default: return put(uint4());
    }
}
