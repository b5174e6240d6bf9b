// split.cuh - the split-radix sort: the whole array is split by one bit after the other, the least significant first.
// The scan of the zeros of a bit says where each element goes (Blelloch, Prefix Sums and Their Applications, 1990,
// section 1.3). Each bit costs a scan of the array and a scatter.
#ifndef SK_CUDA_GALLERY_SPLIT_CUH
#define SK_CUDA_GALLERY_SPLIT_CUH

#include "common/map.cuh"
#include "gallery/grid/three_kernel.cuh"
#include "gallery/sort/sort_call.cuh"

template <class K> __device__ __forceinline__ bool is_zero(K key, unsigned bit)
{
    return !(key >> bit & 1);
}

template <class K, class I> struct mark_zeros {
    const K *keys;
    I *places;
    unsigned bit;
    __device__ void operator()(size_t i) const
    {
        places[i] = is_zero(keys[i], bit);
    }
};

// places: how many zeros stand before each element.
template <class K, class V, class I> struct split_by_bit {
    key_columns<const K, const V> in;
    key_columns<K, V> out;
    const I *places;
    size_t n;
    unsigned bit;
    __device__ void operator()(size_t i) const
    {
        size_t zeros = places[n - 1] + is_zero(in.keys[n - 1], bit), before = places[i];
        move_element(in, i, out, is_zero(in.keys[i], bit) ? before : zeros + i - before);
    }
};

template <class I, class K, class V>
scankit_error split_all_bits(cuda_device *gpu, const sort_call<K, V> &call, key_columns<K, V> spare, I *places)
{
    using Op = std::conditional_t<sizeof(I) == 4, op_sum<sk_u32>, op_sum<sk_u64>>;
    size_t n = call.n;
    key_columns<const K, const V> from = call.in;
    // The number of bits is even, so the last split writes to the output.
    for (unsigned bit = 0; bit < 8 * sizeof(K); bit++) {
        key_columns<K, V> to = bit % 2 == 0 ? spare : call.out;
        map_kernel<<<map_blocks(n), MAP_THREADS, 0, gpu->stream>>>(n, mark_zeros<K, I>{from.keys, places, bit});
        CHECK_LAUNCH();
        TRY(three_kernel<Op>(gpu, {places, places, n, false, 0}));
        map_kernel<<<map_blocks(n), MAP_THREADS, 0, gpu->stream>>>(n, split_by_bit<K, V, I>{from, to, places, n, bit});
        CHECK_LAUNCH();
        from = read_only(to);
    }
    return SCANKIT_OK;
}

template <class K, class V> scankit_error split_sort(cuda_device *gpu, const sort_call<K, V> &call)
{
    workspace scratch(gpu);
    key_columns<K, V> spare;
    sk_u32 *narrow;
    sk_u64 *wide;
    if (!take_columns(scratch, call.n, &spare))
        return SCANKIT_E_MEMORY;
    if (call.n <= UINT32_MAX)
        return scratch.take(&narrow, call.n) ? split_all_bits(gpu, call, spare, narrow) : SCANKIT_E_MEMORY;
    return scratch.take(&wide, call.n) ? split_all_bits(gpu, call, spare, wide) : SCANKIT_E_MEMORY;
}

#endif
