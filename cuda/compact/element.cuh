// element.cuh - the fields of an element as numbers, and the steps that predicates are made of (steps.h).
#ifndef SK_CUDA_ELEMENT_CUH
#define SK_CUDA_ELEMENT_CUH

#include <cstdint>

#include "steps.h"

#ifdef __CUDACC_RTC__
struct scankit_f16 {
    uint16_t bits;
};
#else
#include "scankit.h"
#endif

// The number whose bit pattern is in the low bytes.
template <class T> __device__ __forceinline__ T number_from_bits(uint64_t bits)
{
    return T(bits);
}
template <> __device__ __forceinline__ float number_from_bits<float>(uint64_t bits)
{
    return __uint_as_float(unsigned(bits));
}
template <> __device__ __forceinline__ double number_from_bits<double>(uint64_t bits)
{
    return __longlong_as_double((long long)bits);
}

template <> __device__ __forceinline__ scankit_f16 number_from_bits<scankit_f16>(uint64_t bits)
{
    return {uint16_t(bits)};
}

// The number that a program gets for a field: a half becomes a float.
template <class T> __device__ __forceinline__ T loaded(T field)
{
    return field;
}
__device__ __forceinline__ float loaded(scankit_f16 half)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half.bits));
    return value;
}

__device__ __forceinline__ uint64_t swap_bytes(uint64_t bits, int size)
{
    uint64_t swapped =
        (uint64_t)__byte_perm(unsigned(bits), 0, 0x0123) << 32 | __byte_perm(unsigned(bits >> 32), 0, 0x0123);
    return swapped >> (64 - 8 * size);
}

// An element in a register.
template <class U> struct word_element {
    U word;
    template <class T> __device__ __forceinline__ T get(size_t offset, bool swap) const
    {
        uint64_t bits = uint64_t(word) >> (8 * offset);
        return number_from_bits<T>(swap ? swap_bytes(bits, sizeof(T)) : bits);
    }
};

// An element in memory, at any address.
struct memory_element {
    const unsigned char *bytes;
    template <class T> __device__ __forceinline__ T get(size_t offset, bool swap) const
    {
        const unsigned char *at = bytes + offset;
        if (!swap && reinterpret_cast<uintptr_t>(at) % sizeof(T) == 0)
            return *reinterpret_cast<const T *>(at);
        uint64_t bits = 0;
#pragma unroll
        for (int i = 0; i < int(sizeof(T)); i++)
            bits |= uint64_t(at[i]) << (8 * (swap ? int(sizeof(T)) - 1 - i : i));
        return number_from_bits<T>(bits);
    }
};

// Each step as a function: step_ADD_U32(a, b).
#define X(name, R, T, expression)                                                 \
    __device__ __forceinline__ SK_C_##R step_##name##_##T(SK_C_##T a, SK_C_##T b) \
    {                                                                             \
        return SK_C_##R(expression);                                              \
    }
SK_STEPS(X)
#undef X

struct set_range {
    uint64_t low, high;
};

// True if a number is in one of the ranges, which are in ascending order. The last one that begins at or before the
// number decides.
template <class T> __device__ __forceinline__ bool is_in(T value, const set_range *ranges, unsigned count)
{
    unsigned low = 0, high = count; // bounds of the number of ranges that begin at or before the value
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (number_from_bits<T>(ranges[middle].low) <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && value <= number_from_bits<T>(ranges[low - 1].high);
}

#endif
