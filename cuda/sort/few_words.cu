// few_words.cu - see few_words.cuh. Each element becomes a word of the key bits that count and of its place, so that no
// two are equal and equal keys keep their order. Sorted words tell where keys and values come from.
#include "sort/few_words.cuh"

#include "common/shape.cuh"
#include "sort/bucket/small_sort.cuh"

namespace
{

template <class S, class W> struct placed_elements {
    using stored = S;
    using word = W;
    static constexpr bool GATHERED = true;
    const S *in;
    S *out;
    const void *values;
    void *values_out;
    unsigned value_size, begin, place_bits;
    S mask;        // of the bits that count, from `begin` on
    bool is_whole; // all bits of the key count
    number_order<S> key_order;
    same_order<W> order;

    __device__ __forceinline__ W of(S bits, unsigned place) const
    {
        S key = bits;
        if constexpr (sizeof(S) < 8) // keys of 8 bytes never count as a whole
            key = key_order.key(bits);
        return W(S(key >> begin) & mask) << place_bits | place;
    }
    __device__ __forceinline__ unsigned place_of(W own) const
    {
        return unsigned(own) & ((1u << place_bits) - 1);
    }

    template <int SIZE> __device__ __forceinline__ void put_values(const W *words, unsigned size, unsigned at) const
    {
        using V = typename value_of<8 * SIZE>::type;
        const V *from = static_cast<const V *>(values);
        V *to = static_cast<V *>(values_out) + at;
#pragma unroll 2
        for (unsigned i = threadIdx.x; i < size; i += SMALL_THREADS)
            to[i] = from[place_of(words[i])];
    }
    __device__ __forceinline__ void put(const W *words, unsigned size, unsigned at) const
    {
        S *to = out + at;
        switch (value_size) {
        case 1: put_values<1>(words, size, at); break;
        case 2: put_values<2>(words, size, at); break;
        case 4: put_values<4>(words, size, at); break;
        case 8: put_values<8>(words, size, at); break;
        case 16: put_values<16>(words, size, at); break;
        }
#pragma unroll 2
        for (unsigned i = threadIdx.x; i < size; i += SMALL_THREADS)
            to[i] = is_whole ? key_order.value(S(words[i] >> place_bits)) : in[place_of(words[i])];
    }
};

template <class S, class W>
scankit_error run(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                  unsigned begin_bit, const sk_piece *order)
{
    placed_elements<S, W> elements = {};
    elements.in = static_cast<const S *>(in.keys);
    elements.out = static_cast<S *>(out.keys);
    elements.values = in.values;
    elements.values_out = out.values;
    elements.value_size = request.value_size;
    elements.begin = begin_bit;
    elements.place_bits = place_bits(request.n);
    elements.mask = S(S(~S(0)) >> (8 * sizeof(S) - request.bits));
    elements.is_whole = request.bits == 8 * sizeof(S);
    elements.key_order = order_of<S>(order);
    return sort_ranges(gpu, elements, request.n);
}

} // namespace

scankit_error sort_few_words(cuda_device *gpu, const sort_request &request, sk_const_columns in, sk_columns out,
                             unsigned begin_bit, const sk_piece *order)
{
    switch (request.key_size) {
    case 1: return run<uint8_t, uint32_t>(gpu, request, in, out, begin_bit, order);
    case 2: return run<uint16_t, uint32_t>(gpu, request, in, out, begin_bit, order);
    case 4:
        if (request.bits + place_bits(request.n) <= 32)
            return run<uint32_t, uint32_t>(gpu, request, in, out, begin_bit, order);
        return run<uint32_t, uint64_t>(gpu, request, in, out, begin_bit, order);
    default: return run<uint64_t, uint64_t>(gpu, request, in, out, begin_bit, order);
    }
}
