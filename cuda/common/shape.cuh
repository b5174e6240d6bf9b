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
template <> struct value_of<128> {
    using type = uint4;
};

#define X(key_bits, value_bits)      \
    case key_bits * 32 + value_bits: \
        return f(typename word_of<key_bits / 8>::type(), typename value_of<value_bits>::type());

// Calls f(K(), V()).
template <class F> scankit_error dispatch_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 256 + shape.value_size * 8) {
        SK_SHAPES(X)
    }
    return SCANKIT_E_ARGUMENT;
}

// The same, also for keys of 1 and 2 bytes with values of 4 and 8: for segmented sorts.
template <class F> scankit_error dispatch_narrow_keys(sk_shape shape, F f)
{
    switch (shape.key_size * 256 + shape.value_size * 8) {
        X(8, 32)
        X(8, 64)
        X(16, 32)
        X(16, 64)
    }
    return dispatch_shape(shape, f);
}

// The same, also for narrow keys with narrow values, and for keys of 4 bytes with values of 1, 2 and 16: for splits by
// digits, and for chunks.
#define SK_NARROW_SHAPES(X) X(8, 8) X(8, 16) X(16, 8) X(16, 16)
#define SK_ODD_SHAPES(X) X(32, 8) X(32, 16) X(32, 128)
template <class F> scankit_error dispatch_any_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 256 + shape.value_size * 8) {
        SK_NARROW_SHAPES(X)
        SK_ODD_SHAPES(X)
    }
    return dispatch_narrow_keys(shape, f);
}

// Without keys of 1 and 2 bytes.
template <class F> scankit_error dispatch_wide_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 256 + shape.value_size * 8) {
        SK_ODD_SHAPES(X)
    }
    return dispatch_shape(shape, f);
}

// The same as dispatch_any_shape(), also for keys of 8 bytes with values of 1, 2 and 16: for a chunk.
template <class F> scankit_error dispatch_chunk_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 256 + shape.value_size * 8) {
        X(64, 8)
        X(64, 16)
        X(64, 128)
    }
    return dispatch_any_shape(shape, f);
}
#undef X

template <class K, class V>
constexpr bool IS_ODD_SHAPE = sizeof(K) == 4 && (VALUE_SIZE<V> == 1 || VALUE_SIZE<V> == 2 || VALUE_SIZE<V> == 16);

// Calls f(T()) for the unsigned integer of `size` bytes: 1, 2, 4 or 8.
template <class F> scankit_error dispatch_word(unsigned size, F f)
{
    return size == 1 ? f(uint8_t()) : size == 2 ? f(uint16_t()) : size == 4 ? f(uint32_t()) : f(uint64_t());
}

#endif
