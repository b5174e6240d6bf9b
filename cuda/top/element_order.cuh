// element_order.cuh - the order of elements as an order of unsigned integers, by the steps of sk_bound, and back.
#ifndef SK_CUDA_ELEMENT_ORDER_CUH
#define SK_CUDA_ELEMENT_ORDER_CUH

#include "compact/bound.cuh"

// Elements of 4 bytes or less have keys of 4, whose lowest bits are 0.
template <class U> struct element_order {
    using key_type = typename match_bound<U>::word;
    static constexpr int BITS = match_bound<U>::BITS, SHIFT = match_bound<U>::SHIFT;
    key_type flip, sign, first, descending;

    explicit element_order(const sk_bound &bound)
        : flip(key_type(bound.flip)), sign(key_type(bound.sign)), first(key_type(bound.first)),
          descending(key_type(bound.descending))
    {
    }

    __device__ __forceinline__ key_type key(U element) const
    {
        key_type bits = key_type(element) << SHIFT;
        bits ^= ((key_type(0) - (bits >> (BITS - 1))) & flip) | sign;
        return key_type(bits - first) ^ descending;
    }

    __device__ __forceinline__ U element(key_type key) const
    {
        key_type bits = key_type((key ^ descending) + first);
        bits ^= ((key_type(0) - (key_type(~bits) >> (BITS - 1))) & flip) | sign;
        return U(bits >> SHIFT);
    }

    // Elements whose keys are up to `last`, which is a key.
    __device__ __forceinline__ match_bound<U> up_to(key_type last) const
    {
        key_type low = descending != 0 ? key_type(descending ^ last) : key_type(0);
        return {key_type(flip & ~sign), key_type(low + first - sign), last};
    }
};

#endif
