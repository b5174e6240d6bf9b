// shape.cuh - from a shape (bytes of keys and values) to C++ types.
#ifndef SK_CUDA_SHAPE_CUH
#define SK_CUDA_SHAPE_CUH

#include "backend.h"
#include "common/thread.cuh"

// The type of values of BITS bits.
template <int BITS> struct value_of : word_of<BITS / 8> {
};
template <> struct value_of<0> {
    using type = no_value;
};

#define X(key_bits, value_bits)      \
    case key_bits * 16 + value_bits: \
        return f(typename word_of<key_bits / 8>::type(), typename value_of<value_bits>::type());

// Calls f(K(), V()).
template <class F> scankit_error dispatch_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 128 + shape.value_size * 8) {
        SK_SHAPES(X)
    }
    return SCANKIT_E_ARGUMENT;
}

// The same, also for keys of 1 and 2 bytes with values of 4 and 8: for segmented sorts.
template <class F> scankit_error dispatch_narrow_keys(sk_shape shape, F f)
{
    switch (shape.key_size * 128 + shape.value_size * 8) {
        X(8, 32)
        X(8, 64)
        X(16, 32)
        X(16, 64)
    }
    return dispatch_shape(shape, f);
}

// The same, also for narrow keys with narrow values: for splits by digits, and for chunks.
#define SK_NARROW_SHAPES(X) X(8, 8) X(8, 16) X(16, 8) X(16, 16)
template <class F> scankit_error dispatch_any_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 128 + shape.value_size * 8) {
        SK_NARROW_SHAPES(X)
    }
    return dispatch_narrow_keys(shape, f);
}
#undef X

// Calls f(T()) for the unsigned integer of `size` bytes: 1, 2, 4 or 8.
template <class F> scankit_error dispatch_word(unsigned size, F f)
{
    return size == 1 ? f(uint8_t()) : size == 2 ? f(uint16_t()) : size == 4 ? f(uint32_t()) : f(uint64_t());
}

#endif
