// shape.cuh - from a shape (bytes of keys and values) to C++ types.
#ifndef SK_CUDA_SHAPE_CUH
#define SK_CUDA_SHAPE_CUH

#include "backend.h"
#include "common/thread.cuh"

// X(key bytes, key type, value bytes, value type): every shape there is.
#define SK_SHAPES(X)            \
    X(1, uint8_t, 0, no_value)  \
    X(2, uint16_t, 0, no_value) \
    X(4, uint32_t, 0, no_value) \
    X(8, uint64_t, 0, no_value) \
    X(4, uint32_t, 4, uint32_t) \
    X(4, uint32_t, 8, uint64_t) \
    X(8, uint64_t, 4, uint32_t) \
    X(8, uint64_t, 8, uint64_t)

// Calls f(K(), V()).
template <class F> scankit_error dispatch_shape(sk_shape shape, F f)
{
    switch (shape.key_size * 16 + shape.value_size) {
#define X(key_size, K, value_size, V) \
    case key_size * 16 + value_size: return f(K(), V());
        SK_SHAPES(X)
#undef X
    }
    return SCANKIT_E_ARGUMENT;
}

// Calls f(T()) for the unsigned integer of that size, 1, 2, 4 or 8.
template <class F> scankit_error dispatch_word(unsigned size, F f)
{
    return size == 1 ? f(uint8_t()) : size == 2 ? f(uint16_t()) : size == 4 ? f(uint32_t()) : f(uint64_t());
}

#endif
