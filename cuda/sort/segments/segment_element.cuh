// segment_element.cuh - what sorts of short segments compare: a key, or with values a key and its place in the segment.
// So they are stable, and what stands behind the end of a segment stays there.
#ifndef SK_CUDA_SEGMENT_ELEMENT_CUH
#define SK_CUDA_SEGMENT_ELEMENT_CUH

#include "sort/network/placed_key.cuh"
#include "sort/segments/segments.cuh"

template <class K> using sort_word = typename word_of<(sizeof(K) < 4 ? 4 : sizeof(K))>::type;

template <class K, class V> struct element_of : placing<K> {
};

template <class K> struct element_of<K, no_value> {
    using element = sort_word<K>;
    static __device__ __forceinline__ element make(K key, unsigned)
    {
        return element(key);
    }
    static __device__ __forceinline__ K key(element e)
    {
        return K(e);
    }
    static __device__ __forceinline__ unsigned place(element)
    {
        return 0;
    }
};

template <class K, class V> using segment_element = typename element_of<K, V>::element;

// Values, where keys belong, become keys.
template <class K, class V, unsigned N>
__device__ __forceinline__ void encode_elements(const segment_order<K> &order, segment_element<K, V> (&item)[N])
{
    using made = element_of<K, V>;
    order.with([&](auto its) {
#pragma unroll
        for (unsigned i = 0; i < N; i++)
            item[i] = made::make(its.key(made::key(item[i])), made::place(item[i]));
    });
}

#endif
